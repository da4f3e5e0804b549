"""Where cards can lie, against places computed by hand."""

import math
from collections import Counter
from collections.abc import Sequence

import pytest

from companion.games.loknroll.rules import Game, IllegalPlacement, Mode, RuleError, StartCard, load_edition, set_up
from companion.games.loknroll.rules.railway.geometry import (
    RAIL_TOLERANCE_MM,
    Placement,
    closes_loop,
    is_dead_end,
    match,
    placements,
)
from tests.companion.games.loknroll.rules.railway.laid_railways import (
    ACROSS,
    BEND,
    DECK,
    LEFT,
    RIGHT,
    SHAPES,
    STRAIGHT,
    Way,
    first_card,
    laid,
    poses_agree,
    turned_around_origin,
)
from vision.cards import Edge, Face, Kind, Port, Pose


def poses(ways: Sequence[Placement]) -> set[tuple[float, float, float]]:
    return {(way.pose.x_mm, way.pose.y_mm, way.pose.rotation_deg) for way in ways}


# A straight card upwards, then a turn to the left, and another one: back down beside the first card.
UP = Way(STRAIGHT, 0, Pose(0, 0, 0))
TURN = Way(LEFT, 0, Pose(0, -88, 0))
TURN_BACK = Way(RIGHT, 1, Pose(-63, -88, 0))
DOWN_BESIDE = Way(STRAIGHT, 0, Pose(-63, 0, 180))
AT_THE_FIRST = Way(LEFT, 0, Pose(-63, 0, 180))
RING = (TURN, TURN_BACK, AT_THE_FIRST, Way(RIGHT, 1, Pose(0, 0, 180)))

EXAMPLES = {
    "straight on": ((UP,), Way(STRAIGHT, 0, Pose(0, -88, 0))),
    "straight on, card upside down": ((UP,), Way(STRAIGHT, 1, Pose(0, -88, 180))),
    "landscape after portrait": ((UP,), Way(ACROSS, 0, Pose(0, -75.5, 270))),
    "portrait after landscape, edges 12.5 mm off": (
        (UP, Way(ACROSS, 0, Pose(0, -75.5, 270))),
        Way(STRAIGHT, 0, Pose(0, -151, 0)),
    ),
    "landscape around a corner": ((UP, TURN), Way(STRAIGHT, 0, Pose(-75.5, -88, 270))),
    "portrait around two corners": (
        (UP, TURN, Way(STRAIGHT, 0, Pose(-75.5, -88, 270))),
        Way(LEFT, 1, Pose(-151, -88, 180)),
    ),
    "bend stands 10 mm to the left": ((UP,), Way(BEND, 0, Pose(-10, -88, 0))),
    "bend upside down is the same": ((UP,), Way(BEND, 1, Pose(-10, -88, 180))),
    "card after a bend stands 20 mm to the left": (
        (UP, Way(BEND, 0, Pose(-10, -88, 0))),
        Way(STRAIGHT, 0, Pose(-20, -176, 0)),
    ),
    "bend after a bend": ((UP, Way(BEND, 0, Pose(-10, -88, 0))), Way(BEND, 0, Pose(-30, -176, 0))),
    "lying bend is 10 mm lower": ((UP, TURN), Way(BEND, 0, Pose(-75.5, -78, 270))),
    "U-turn with cards that touch": ((UP, TURN), TURN_BACK),
    "side by side after a U-turn": ((UP, TURN, TURN_BACK), DOWN_BESIDE),
}


