"""Where cards can lie, against hand-computed places, exact polygons, and railways counted in whole half-millimetres."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import affinity, box
from shapely.geometry.base import BaseGeometry

from companion.loknroll import Game, IllegalPlacement, Mode, RuleError, StartCard, load_edition, set_up
from companion.loknroll.building import legal_placements
from companion.loknroll.geometry import (
    MEASURE_TOLERANCE_MM,
    OVERLAP_TOLERANCE_MM,
    RAIL_TOLERANCE_MM,
    Placement,
    closes_loop,
    is_dead_end,
    match,
    placements,
)
from companion.loknroll.railway import Railway
from vision.cards import CARD_MM, Deck, Edge, Face, Kind, Port, Pose, standard_deck

DECK = standard_deck("standard-55")
STRAIGHT, LEFT, RIGHT, ACROSS = SHAPES = tuple(
    DECK[f"track-1-{shape}"] for shape in ("straight", "left", "right", "across")
)
BEND = Face("bend", 1, Kind.TRACK, 1, (Port(Edge.S, 10), Port(Edge.N, -10)))

Point = tuple[float, float]

MORE_EXAMPLES = settings(max_examples=10 * settings.default.max_examples)


class Way(NamedTuple):
    """A card of a railway as the tests write it: by which port it is entered, and where it lies."""

    face: Face
    entry: int
    pose: Pose


def first_card(face: Face, pose: Pose = Pose(0, 0, 0)) -> Railway:  # noqa: B008 (poses never change)
    square = 90 * round(pose.rotation_deg / 90)
    return Railway(angle_deg=pose.rotation_deg - square).with_card(face, pose)


def laid(first: Way, *more: Way) -> Railway:
    """A railway that is entered by the first card's ``entry``."""
    railway = first_card(first.face, first.pose)
    for way in more:
        railway = railway.with_card(way.face, way.pose, way.entry, 1 - first.entry)
    return railway


def poses(ways: Sequence[Placement]) -> set[tuple[float, float, float]]:
    return {(way.pose.x_mm, way.pose.y_mm, way.pose.rotation_deg) for way in ways}


def on_table(point: Point, pose: Pose) -> Point:
    """Where a point of a card lies, turned clockwise with it (y points downwards)."""
    angle = math.radians(pose.rotation_deg)
    (x, y), cosine, sine = point, math.cos(angle), math.sin(angle)
    return pose.x_mm + cosine * x - sine * y, pose.y_mm + sine * x + cosine * y


def turned_around_origin(pose: Pose, degrees: float) -> Pose:
    x, y = on_table((pose.x_mm, pose.y_mm), Pose(0, 0, degrees))
    return Pose(x, y, pose.rotation_deg + degrees)


def poses_agree(one: Pose, other: Pose) -> bool:
    turn = (one.rotation_deg - other.rotation_deg + 180) % 360 - 180
    return math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) < 0.05 and abs(turn) < 0.05


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


class Candidate(NamedTuple):
    """A card that touches an open rail end with one of its ports; ``runs_on`` if its rails look straight into it."""

    face: Face
    exit_port: int
    entry: int
    quarter_turn: int
    pose: Pose
    runs_on: bool


