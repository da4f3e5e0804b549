import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cards import CARD_MM, Edge, Face, Kind, Passage, Port

Point = tuple[float, float]

HALF_WIDTH, HALF_HEIGHT = 31.5, 44.0
UP, RIGHT, DOWN, LEFT = (0, -1), (1, 0), (0, 1), (-1, 0)
DIRECTIONS = (UP, RIGHT, DOWN, LEFT)
OUTWARDS = {Edge.N: UP, Edge.E: RIGHT, Edge.S: DOWN, Edge.W: LEFT}


def track(*ports: Port, kind: Kind = Kind.TRACK, size_mm: Point = CARD_MM) -> Face:
    return Face("a", 1, kind, 1, ports, size_mm=size_mm)


STRAIGHT = track(Port(Edge.S), Port(Edge.N))
ACROSS = track(Port(Edge.W), Port(Edge.E))
LEFT_CURVE = track(Port(Edge.S), Port(Edge.W))
RIGHT_CURVE = track(Port(Edge.S), Port(Edge.E))
BEND = track(Port(Edge.S, 10), Port(Edge.N, -10))


@st.composite
def faces(draw: st.DrawFn) -> Face:
    size = draw(st.sampled_from([CARD_MM, (57.0, 87.0), (70.0, 70.0), (88.0, 63.0)]))
    ports = st.builds(Port, st.sampled_from(Edge), st.floats(-25, 25))
    return track(*draw(st.lists(ports, min_size=2, max_size=2, unique=True)), size_mm=size)


@pytest.mark.parametrize(("edge", "quarter_turns"), [("N", 0), ("E", 1), ("S", 2), ("W", 3)])
def test_edge_heads_clockwise_from_the_top(edge: str, quarter_turns: int) -> None:
    assert Edge(edge).heading == quarter_turns


@pytest.mark.rule("MAT2")
@pytest.mark.parametrize(("kind", "is_track"), [(Kind.TRACK, True), (Kind.BROKEN, True), (Kind.CHAOS, False)])
def test_broken_track_is_track_and_chaos_is_not(kind: Kind, is_track: bool) -> None:
    assert track(kind=kind).is_track is is_track


def test_rails_are_known_only_with_both_ends() -> None:
    assert STRAIGHT.has_rails
    assert not track().has_rails
    assert track().passages == ()


def test_offset_counts_to_the_right_on_n_and_s_and_downwards_on_e_and_w() -> None:
    top_and_bottom = track(Port(Edge.N, 7), Port(Edge.S, -5))
    sides = track(Port(Edge.E, 7), Port(Edge.W, -5))
    assert [turned[0] for turned in top_and_bottom.port_offsets] == [(7, -HALF_HEIGHT), (-5, HALF_HEIGHT)]
    assert [turned[0] for turned in sides.port_offsets] == [(HALF_WIDTH, 7), (-HALF_WIDTH, -5)]


def test_ports_turn_clockwise_with_the_card() -> None:
    assert BEND.port_offsets[0] == ((10, 44), (-44, 10), (-10, -44), (44, -10))
    assert BEND.port_offsets[1] == ((-10, -44), (44, -10), (10, 44), (-44, 10))


PASSAGES = {
    # face, entry: forward, right, half_length, half_width, exit_forward, exit_right, turn
    "straight": (STRAIGHT, 0, Passage(44, 0, 44, 31.5, 88, 0, 0)),
    "straight, the other way": (STRAIGHT, 1, Passage(44, 0, 44, 31.5, 88, 0, 0)),
    "across": (ACROSS, 0, Passage(31.5, 0, 31.5, 44, 63, 0, 0)),
    "left curve turns left": (LEFT_CURVE, 0, Passage(44, 0, 44, 31.5, 44, -31.5, 3)),
    "left curve from its side turns right": (LEFT_CURVE, 1, Passage(31.5, 0, 31.5, 44, 31.5, 44, 1)),
    "right curve turns right": (RIGHT_CURVE, 0, Passage(44, 0, 44, 31.5, 44, 31.5, 1)),
    "right curve from its side turns left": (RIGHT_CURVE, 1, Passage(31.5, 0, 31.5, 44, 31.5, -44, 3)),
    "bend shifts the track by 20 mm": (BEND, 0, Passage(44, -10, 44, 31.5, 88, -20, 0)),
    "bend shifts it alike the other way": (BEND, 1, Passage(44, -10, 44, 31.5, 88, -20, 0)),
}


@pytest.mark.parametrize("case", PASSAGES)
def test_passage_is_seen_by_who_enters_the_card(case: str) -> None:
    face, entry, passage = PASSAGES[case]
    assert face.passages[entry] == passage


def point_on_edge(face: Face, port: Port) -> Point:
    across, along = face.size_mm[0] / 2, face.size_mm[1] / 2
    points = {
        Edge.N: (port.offset_mm, -along),
        Edge.S: (port.offset_mm, along),
        Edge.E: (across, port.offset_mm),
        Edge.W: (-across, port.offset_mm),
    }
    return points[port.edge]


@given(faces(), st.sampled_from([0, 1]))
@settings(max_examples=10 * settings.default.max_examples)
def test_passage_leads_over_the_centre_to_the_other_port(face: Face, entry: int) -> None:
    passage, into, out = face.passages[entry], face.ports[entry], face.ports[1 - entry]
    inwards = (DIRECTIONS.index(OUTWARDS[into.edge]) + 2) % 4
    (ahead_x, ahead_y), (right_x, right_y) = DIRECTIONS[inwards], DIRECTIONS[(inwards + 1) % 4]

    def on_card(forward: float, right: float) -> Point:
        x, y = point_on_edge(face, into)
        return x + forward * ahead_x + right * right_x, y + forward * ahead_y + right * right_y

    assert on_card(passage.forward, passage.right) == pytest.approx((0, 0), abs=1e-9)
    assert on_card(passage.exit_forward, passage.exit_right) == pytest.approx(point_on_edge(face, out), abs=1e-9)
    assert DIRECTIONS[(inwards + passage.turn) % 4] == OUTWARDS[out.edge]
    sides = (2 * passage.half_width, 2 * passage.half_length)
    assert sides == (face.size_mm if into.edge in {Edge.N, Edge.S} else face.size_mm[::-1])
