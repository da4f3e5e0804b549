"""A box of dice for any game: several at once, some held while the others are rolled again.

Chance comes in through one small source, by default the operating system's cryptographic one. ``Listed`` numbers in
its place make dice fall as a test or a recorded game wants them.

    box = DiceBox([KINDS["d6"]] * 5)
    box.roll()
    box.hold(0)
    box.roll()  # all but the first
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import SystemRandom
from typing import Final, NamedTuple, Protocol

MOST_DICE: Final = 100


class Source(Protocol):
    """Where chance comes from; any ``random.Random`` is one too."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop - 1, each as likely as the others."""


# Its randrange draws bits and rejects what lies beyond the range: no remainder that would favour low numbers.
SYSTEM: Final = SystemRandom()
"""The operating system's cryptographic source."""


class Listed:
    """Gives the listed numbers one after the other, then those of another source."""

    def __init__(self, numbers: Iterable[int], then: Source | None = None) -> None:
        """Without ``then`` the list must not end before the rolls do."""
        self._numbers = iter(numbers)
        self._then = then

    def randrange(self, stop: int, /) -> int:
        """The next number; raises ValueError if it is not from 0 to stop - 1, or there is none."""
        number = next(self._numbers, None)
        if number is None:
            if self._then is None:
                raise ValueError("The list of numbers is at its end; list one for each die that is rolled.")
            return self._then.randrange(stop)
        if not 0 <= number < stop:
            raise ValueError(f"{number} is listed, but 0 to {stop - 1} is needed; is this the list of other dice?")
        return number


class Die(NamedTuple):
    """A kind of die: its name, and what is on each of its sides, every side as likely as the others."""

    name: str
    faces: tuple[int, ...]

    def thrown(self, source: Source) -> int:
        """What it shows after a throw."""
        return self.faces[source.randrange(len(self.faces))]


KINDS: Final = {
    # Four of the six sides bear a wheel (MAT3)
    "wheel": Die("wheel", (1, 1, 1, 1, 0, 0)),
    **{f"d{sides}": Die(f"d{sides}", tuple(range(1, sides + 1))) for sides in (4, 6, 8, 10, 12, 20)},
    "percent": Die("percent", tuple(range(1, 101))),
}
"""The kinds of dice by their names. ``wheel`` shows how many wheels, ``percent`` 1 to 100."""


class DiceError(ValueError):
    """Dice that there are not, or that cannot be had: a key of the message file's ``dice``, and the details."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(f"{key}: " + ", ".join(f"{name} {value}" for name, value in details.items()))
        self.key = key
        self.details = details


class Throw(NamedTuple):
    """What lay there after a throw: a face for each die, and whether the die was held."""

    faces: tuple[int, ...]
    held: tuple[bool, ...]


class DiceBox:
    """Dice that are rolled together. Dice are counted from 0."""

    def __init__(self, dice: Iterable[Die], source: Source = SYSTEM) -> None:
        """1 to MOST_DICE dice of any kinds; raises DiceError. Nothing is rolled yet."""
        self.dice = tuple(dice)
        self.source = source
        self.history: list[Throw] = []
        self._held = [False] * len(self.dice)
        _check_count(len(self.dice))

    @property
    def faces(self) -> tuple[int, ...]:
        """What the dice show, as they are ordered; empty before the first roll."""
        return self.history[-1].faces if self.history else ()

    @property
    def held(self) -> tuple[bool, ...]:
        """Which dice stay as they are at the next roll."""
        return tuple(self._held)

    def roll(self) -> tuple[int, ...]:
        """Rolls the dice that are not held; returns all faces. Raises DiceError where every die is held."""
        if all(self._held):
            raise DiceError("all-held")
        before = self.faces or (0,) * len(self.dice)
        faces = tuple(
            face if held else die.thrown(self.source)
            for die, face, held in zip(self.dice, before, self._held, strict=True)
        )
        self.history.append(Throw(faces, self.held))
        return faces

    def hold(self, index: int) -> None:
        """Holds a die, or lets it go again; raises DiceError before the first roll or where there is no such die."""
        if not self.history:
            raise DiceError("not-rolled")
        if not 0 <= index < len(self.dice):
            raise DiceError("no-number", number=index + 1, count=len(self.dice))
        self._held[index] = not self._held[index]

    def release(self) -> None:
        """Lets all dice go."""
        self._held = [False] * len(self.dice)


def parse_dice(words: Sequence[str]) -> tuple[Die, ...]:
    """The dice that words as ``3d6 2d20`` or ``wheel 4`` name; raises DiceError.

    A number alone is the count of the kind before it, if that has none yet, or else of the kind after it. German
    players write w6 for d6.
    """
    groups: list[tuple[Die, int | None]] = []
    count: int | None = None
    for word in words:
        number = re.fullmatch(r"[0-9]{1,9}", word)
        if number and groups and groups[-1][1] is None and count is None:
            groups[-1] = (groups[-1][0], int(word))
        elif number and count is None:
            count = int(word)
        else:
            die, own_count = _parse_kind(word)
            if None not in {count, own_count}:
                raise DiceError("two-counts", given=f"{count} {word}")
            groups.append((die, own_count if count is None else count))
            count = None
    if count is not None:
        raise DiceError("no-kind", given=count)
    counts = [1 if count is None else count for _, count in groups]
    for number_of_dice in (*counts, sum(counts)):
        _check_count(number_of_dice)
    return tuple(die for (die, _), count in zip(groups, counts, strict=True) for _ in range(count))


def _parse_kind(word: str) -> tuple[Die, int | None]:
    match = re.fullmatch(r"([0-9]{0,9})([a-z%]+[0-9%]*)", word.lower())
    name = re.sub(r"^w(?=[0-9%])", "d", match[2]).removesuffix("s") if match else ""
    name = "percent" if name in {"d100", "d%", "%"} else name
    if match is None or name not in KINDS:
        raise DiceError("no-such-die", given=word, kinds=list(KINDS))
    return KINDS[name], int(match[1]) if match[1] else None


def _check_count(count: int) -> None:
    if not 1 <= count <= MOST_DICE:
        raise DiceError("bad-count", given=count, most=MOST_DICE)