class Judge:
    """Builds a railway and knows its cards only as polygons, its rail ends as points with directions in degrees."""

    def __init__(self, face: Face, pose: Pose) -> None:
        self.faces = [face]
        self.poses = [pose]
        self.entries: list[int | None] = [None]
        self.railway = first_card(face, pose)

    def lay(self, way: Candidate) -> None:
        if self.entries == [None]:
            self.entries = [1 - way.exit_port]
        self.faces.append(way.face)
        self.poses.append(way.pose)
        self.entries.append(way.entry)
        self.railway = self.railway.with_card(way.face, way.pose, way.entry, way.exit_port)

    def candidates(self, face: Face) -> Iterator[Candidate]:
        """Each port in each quarter turn at each open rail end."""
        front, exits = self.faces[-1], (0, 1) if self.entries[-1] is None else (1 - self.entries[-1],)
        for exit_port, entry, quarter_turn in product(exits, (0, 1), range(4)):
            end = on_table(point_of(front, exit_port), self.poses[-1])
            turn = self.railway.angle_deg + 90 * quarter_turn
            x, y = on_table(point_of(face, entry), Pose(0, 0, turn))
            pose = Pose(end[0] - x, end[1] - y, turn)
            runs_on = opposite(direction_of(front, exit_port, self.poses[-1]), direction_of(face, entry, pose))
            yield Candidate(face, exit_port, entry, quarter_turn, pose, runs_on)

    def overlapped(self, face: Face, pose: Pose, tolerance_mm: float = OVERLAP_TOLERANCE_MM) -> int | None:
        """The first card from the rear that is covered deeper than hands are off; gives up where that is too close."""
        polygons = [polygon(other, place) for other, place in zip(self.faces, self.poses, strict=True)]
        found = []
        for trimmed in (tolerance_mm - 0.01, tolerance_mm + 0.01):
            card = polygon(face, pose, trimmed)
            found.append(next((number for number, other in enumerate(polygons) if covers_some(card, other)), None))
        assume(found[0] == found[1])
        return found[0]

    def legal(self, face: Face) -> list[Candidate]:
        return [way for way in self.candidates(face) if way.runs_on and self.overlapped(face, way.pose) is None]

    def closes_loop(self) -> bool:
        first, last = self.entries[0], self.entries[-1]
        if first is None or last is None:
            return False
        start, end = (self.faces[0], first, self.poses[0]), (self.faces[-1], 1 - last, self.poses[-1])
        gap = math.dist(*(on_table(point_of(face, port), pose) for face, port, pose in (start, end)))
        assume(abs(gap - RAIL_TOLERANCE_MM) > 0.01)
        return gap < RAIL_TOLERANCE_MM and opposite(direction_of(*start), direction_of(*end))


def point_of(face: Face, port: int) -> Point:
    edge, offset = face.ports[port].edge, face.ports[port].offset_mm
    right, down = face.size_mm[0] / 2, face.size_mm[1] / 2
    return {Edge.N: (offset, -down), Edge.S: (offset, down), Edge.E: (right, offset), Edge.W: (-right, offset)}[edge]


def direction_of(face: Face, port: int, pose: Pose) -> float:
    return {Edge.N: 0, Edge.E: 90, Edge.S: 180, Edge.W: 270}[face.ports[port].edge] + pose.rotation_deg


def opposite(one: float, other: float) -> bool:
    return abs((one - other) % 360 - 180) < 0.01


def polygon(face: Face, pose: Pose, trimmed: float = 0) -> BaseGeometry:
    """What a card covers, on each side less the part that is trimmed off."""
    right, down = face.size_mm[0] / 2 - trimmed, face.size_mm[1] / 2 - trimmed
    card = affinity.rotate(box(-right, -down, right, down), pose.rotation_deg, origin=(0, 0))
    return affinity.translate(card, pose.x_mm, pose.y_mm)


def covers_some(one: BaseGeometry, other: BaseGeometry) -> bool:
    return bool(one.intersects(other)) and one.intersection(other).area > 1e-6


def keys(ways: Iterable[Candidate | Placement]) -> set[tuple[int, int, int]]:
    return {(way.exit_port, way.entry, way.quarter_turn) for way in ways}


@st.composite
def own_faces(draw: st.DrawFn) -> list[Face]:
    """Faces of a deck that nobody has drawn, all of one size."""
    size = draw(st.sampled_from([CARD_MM, (57.0, 87.0), (70.0, 70.0), (88.0, 63.0), (44.0, 68.0)]))
    edges = st.permutations(list(Edge)).map(lambda mixed: mixed[:2])
    ports = [
        tuple(Port(edge, draw(st.integers(-12, 12))) for edge in draw(edges)) for _ in range(draw(st.integers(1, 3)))
    ]
    return [Face(str(number), 1, Kind.TRACK, 1, pair, size_mm=size) for number, pair in enumerate(ports)]


FACES = st.sampled_from([[*SHAPES], [LEFT, RIGHT], [*SHAPES, BEND]]) | own_faces()
ANGLES = st.just(0.0) | st.floats(-180, 180)
FIRST_POSES = st.builds(Pose, st.floats(-500, 500), st.floats(-500, 500), ANGLES)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Judge, list[Face]]:
    """A railway of up to 12 cards, and the faces that it is made of."""
    faces = draw(FACES)
    judge = Judge(draw(st.sampled_from(faces)), draw(FIRST_POSES))
    for face in draw(st.lists(st.sampled_from(faces), max_size=11)):
        if ways := judge.legal(face):
            judge.lay(draw(st.sampled_from(ways)))
    return judge, faces