class TestHandComputed:
    @pytest.mark.rule("LAY1", "LAY2", "LAY3")
    @pytest.mark.parametrize("name", EXAMPLES)
    def test_example_is_listed_and_matched(self, name: str) -> None:
        before, way = EXAMPLES[name]
        railway = laid(*before)
        assert way.pose in [listed.pose for listed in placements(railway, way.face)]
        assert match(railway, way.face, way.pose).entry == way.entry

    @pytest.mark.rule("LAY1")
    @pytest.mark.parametrize("name", EXAMPLES)
    @pytest.mark.parametrize("degrees", [17.3, -30, 44.9, 90, 135.5, 200, 359])
    def test_example_holds_for_a_railway_turned_against_the_table(self, name: str, degrees: float) -> None:
        before, way = EXAMPLES[name]
        railway = laid(*(way._replace(pose=turned_around_origin(way.pose, degrees)) for way in before))
        pose = turned_around_origin(way.pose, degrees)
        assert match(railway, way.face, pose).entry == way.entry
        assert any(poses_agree(listed.pose, pose) for listed in placements(railway, way.face))

    @pytest.mark.parametrize("whole_turns", [-3, -1, 1, 10])
    def test_whole_turns_of_a_card_do_not_matter(self, whole_turns: int) -> None:
        railway = laid(UP, TURN)
        exact = match(railway, RIGHT, TURN_BACK.pose)
        spun = Pose(TURN_BACK.pose.x_mm, TURN_BACK.pose.y_mm, TURN_BACK.pose.rotation_deg + 360 * whole_turns)
        assert match(railway, RIGHT, spun) == exact

    @pytest.mark.rule("LAY2")
    def test_a_first_card_goes_on_at_both_ends(self) -> None:
        ways = placements(first_card(STRAIGHT), STRAIGHT)
        assert poses(ways) == {(0, -88, 0), (0, -88, 180), (0, 88, 0), (0, 88, 180)}
        assert {way.exit_port for way in ways if way.pose.y_mm < 0} == {1}

    @pytest.mark.rule("LAY2")
    @pytest.mark.parametrize(("y", "entry"), [(-88, 0), (88, 1)])
    def test_the_second_card_decides_the_direction(self, y: float, entry: int) -> None:
        railway = first_card(STRAIGHT)
        way = match(railway, STRAIGHT, Pose(0, y, 0))
        railway = railway.with_card(STRAIGHT, way.pose, way.entry, way.exit_port)
        assert railway.cards[0].entry == entry
        assert poses(placements(railway, STRAIGHT)) == {(0, 2 * y, 0), (0, 2 * y, 180)}
        with pytest.raises(IllegalPlacement) as refused:
            match(railway, STRAIGHT, Pose(0, -y, 0))
        assert (refused.value.clause, refused.value.between) == ("LAY2", (1,))

    @pytest.mark.rule("LAY3", "LAY5")
    def test_an_end_that_points_at_the_first_card_is_blocked(self) -> None:
        railway = laid(UP, TURN, TURN_BACK, AT_THE_FIRST)
        assert is_dead_end(railway, DECK.passages)
        assert [placements(railway, face) for face in SHAPES] == [[], [], [], []]
        with pytest.raises(IllegalPlacement) as refused:
            match(railway, STRAIGHT, Pose(12.5, 0, 90))
        assert (refused.value.clause, refused.value.between) == ("LAY3", (0,))

    @pytest.mark.rule("LAY3", "PEN1")
    def test_space_freed_from_the_rear_can_be_used_again(self) -> None:
        railway = laid(UP, TURN, TURN_BACK, AT_THE_FIRST).without_rear(1)
        assert not is_dead_end(railway, DECK.passages)
        assert poses(placements(railway, STRAIGHT)) == {(12.5, 0, 90), (12.5, 0, 270)}
        assert match(railway, RIGHT, Pose(0, 0, 180)).entry == 1

    @pytest.mark.rule("LAY5")
    def test_four_curves_close_a_ring(self) -> None:
        assert closes_loop(laid(*RING))
        assert not closes_loop(laid(*RING[:3]))
        assert is_dead_end(laid(*RING), DECK.passages)

    @pytest.mark.rule("LAY5")
    def test_a_ring_is_open_again_without_its_rear_card(self) -> None:
        assert not closes_loop(laid(*RING).without_rear(1))

    @pytest.mark.rule("LAY5")
    @pytest.mark.parametrize(("off_mm", "closed"), [(0.9, True), (1.1, False)])
    @pytest.mark.parametrize(("x", "y"), [(1, 0), (-1, 0), (0, 1)])
    def test_a_ring_is_closed_as_far_as_rails_may_be_apart(self, off_mm: float, closed: bool, x: int, y: int) -> None:
        *ring, last = RING
        off = off_mm * RAIL_TOLERANCE_MM
        assert closes_loop(laid(*ring, last._replace(pose=Pose(x * off, y * off, 180)))) is closed

    @pytest.mark.rule("LAY5")
    def test_ends_that_meet_side_by_side_are_no_loop(self) -> None:
        assert not closes_loop(laid(UP, TURN, TURN_BACK, DOWN_BESIDE))

    @pytest.mark.rule("LAY5")
    def test_ends_that_meet_at_a_corner_are_no_loop(self) -> None:
        """The start looks to the right near a corner; below it, the front looks up."""
        start = Face("start", 1, Kind.TRACK, 1, (Port(Edge.E, 42), Port(Edge.N)))
        front = Face("front", 1, Kind.TRACK, 1, (Port(Edge.S), Port(Edge.N, -29)))
        railway = laid(Way(start, 0, Pose(0, 0, 0)), Way(STRAIGHT, 0, Pose(0, -88, 0)), Way(front, 0, Pose(63, 88, 0)))
        assert math.dist(railway.rear_end()[:2], railway.open_ends()[0][1][:2]) < RAIL_TOLERANCE_MM
        assert not closes_loop(railway)

    @pytest.mark.rule("LAY1")
    @pytest.mark.parametrize("degrees", [-45, -13, 13, 44, 58, 76, 225])
    def test_a_card_far_out_of_line_lies_askew(self, degrees: float) -> None:
        with pytest.raises(IllegalPlacement) as refused:
            match(laid(UP, TURN), RIGHT, Pose(-63, -88, degrees))
        assert (refused.value.clause, refused.value.between) == ("LAY1", (1,))

    @pytest.mark.rule("LAY2")
    def test_rails_that_do_not_meet_are_refused_with_their_distance(self) -> None:
        with pytest.raises(IllegalPlacement) as refused:
            match(laid(UP, TURN), RIGHT, Pose(-63 - 9, -88 - 12, 0))
        assert (refused.value.clause, refused.value.between) == ("LAY2", (1,))
        assert refused.value.details["mm"] == 15

    @pytest.mark.rule("LAY2")
    def test_rails_that_touch_at_an_angle_do_not_meet(self) -> None:
        with pytest.raises(IllegalPlacement) as refused:
            match(laid(UP, TURN), STRAIGHT, Pose(-31.5, -44, 0))
        assert refused.value.clause == "LAY2"

    @pytest.mark.rule("LAY3")
    def test_the_first_card_from_the_rear_that_is_overlapped_is_named(self) -> None:
        up_again = Way(STRAIGHT, 0, Pose(0, -88, 0))
        turn, back = Way(LEFT, 0, Pose(0, -176, 0)), Way(RIGHT, 1, Pose(-63, -176, 0))
        at_the_second = Way(LEFT, 0, Pose(-63, -88, 180))
        railway = laid(UP, up_again, turn, back, at_the_second)
        with pytest.raises(IllegalPlacement) as refused:
            match(railway, STRAIGHT, Pose(12.5, -88, 90))
        assert (refused.value.clause, refused.value.between) == ("LAY3", (1,))

    @pytest.mark.rule("LAY3")
    def test_a_place_is_listed_or_not_however_the_table_is_turned(self) -> None:
        """The last card would reach 5 mm over the first one, as far as bends of 10 mm can bring it."""
        ring = (
            Way(ACROSS, 1, Pose(0, 0, 0)),
            Way(BEND, 1, Pose(-75.5, 10, 90)),
            Way(LEFT, 0, Pose(-163.5, 20, 270)),
            Way(RIGHT, 1, Pose(-163.5, 83, 270)),
            Way(STRAIGHT, 0, Pose(-75.5, 83, 90)),
        )
        listed = Counter(
            way.entry
            for degrees in range(-44, 45)
            for way in placements(
                laid(*(way._replace(pose=turned_around_origin(way.pose, degrees)) for way in ring)), LEFT
            )
        )
        assert set(listed.values()) <= {89}

    @pytest.mark.rule("LAY3")
    @pytest.mark.parametrize(
        ("drift_mm", "gap_mm", "fits"),
        [(0, 0, True), (5.7, 0, True), (6, 0, False), (7.5, 6, True), (7.5, 5, False), (12.5, 7.5, False)],
    )
    def test_a_railway_that_drifts_as_it_curls_back_refuses_only_what_lies_over_a_card(
        self, drift_mm: float, gap_mm: float, fits: bool
    ) -> None:
        """The curl has come nearer to the first card; the last card may lie beside it, its rails a little off."""
        curl = laid(UP, TURN, TURN_BACK._replace(pose=Pose(drift_mm - 63, -88, 0)))
        pose = Pose(drift_mm - 63 - gap_mm, 0, 180)
        if fits:
            assert match(curl, STRAIGHT, pose).entry == 0
        else:
            with pytest.raises(IllegalPlacement) as refused:
                match(curl, STRAIGHT, pose)
            assert (refused.value.clause, refused.value.between) == ("LAY3", (0,))

    @pytest.mark.rule("LAY2")
    @pytest.mark.parametrize("rails", [True, False], ids=["rails", "list"])
    @pytest.mark.parametrize(
        "pose",
        [Pose(math.nan, 0, 0), Pose(0, math.inf, 0), Pose(0, 0, math.nan), Pose(0, 0, -math.inf)],
        ids=str,
    )
    def test_a_place_that_is_no_number_is_refused(self, pose: Pose, rails: bool) -> None:
        game = Game(set_up(load_edition(), DECK, Mode.SOLO, ["Ann"], rails=rails))
        with pytest.raises(RuleError):
            game.do(StartCard(STRAIGHT.id, pose))
        assert game.steps == ()

    @pytest.mark.rule("LAY2")
    @pytest.mark.parametrize(
        "pose",
        [Pose(1e308, -1.7e308), Pose(0, 1e200), Pose(-1e16, 0), Pose(0, -88, 1e308), Pose(0, -88, -3.6e16)],
        ids=str,
    )
    def test_a_place_beyond_any_table_is_refused(self, pose: Pose) -> None:
        """There floats overflow, or are so coarse that a card could lie anywhere."""
        game = Game(set_up(load_edition(), DECK, Mode.SOLO, ["Ann"], rails=True))
        for before in ((), (StartCard(STRAIGHT.id, Pose(0, 0)),)):
            for step in before:
                game.do(step)
            with pytest.raises(RuleError, match="not a place on a table"):
                game.do(StartCard(STRAIGHT.id, pose))
            assert game.steps == before
