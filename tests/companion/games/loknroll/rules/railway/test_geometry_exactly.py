"""Where cards can lie, against exact polygons, also of decks that nobody has drawn."""

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import affinity, box
from shapely.geometry.base import BaseGeometry

from companion.games.loknroll.rules import IllegalPlacement
from companion.games.loknroll.rules.railway.geometry import (
    MEASURE_TOLERANCE_MM,
    OVERLAP_TOLERANCE_MM,
    RAIL_TOLERANCE_MM,
    Placement,
    closes_loop,
    is_dead_end,
    match,
    placements,
)
from tests.companion.games.loknroll.rules.railway.laid_railways import (
    BEND,
    LEFT,
    RIGHT,
    SHAPES,
    Point,
    first_card,
    on_table,
    poses_agree,
)
from vision.cards import CARD_MM, Deck, Edge, Face, Kind, Port, Pose

MORE_EXAMPLES = settings(max_examples=10 * settings.default.max_examples)


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