@st.composite
def hands(draw: st.DrawFn) -> Callable[[Pose], Pose]:
    """How a hand is off: up to 2.5 mm and 3 degrees."""
    x, y, turn = draw(st.floats(-2.5, 2.5)), draw(st.floats(-2.5, 2.5)), draw(st.floats(-3, 3))
    return lambda pose: Pose(pose.x_mm + x, pose.y_mm + y, pose.rotation_deg + turn)


class TestAgainstExactPolygons:
    @pytest.mark.rule("LAY1", "LAY2", "LAY3")
    @given(tables())
    @MORE_EXAMPLES
    def test_listed_is_what_joins_rails_and_overlaps_nothing(self, table: tuple[Judge, list[Face]]) -> None:
        judge, faces = table
        for face in faces:
            legal = {keys([way]).pop(): way.pose for way in judge.legal(face)}
            listed = {keys([way]).pop(): way.pose for way in placements(judge.railway, face)}
            assert listed.keys() == legal.keys()
            assert all(poses_agree(listed[key], legal[key]) for key in legal)

    @pytest.mark.rule("LAY1", "LAY2", "LAY3")
    @given(tables(), st.lists(hands(), min_size=3, max_size=3))
    @MORE_EXAMPLES
    def test_listed_is_accepted_also_as_hands_lay_it(
        self, table: tuple[Judge, list[Face]], hands: list[Callable[[Pose], Pose]]
    ) -> None:
        judge, faces = table
        for way, hand in product([way for face in faces for way in judge.legal(face)], [lambda pose: pose, *hands]):
            meant = match(judge.railway, way.face, hand(way.pose))
            assert keys([meant]) == keys([way])
            assert poses_agree(meant.pose, way.pose)

    @pytest.mark.rule("LAY2", "LAY3")
    @given(tables())
    @MORE_EXAMPLES
    def test_not_listed_is_refused_with_the_cards_it_does_not_go_with(self, table: tuple[Judge, list[Face]]) -> None:
        judge, faces = table
        for face in faces:
            legal = keys(judge.legal(face))
            for way in judge.candidates(face):
                if keys([way]) <= legal:
                    continue
                covered = judge.overlapped(face, way.pose, OVERLAP_TOLERANCE_MM + MEASURE_TOLERANCE_MM)
                if way.runs_on and covered is None:
                    match(judge.railway, face, way.pose)
                    continue
                with pytest.raises(IllegalPlacement) as refused:
                    match(judge.railway, face, way.pose)
                front = len(judge.railway) - 1
                expected = ("LAY3", (covered,)) if way.runs_on else ("LAY2", (front,))
                assert (refused.value.clause, refused.value.between) == expected

    @pytest.mark.rule("LAY1", "LAY2")
    @given(tables(), st.floats(13, 77), st.floats(0, 360), st.floats(9, 15))
    @MORE_EXAMPLES
    def test_listed_is_refused_askew_or_apart(
        self, table: tuple[Judge, list[Face]], askew: float, direction: float, apart: float
    ) -> None:
        judge, faces = table
        x, y = on_table((apart, 0), Pose(0, 0, direction))
        for way in [way for face in faces for way in judge.legal(face)]:
            pose = way.pose
            for clause, wrong in [
                ("LAY1", Pose(pose.x_mm, pose.y_mm, pose.rotation_deg + askew)),
                ("LAY2", Pose(pose.x_mm + x, pose.y_mm + y, pose.rotation_deg)),
            ]:
                with pytest.raises(IllegalPlacement) as refused:
                    match(judge.railway, way.face, wrong)
                assert (refused.value.clause, refused.value.between) == (clause, (len(judge.railway) - 1,))

    @pytest.mark.rule("LAY5")
    @given(tables())
    @MORE_EXAMPLES
    def test_dead_end_is_where_no_face_of_the_deck_fits(self, table: tuple[Judge, list[Face]]) -> None:
        judge, faces = table
        assert is_dead_end(judge.railway, Deck("own", tuple(faces)).passages) is not any(map(judge.legal, faces))

    @pytest.mark.rule("LAY5")
    @given(tables())
    @MORE_EXAMPLES
    def test_loop_is_closed_where_front_rails_run_into_the_start(self, table: tuple[Judge, list[Face]]) -> None:
        judge, _ = table
        assert closes_loop(judge.railway) is judge.closes_loop()

    @pytest.mark.rule("LAY5")
    @given(FIRST_POSES, st.integers(0, 4))
    def test_a_ring_is_closed_wherever_it_lies(self, place: Pose, cards: int) -> None:
        judge = Judge(LEFT, place)
        for face, exit_port, entry in [(RIGHT, 1, 1), (LEFT, 0, 0), (RIGHT, 1, 1)][:cards]:
            judge.lay(next(way for way in judge.legal(face) if (way.exit_port, way.entry) == (exit_port, entry)))
        assert closes_loop(judge.railway) is judge.closes_loop() is (cards >= 3)

    @pytest.mark.rule("PEN1", "LAY3")
    @given(tables(), st.integers(0, 11))
    @MORE_EXAMPLES
    def test_cards_taken_from_the_rear_are_no_longer_in_the_way(
        self, table: tuple[Judge, list[Face]], taken: int
    ) -> None:
        judge, faces = table
        assume(taken < len(judge.faces))
        railway = judge.railway.without_rear(taken)
        for cards in (judge.faces, judge.poses, judge.entries):
            del cards[:taken]
        for face in faces:
            assert keys(placements(railway, face)) == keys(judge.legal(face))


