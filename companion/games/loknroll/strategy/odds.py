"""What the dice hold: exact chances before a roll (ROLL1, ROLL2, DER1, BRK1)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from companion.games.loknroll.rules.railway.emma import drive
from companion.games.loknroll.rules.railway.railway import Railway
from companion.games.loknroll.rules.state import total
from companion.games.loknroll.strategy.best_order import best_order
from vision.cards import Face


class Chance(msgspec.Struct, frozen=True):
    """One number of wheels: how likely it is, and what it would cost.

    ``points`` are the values of the cards taken, ``pile_change`` by how much the discard pile grows in points if they
    are put down in the best order; below 0 where combining makes it smaller.
    """

    wheels: int
    chance: Fraction
    missing: int
    cards: int
    points: int
    pile_change: int


class Odds(msgspec.Struct, frozen=True):
    """All outcomes of a roll, from the fewest wheels to the most."""

    chances: tuple[Chance, ...]

    @property
    def derailing(self) -> Fraction:
        """The chance that Emma derails."""
        return sum((chance.chance for chance in self.chances if chance.missing), Fraction(0))

    @property
    def expected_cards(self) -> Fraction:
        """How many penalty cards are taken on average, those for broken tracks included."""
        return sum((chance.chance * chance.cards for chance in self.chances), Fraction(0))

    @property
    def expected_points(self) -> Fraction:
        """What the penalty cards taken are worth on average."""
        return sum((chance.chance * chance.points for chance in self.chances), Fraction(0))

    @property
    def expected_pile_change(self) -> Fraction:
        """By how many points the discard pile grows on average, each time with the best order of combining."""
        return sum((chance.chance * chance.pile_change for chance in self.chances), Fraction(0))


def wheel_chances(die: Sequence[int], dice: int) -> dict[int, Fraction]:
    """The exact chance of each number of wheels on this many dice; a die is the wheels on each of its faces."""
    ways = Counter({0: 1})
    for _ in range(dice):
        following: Counter[int] = Counter()
        for wheels, count in ways.items():
            for face in die:
                following[wheels + face] += count
        ways = following
    return {wheels: Fraction(count, len(die) ** dice) for wheels, count in sorted(ways.items())}


def odds(railway: Railway, emma: int, die: Sequence[int], dice: int, pile: Sequence[Face] = ()) -> Odds:
    """The odds of rolling this many dice with the cards already laid.

    ``emma`` is the index of her card from the rear, ``pile`` the player's discard pile from bottom to top.
    """
    return Odds(
        tuple(_chance(railway, emma, wheels, chance, pile) for wheels, chance in wheel_chances(die, dice).items())
    )


def _chance(railway: Railway, emma: int, wheels: int, chance: Fraction, pile: Sequence[Face]) -> Chance:
    way = drive(railway, emma, wheels)
    taken = way.take(way.missing).taken
    return Chance(
        wheels=wheels,
        chance=chance,
        missing=way.missing,
        cards=len(taken),
        points=total(taken),
        pile_change=best_order(pile, taken).points - total(pile),
    )
