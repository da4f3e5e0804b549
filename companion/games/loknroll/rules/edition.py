"""Editions of the game: what differs between them is data, in ``editions/*.toml``."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec

from companion.games.loknroll.rules.errors import BadEdition, UnknownEdition
from vision.cards.deck import LONGEST_WORD, MOST_CARDS

MOST_DIE_FACES: Final = 20
MOST_WHEELS: Final = 9
"""On a face of a die; each wheel is drawn."""

_FOLDER = files(__package__) / "editions"


class Mode(StrEnum):
    """Who plays."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    SOLO = "solo"
    SOLO_HARD = "solo-hard"
    BETSY = "betsy"

    @property
    def persons(self) -> int:
        """How many people play; the automaton is none."""
        return int(self) if self in {Mode.TWO, Mode.THREE, Mode.FOUR} else 1

    @property
    def is_solo(self) -> bool:
        """Whether one person plays for the own best score (clauses SOLO1 to SOLO3)."""
        return self in {Mode.SOLO, Mode.SOLO_HARD}


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The numbers and knobs in which editions differ. ``editions/german.toml`` explains each."""

    title: str
    automaton: str
    deck: str
    cards: int
    start_cards: int
    emma_starts_on: int
    direction: Literal["laid", "chosen"]
    hand_cards: int
    dice_count: Literal["sum", "value"]
    die: tuple[int, ...]
    most_derailments: int
    setup_difference_rule: bool
    automaton_starts: bool
    broken_on_pass: bool
    dead_end: Literal["free", "warn", "forbid"]
    loops: Literal["allowed", "forbidden"]
    removed: Mapping[Mode, int]

    def __post_init__(self) -> None:
        """Raises ValueError where the numbers contradict each other."""
        if not 1 <= self.emma_starts_on <= self.start_cards:
            raise ValueError(f"emma_starts_on is 1 to start_cards ({self.start_cards}), not {self.emma_starts_on}")
        if min(self.hand_cards, self.most_derailments, *self.removed.values()) < 0:
            raise ValueError("hand_cards, most_derailments and removed are not below 0")
        for mode, removed in self.removed.items():
            dealt = self.start_cards + removed + mode.persons * self.hand_cards
            if dealt >= self.cards:
                raise ValueError(f"of {self.cards} cards none is left to draw in mode {mode}: {dealt} are dealt")
        if not 1 <= len(self.die) <= MOST_DIE_FACES or not all(0 <= wheels <= MOST_WHEELS for wheels in self.die):
            raise ValueError(f"die lists the wheels, 0 to {MOST_WHEELS}, on each of up to {MOST_DIE_FACES} faces")
        if self.cards > MOST_CARDS:
            raise ValueError(f"cards is {MOST_CARDS} at most, not {self.cards}")
        if max(len(self.title), len(self.automaton), len(self.deck)) > LONGEST_WORD:
            raise ValueError(f"title, automaton and deck have {LONGEST_WORD} letters at most")

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes in which this edition is played."""
        return tuple(self.removed)


@cache
def edition_names() -> tuple[str, ...]:
    """The names by which load_edition knows the editions."""
    names = (entry.name for entry in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def load_edition(name: str = "german") -> Edition:
    """The edition of this name, read once; raises UnknownEdition."""
    if name not in edition_names():
        raise UnknownEdition(f"There is no edition {name!r}; choose one of {', '.join(edition_names())}.")
    return msgspec.toml.decode((_FOLDER / f"{name}.toml").read_bytes(), type=Edition)


def with_knobs(edition: Edition, knobs: dict[str, str]) -> Edition:
    """The edition with some knobs set to the given texts, as in TOML; raises BadEdition."""
    values = msgspec.to_builtins(edition)
    for name, text in knobs.items():
        if name not in values or isinstance(values[name], (dict, list)):
            known = ", ".join(key for key, value in values.items() if not isinstance(value, (dict, list)))
            raise BadEdition(f"There is no knob {name!r}; the knobs are {known}.")
        values[name] = {"true": True, "false": False}.get(text, text)
    try:
        return msgspec.convert(values, Edition, strict=False)
    except msgspec.ValidationError as error:
        raise BadEdition(f"A knob cannot be set so: {error}.") from error