@pytest.mark.rule("LAY1", "LAY2")
@given(st.data(), FACES, FIRST_POSES)
@MORE_EXAMPLES
def test_a_railway_laid_by_hand_is_understood_card_by_card(data: st.DataObject, faces: list[Face], place: Pose) -> None:
    railway = first_card(data.draw(st.sampled_from(faces)), place)
    for face, hand in data.draw(st.lists(st.tuples(st.sampled_from(faces), hands()), max_size=12)):
        if not (ways := placements(railway, face)):
            continue
        meant = data.draw(st.sampled_from(ways))
        pose = hand(meant.pose)
        assert match(railway, face, pose) == meant
        railway = railway.with_card(face, pose, meant.entry, meant.exit_port)
        assert (railway.front.entry, railway.front.quarter_turn) == (meant.entry, meant.quarter_turn)


# Golden numbers: how many different railways of so many cards there are from a first card, how many of them close
# a loop, and after how many nothing fits.

HALVES = 2
QUARTER_TURNS = (1, 1j, -1, -1j)
OUT = {Edge.N: -1j, Edge.E: 1, Edge.S: 1j, Edge.W: -1}


class Half(NamedTuple):
    """A card in whole half-millimetres: complex numbers, x to the right, y downwards."""

    face: Face
    centre: complex
    turn: complex
    out_port: int


def half_port(face: Face, port: int) -> tuple[complex, complex]:
    """Where a port lies from the centre of the upright card, and where its rails look."""
    edge, offset = face.ports[port].edge, face.ports[port].offset_mm
    out, (width, height) = OUT[edge], face.size_mm
    along = 1 if edge in {Edge.N, Edge.S} else 1j
    return out * (width if out.real else height) + HALVES * offset * along, out


def half_sides(card: Half) -> tuple[float, float]:
    width, height = card.face.size_mm
    return (width, height) if card.turn.real else (height, width)


def lie_over_each_other(one: Half, other: Half) -> bool:
    apart = one.centre - other.centre
    (width, height), (other_width, other_height) = half_sides(one), half_sides(other)
    return abs(apart.real) < width + other_width and abs(apart.imag) < height + other_height


def goes_on(cards: tuple[Half, ...], faces: Sequence[Face]) -> Iterator[Half]:
    """Every card that can follow, in exact numbers."""
    front = cards[-1]
    end, ahead = (front.turn * part for part in half_port(front.face, front.out_port))
    for face, port, turn in product(faces, (0, 1), QUARTER_TURNS):
        point, out = (turn * part for part in half_port(face, port))
        card = Half(face, front.centre + end - point, turn, 1 - port)
        if out == -ahead and not any(lie_over_each_other(card, other) for other in cards):
            yield card


def runs_into_its_start(cards: tuple[Half, ...]) -> bool:
    (start, start_out), (end, end_out) = (
        (card.centre + card.turn * point, card.turn * out)
        for card, (point, out) in [
            (cards[0], half_port(cards[0].face, 1 - cards[0].out_port)),
            (cards[-1], half_port(cards[-1].face, cards[-1].out_port)),
        ]
    )
    return start == end and start_out == -end_out


Counts = tuple[int, int, int]


def counted_exactly(first: Face, length: int) -> Counts:
    railways = [(Half(first, 0, 1, port),) for port in (0, 1)]
    for _ in range(length - 1):
        railways = [(*cards, card) for cards in railways for card in goes_on(cards, SHAPES)]
    assert len({tuple(card[:3] for card in cards) for cards in railways}) == len(railways)
    loops = sum(runs_into_its_start(cards) for cards in railways)
    dead_ends = sum(next(goes_on(cards, SHAPES), None) is None for cards in railways)
    return len(railways), loops, dead_ends


