"""The odds before a roll, against every way the dice can fall."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.loknroll.rules import load_edition
from companion.games.loknroll.rules.railway.railway import Railway
from companion.games.loknroll.strategy.odds import Odds, odds, wheel_chances
from vision.cards import Face, Kind, standard_deck

DECK = standard_deck("standard-55")
DICE = {"wheels and blanks": load_edition("german").die, "up to two wheels": load_edition("loose_caboose").die}
TRACKS = [face for face in DECK.faces if face.is_track]
BROKEN = [face for face in TRACKS if face.kind is Kind.BROKEN]

MORE_EXAMPLES = settings(max_examples=5 * settings.default.max_examples)


class Fall(NamedTuple):
    """What one fall of the dice costs."""

    wheels: int
    missing: int
    taken: tuple[int, ...]


class Case(NamedTuple):
    """A railway with Emma on it, before a roll."""

    cards: list[Face]
    emma: int
    die: tuple[int, ...]
    dice: int
    pile: list[Face]

    def odds(self) -> Odds:
        return odds(row(self.cards), self.emma, self.die, self.dice, self.pile)


def row(cards: Sequence[Face]) -> Railway:
    railway = Railway()
    for face in cards:
        railway = railway.with_card(face)
    return railway


def driven(cards: Sequence[Face], emma: int, wheels: int) -> Fall:
    """Emma goes card by card; what she costs is taken away behind her."""
    behind, ahead = list(cards[:emma]), list(cards[emma:])
    taken: list[int] = []
    missing = 0
    for _ in range(wheels):
        if len(ahead) == 1:
            missing += 1
            continue
        behind.append(ahead.pop(0))
        if ahead[0].kind is Kind.BROKEN:
            taken.append(behind.pop(0).value)
    taken += [face.value for face in behind[:missing]]
    return Fall(wheels, missing, tuple(taken))


def every_fall(case: Case) -> list[Fall]:
    return [driven(case.cards, case.emma, sum(faces)) for faces in product(case.die, repeat=case.dice)]


def least_growth(pile: Sequence[int], taken: Sequence[int]) -> int:
    """The smallest change of the pile's points over every order; combining wherever it is possible or not at all."""
    results = set()
    for order in set(permutations(taken)):
        results |= growths(tuple(pile), order)
    return min(results) - sum(pile)


def growths(pile: tuple[int, ...], order: tuple[int, ...]) -> set[int]:
    if not order:
        return {sum(pile)}
    value, rest = order[0], order[1:]
    combined = growths(pile[:-1], rest) if pile and pile[-1] == value else set()
    return combined | growths((*pile, value), rest)


def mean(numbers: Sequence[int]) -> Fraction:
    return Fraction(sum(numbers), len(numbers))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    faces = st.sampled_from(TRACKS) | st.sampled_from(BROKEN)
    cards = draw(st.lists(faces, min_size=1, max_size=9))
    return Case(
        cards,
        draw(st.integers(0, len(cards) - 1)),
        draw(st.sampled_from(list(DICE.values()))),
        draw(st.integers(0, 4)),
        draw(st.lists(st.sampled_from(DECK.faces), max_size=4)),
    )


@pytest.mark.rule("MAT3", "ROLL1", "ROLL2")
@pytest.mark.parametrize("die", DICE)
@pytest.mark.parametrize("dice", range(6))
def test_chances_are_those_of_every_fall(die: str, dice: int) -> None:
    falls = Counter(sum(faces) for faces in product(DICE[die], repeat=dice))
    assert wheel_chances(DICE[die], dice) == {
        wheels: Fraction(count, 6**dice) for wheels, count in sorted(falls.items())
    }


@pytest.mark.parametrize("die", DICE)
def test_chances_of_many_dice_sum_to_exactly_1(die: str) -> None:
    chances = wheel_chances(DICE[die], 40)
    assert sum(chances.values()) == 1
    assert list(chances) == list(range(40 * max(DICE[die]) + 1))


