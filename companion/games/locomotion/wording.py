"""What Locomotion says in its own words: dots, colours, steps, and what the rules object to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from companion.games.locomotion.rules.errors import STEP_WORDS
from companion.games.locomotion.rules.steps import Couple, Motion, Run
from companion.games.wording import GameTexts


class Kind(NamedTuple):
    """What a vehicle is: the number of its colour, from 1, and whether it is a locomotive."""

    colour: int
    is_locomotive: bool


Paint = tuple[int, int, int]
Paints = tuple[Paint | None, ...]
"""The people's own colours of vehicles (R, G, B; above 255 where one is lighter than white) by their numbers from 1 on;
None for one that nobody has learnt. There are none where the printed game is played."""
_WHITE: Final = 255
_CALLED: Final[Mapping[str, tuple[Paint, ...]]] = {
    "red": ((200, 30, 35), (150, 25, 30)),
    "orange": ((235, 120, 20),),
    "yellow": ((240, 205, 40),),
    "green": ((40, 140, 60), (20, 90, 45)),
    "light-green": ((150, 210, 90),),
    "turquoise": ((60, 190, 180), (25, 130, 130)),
    "blue": ((35, 75, 175), (20, 40, 110)),
    "light-blue": ((120, 185, 230),),
    "violet": ((120, 50, 155), (75, 30, 110)),
    "pink": ((235, 130, 175), (220, 40, 140)),
    "brown": ((115, 70, 40),),
    "beige": ((215, 180, 130),),
    "white": ((242, 242, 236),),
    "grey": ((128, 128, 128),),
    "black": ((28, 28, 30),),
}
"""Colours as people call them, each as some that are surely called so."""
_PRINTED: Final = ("red", "yellow", "green", "blue")
"""Those of the printed game, from 1 on."""


class Shift(NamedTuple):
    """So many dots to the right and down; less than 0 to the left and up."""

    right: int
    down: int


class Wording(GameTexts):
    """The game's sentences in a language; dots and kinds of steps among their details are named as in its rules."""

    def __init__(self, language: str, paints: Paints = ()) -> None:
        """``paints`` are the people's own. Raises ValueError if the language is none of LANGUAGES."""
        super().__init__(language, "companion.games.locomotion", STEP_WORDS)
        self._own = _own_names(paints)

    def own_name(self, number: int) -> str | None:
        """What one of the people's own colours is called, in a word of ours; None where the printed ones are played."""
        return self._own.get(number)

    def colour(self, number: int) -> str:
        """The name of a colour of wagons or locomotives, from 1."""
        own = self._own.get(number)
        return self(f"colour.{number}" if own is None else f"own-colour.{own}")

    def colours(self, numbers: tuple[int, ...]) -> str:
        """Colours in their order."""
        return " – ".join(map(self.colour, numbers))

    def motion(self, motion: Motion) -> str:
        """What a train does in a game for one, where a wagon is known by its number."""
        if isinstance(motion, Run):
            return self._run(motion)
        if isinstance(motion, Couple):
            return self("solve.couples", wagon=motion.wagon)
        left = self.counted("solve.uncouples", count=motion.count)
        return left if motion.to is None else f"{left}, {self('turn.runs', dot=motion.to)}"

    def plan(self, plan: Sequence[Motion]) -> Iterator[tuple[str, str]]:
        """A plan with runs in one direction together: which steps they are, and what the train does."""
        first = 1
        for _, motions in groupby(enumerate(plan), key=lambda step: _together(*step)):
            steps = [motion for _, motion in motions]
            last = first + len(steps) - 1
            runs = [motion for motion in steps if isinstance(motion, Run)]
            told = self._run(*runs) if runs else self.motion(steps[0])
            yield str(first) if first == last else f"{first}–{last}", told
            first = last + 1

    def _run(self, *runs: Run) -> str:
        return self("turn.backs" if runs[0].backwards else "turn.runs", dot=[run.to for run in runs])

    def kind(self, kind: Kind) -> str:
        """A vehicle by its colour, as a heading."""
        name, own = "locomotive" if kind.is_locomotive else "wagon", self._own.get(kind.colour)
        return self(f"vehicle.{name}-{kind.colour}" if own is None else f"own-vehicle.{name}-{own}")

    def shift(self, shift: Shift) -> str:
        """How far something is moved, as people see it on the map."""
        across = "right" if shift.right > 0 else "left"
        along = "down" if shift.down > 0 else "up"
        told = [(across, abs(shift.right)), (along, abs(shift.down))]
        return ", ".join(self.counted(f"shift.{way}", count=count) for way, count in told if count)

    def _word(self, value: object) -> str:
        if isinstance(value, Kind):
            return self.kind(value)
        if isinstance(value, Shift):
            return self.shift(value)
        if isinstance(value, tuple) and len(value) == 2 and all(isinstance(item, int) for item in value):
            return f"({value[0]}, {value[1]})"
        return super()._word(value)


def _together(number: int, motion: Motion) -> tuple[bool, int]:
    """The same for runs in one direction, for each other motion something else."""
    return (motion.backwards, 0) if isinstance(motion, Run) else (False, number + 1)


@lru_cache(maxsize=4)
def swatches(paints: Paints) -> Mapping[int, str]:
    """The people's own colours as a page has them (``#rrggbb``), by their numbers."""
    known = {number: paint for number, paint in enumerate(paints[: len(_PRINTED)], 1) if paint is not None}
    most = max((part for paint in known.values() for part in paint), default=0)
    scale = min(1.0, _WHITE / most) if most else 1.0
    return {
        number: "#" + "".join(f"{round(max(part, 0) * scale):02x}" for part in paint) for number, paint in known.items()
    }


@lru_cache(maxsize=4)
def _own_names(paints: Paints) -> Mapping[int, str]:
    """What the people's own colours are called, each otherwise, and those that nobody has learnt beside them."""
    own = {number: tuple(bytes.fromhex(swatch[1:])) for number, swatch in swatches(paints).items()}
    printed = {number: _CALLED[name][0] for number, name in enumerate(_PRINTED, 1) if number not in own and own}
    found: dict[int, str] = {}
    for shown in (own, printed):
        off = sorted(
            (min(_apart(paint, other) for other in others), number, name)
            for number, paint in shown.items()
            for name, others in _CALLED.items()
        )
        for _, number, name in off:
            # The nearest is named first.
            if number not in found and name not in found.values():
                found[number] = name
    return found


def _apart(one: Sequence[int], other: Sequence[int]) -> float:
    """How different two colours look: how far apart they are in CIELAB (CIE 15, with the white of sRGB)."""
    return math.dist(_lab(one), _lab(other))


def _lab(colour: Sequence[int]) -> tuple[float, float, float]:
    shares = (part / _WHITE for part in colour)
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    x = 0.4339 * red + 0.3762 * green + 0.1899 * blue
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = 0.0178 * red + 0.1095 * green + 0.8728 * blue
    f_x, f_y, f_z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * f_y - 16, 500 * (f_x - f_y), 200 * (f_y - f_z)
