"""The best order of putting penalty cards down, against every order and every choice of combining."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.loknroll.rules import Player
from companion.games.loknroll.rules.piles import put_down
from companion.games.loknroll.strategy.best_order import BestOrder, best_order
from vision.cards import Face, Kind, standard_deck

Values = tuple[int, ...]
Merit = tuple[int, int, int, int]

DECK = standard_deck("standard-55")
OF_VALUE = {value: [face for face in DECK.faces if face.value == value] for value in range(1, 5)}

VALUES = st.integers(1, 4)
COMING = st.dictionaries(VALUES, st.integers(0, 12))


def faces(values: Sequence[int]) -> list[Face]:
    """Cards of these values, of all kinds in turn."""
    return [OF_VALUE[value][number % len(OF_VALUE[value])] for number, value in enumerate(values)]


@cache
def piles_left(pile: Values, taken: Values) -> frozenset[Values]:
    """Every pile that can be left by putting these down in any order, combining or not where it is possible."""
    if not taken:
        return frozenset({pile})
    return frozenset(left for following, rest in one_put(pile, taken) for left in piles_left(following, rest))


def one_put(pile: Values, taken: Values) -> Iterator[tuple[Values, Values]]:
    for value in set(taken):
        index = taken.index(value)
        rest = taken[:index] + taken[index + 1 :]
        yield (*pile, value), rest
        if pile and pile[-1] == value:
            yield pile[:-1], rest


def merit(pile: Values, coming: dict[int, int]) -> Merit:
    """Smaller is better: points, cards, then a top of which many may come, then a high one."""
    top = pile[-1] if pile else 0
    return sum(pile), len(pile), -coming.get(top, 0), -top


def played(pile: Sequence[Face], best: BestOrder) -> Values:
    """The pile after the puttings were done by the rules."""
    player = Player(pile=tuple(pile))
    for putting in best.puttings:
        player, _ = put_down(player, putting.face, combine=putting.combine)
    return tuple(face.value for face in player.pile)


@pytest.mark.rule("PEN3", "CMB1", "CMB2", "CMB3")
@given(st.lists(VALUES, max_size=10), st.lists(VALUES, max_size=7), COMING)
@settings(max_examples=20 * settings.default.max_examples)
def test_no_order_and_no_combining_is_better(pile: list[int], taken: list[int], coming: dict[int, int]) -> None:
    best = best_order(faces(pile), faces(taken), coming)
    left = played(faces(pile), best)
    assert merit(left, coming) == min(merit(other, coming) for other in piles_left(tuple(pile), tuple(sorted(taken))))
    assert (best.points, best.cards, best.top) == (sum(left), len(left), left[-1] if left else None)


@given(st.lists(VALUES, max_size=10), st.lists(VALUES, max_size=12), COMING)
@settings(max_examples=20 * settings.default.max_examples)
def test_exactly_the_cards_taken_are_put_down(pile: list[int], taken: list[int], coming: dict[int, int]) -> None:
    best = best_order(faces(pile), faces(taken), coming)
    assert Counter(putting.face for putting in best.puttings) == Counter(faces(taken))
    untouched = max(0, len(pile) - len(taken))
    assert played(faces(pile), best)[:untouched] == tuple(pile[:untouched])


@pytest.mark.rule("CMB1", "CMB2", "PEN3")
@pytest.mark.parametrize(
    ("pile", "taken", "left"),
    [
        ("", "", ""),
        ("", "3", "3"),
        ("3", "3", ""),
        ("23", "32", ""),  # one after the other, from the top downwards
        ("23", "2", "232"),  # the 2 below is out of reach
        ("", "44", ""),  # with a card put down in the same turn
        ("1", "141", "14"),  # whichever way, one 1 and the 4 are left
        ("4", "144", "14"),
        ("21", "1223", "23"),
        ("1", "11", "1"),  # a card combines once
        ("", "4444", ""),
        ("1234", "4321", ""),
    ],
)
def test_pile_that_is_left(pile: str, taken: str, left: str) -> None:
    cards = faces([int(value) for value in pile])
    best = best_order(cards, faces([int(value) for value in taken]))
    assert "".join(map(str, played(cards, best))) == left


@pytest.mark.parametrize(
    ("coming", "top"),
    [({}, 4), ({1: 3, 4: 2}, 1), ({1: 2, 4: 2}, 4), ({2: 9, 1: 1}, 1)],
    ids=["the highest", "the one that may come most", "the highest of these", "not one that is not there"],
)
def test_top_card_is_the_most_useful(coming: dict[int, int], top: int) -> None:
    assert best_order([], faces([1, 3, 4]), coming).top == top


def test_chaos_combines_with_track_of_its_value() -> None:
    best = best_order([DECK["track-4-left"]], [DECK["chaos-4"]])
    assert DECK["chaos-4"].kind is Kind.CHAOS
    assert (best.points, best.puttings[0].combine) == (0, True)