@pytest.mark.rule("ROLL1", "ROLL2", "DER1", "BRK1", "PEN1", "PEN2")
@given(cases())
@MORE_EXAMPLES
def test_each_chance_is_what_the_falls_with_so_many_wheels_cost(case: Case) -> None:
    falls = every_fall(case)
    chances = case.odds().chances
    assert [chance.wheels for chance in chances] == sorted({fall.wheels for fall in falls})
    assert sum(chance.chance for chance in chances) == 1
    for chance in chances:
        alike = [fall for fall in falls if fall.wheels == chance.wheels]
        assert chance.chance == Fraction(len(alike), len(falls))
        assert chance.missing == alike[0].missing
        assert (chance.cards, chance.points) == (len(alike[0].taken), sum(alike[0].taken))


@pytest.mark.rule("DER1", "CMB1", "CMB2")
@given(cases())
@MORE_EXAMPLES
def test_expectations_are_means_over_every_fall(case: Case) -> None:
    falls, told = every_fall(case), case.odds()
    pile = [face.value for face in case.pile]
    growth = {taken: least_growth(pile, taken) for taken in {fall.taken for fall in falls}}
    assert told.derailing == mean([fall.missing > 0 for fall in falls])
    assert told.expected_cards == mean([len(fall.taken) for fall in falls])
    assert told.expected_points == mean([sum(fall.taken) for fall in falls])
    assert told.expected_pile_change == mean([growth[fall.taken] for fall in falls])


def one_fall(cards: str, emma: int, wheels: int, pile: str = "") -> tuple[int, int, int, int]:
    """Missing steps, cards, points and growth of the pile for dice that can fall in one way only."""
    railway = [DECK[f"broken-{word[1]}" if word[0] == "b" else f"track-{word}-straight"] for word in cards.split()]
    told = Case(railway, emma, (1,), wheels, [DECK[f"track-{value}-left"] for value in pile]).odds()
    (chance,) = told.chances
    return chance.missing, chance.cards, chance.points, chance.pile_change


@pytest.mark.parametrize(
    ("cards", "emma", "wheels", "expected"),
    [
        pytest.param("4 3 2 1", 0, 3, (0, 0, 0, 0), id="ROLL2 to the front card and no further"),
        pytest.param("4 3 2 1", 2, 3, (2, 2, 7, 7), id="DER1 two steps left"),
        pytest.param("4 b3 2 1", 0, 1, (0, 1, 4, 4), id="BRK1 stopped on it"),
        pytest.param("4 b3 2 1", 0, 3, (0, 1, 4, 4), id="BRK1 ran over it"),
        pytest.param("4 b3 2 1", 1, 1, (0, 0, 0, 0), id="BRK2 sets off from it"),
        pytest.param("4 b3 b2 1", 0, 2, (0, 2, 7, 7), id="BRK1 one card each"),
        pytest.param("4 3 2 b1", 2, 2, (1, 2, 7, 7), id="BRK1 and DER1"),
        pytest.param("4 3 2 1", 3, 9, (9, 3, 9, 9), id="PEN2 the rest is waived"),
        pytest.param("4", 0, 4, (4, 0, 0, 0), id="PEN2 alone on her card"),
    ],
)
def test_what_a_fall_costs(cards: str, emma: int, wheels: int, expected: tuple[int, int, int, int]) -> None:
    assert one_fall(cards, emma, wheels) == expected


@pytest.mark.rule("CMB1")
@pytest.mark.parametrize(("pile", "growth"), [("", 7), ("4", -1), ("34", -7), ("43", -7), ("2", 7)])
def test_pile_shrinks_where_penalty_cards_combine(pile: str, growth: int) -> None:
    assert one_fall("4 3 2 1", 2, 3, pile)[3] == growth


@pytest.mark.parametrize("die", DICE)
def test_without_dice_nothing_happens(die: str) -> None:
    told = odds(row(TRACKS[:3]), 1, DICE[die], 0)
    assert [(chance.wheels, chance.chance, chance.cards) for chance in told.chances] == [(0, 1, 0)]
    assert told.derailing == told.expected_cards == told.expected_pile_change == 0