def counted_by_the_engine(first: Face, length: int) -> Counts:
    railways = [first_card(first)]
    for _ in range(length - 1):
        railways = [
            railway.with_card(face, way.pose, way.entry, way.exit_port)
            for railway in railways
            for face in SHAPES
            for way in placements(railway, face)
        ]
    loops = sum(closes_loop(railway) for railway in railways)
    dead_ends = sum(is_dead_end(railway, DECK.passages) for railway in railways)
    return len(railways), loops, dead_ends


GOLDEN: dict[tuple[str, int], Counts] = {
    # first card, cards: railways, of these closed to a loop, of these dead ends
    ("straight", 2): (16, 0, 0),
    ("straight", 3): (128, 0, 0),
    ("straight", 4): (1008, 0, 40),
    ("straight", 5): (7600, 0, 300),
    ("straight", 6): (57056, 40, 2724),
    ("left", 2): (16, 0, 0),
    ("left", 3): (128, 0, 2),
    ("left", 4): (984, 4, 34),
    ("left", 5): (7456, 0, 296),
    ("left", 6): (55856, 56, 2588),
    ("across", 2): (16, 0, 0),
    ("across", 3): (128, 0, 4),
    ("across", 4): (960, 0, 28),
    ("across", 5): (7312, 0, 292),
    ("across", 6): (54656, 16, 2452),
}


def initial_railways(edition: str, length: int) -> int:
    """How many initial railways the game allows with all faces of the deck, from a straight 1 on."""
    game = Game(set_up(load_edition(edition), DECK, Mode.SOLO, ["Ann"]))
    game.do(StartCard(STRAIGHT.id, Pose(0, 0)))
    return railways_onwards(game, length - 1)


def railways_onwards(game: Game, more: int) -> int:
    if not more:
        return 1
    count, unseen = 0, game.state.unseen()
    for face in DECK.faces:
        for way in legal_placements(game.state, face) if unseen[face.id] else ():
            game.do(StartCard(face.id, way.pose))
            count += railways_onwards(game, more - 1)
            game.take_back()
    return count


def initial_railways_exactly(length: int, *, difference_rule: bool) -> int:
    railways = [(Half(STRAIGHT, 0, 1, port),) for port in (0, 1)]
    tracks = [face for face in DECK.faces if face.kind is not Kind.CHAOS]
    for _ in range(length - 1):
        railways = [
            (*cards, card)
            for cards in railways
            for card in goes_on(cards, tracks)
            if sum(card.face == other.face for other in cards) < card.face.count
            and not (difference_rule and abs(card.face.value - cards[-1].face.value) == 2)
        ]
    return len(railways)


INITIAL = {
    # edition, cards: initial railways; the Spanish one keeps the difference rule (SET4)
    ("german", 2): 80,
    ("german", 3): 3152,
    ("spanish", 2): 60,
    ("spanish", 3): 1768,
    ("spanish", 4): 50318,
}


@pytest.mark.rule("LAY2", "LAY3", "LAY5")
class TestGoldenNumbers:
    @pytest.mark.parametrize(("shape", "length"), GOLDEN)
    def test_the_engine_finds_every_railway(self, shape: str, length: int) -> None:
        assert counted_by_the_engine(DECK[f"track-1-{shape}"], length) == GOLDEN[shape, length]

    @pytest.mark.parametrize(("shape", "length"), [key for key in GOLDEN if key[1] < 6])
    def test_exact_numbers_find_every_railway(self, shape: str, length: int) -> None:
        assert counted_exactly(DECK[f"track-1-{shape}"], length) == GOLDEN[shape, length]

    @pytest.mark.rule("SET2", "SET4", "LAY4")
    @pytest.mark.parametrize(("edition", "length"), INITIAL)
    def test_the_game_allows_every_initial_railway(self, edition: str, length: int) -> None:
        assert initial_railways(edition, length) == INITIAL[edition, length]

    @pytest.mark.rule("SET2", "SET4", "LAY4")
    @pytest.mark.parametrize(("edition", "length"), INITIAL)
    def test_exact_numbers_find_every_initial_railway(self, edition: str, length: int) -> None:
        difference_rule = edition == "spanish"
        assert initial_railways_exactly(length, difference_rule=difference_rule) == INITIAL[edition, length]
