"""Golden numbers: every railway from a first card on, counted by the engine and in whole half-millimetres."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import pytest

from companion.games.loknroll.rules import Game, Mode, StartCard, load_edition, set_up
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import (
    closes_loop,
    is_dead_end,
    placements,
)
from tests.companion.games.loknroll.rules.railway.laid_railways import DECK, SHAPES, STRAIGHT, first_card
from vision.cards import Edge, Face, Kind, Pose

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


MANY = {("straight", 6), ("across", 6)}
"""What takes long, and is shown as well by the railways that begin with a bend."""

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
    @pytest.mark.parametrize(
        ("shape", "length"), [pytest.param(*key, marks=[pytest.mark.further] * (key in MANY)) for key in GOLDEN]
    )
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
