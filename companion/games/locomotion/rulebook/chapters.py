"""The clauses of the rules in plain sentences, as they hold for what is played, by whom, and how it is read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from companion.games.game import Chapter, Clause
from companion.games.locomotion.rules import Behind, Gap, Knobs, Mode
from companion.games.locomotion.rules.clauses import CLAUSES
from companion.games.locomotion.rules.piece import PIECES
from companion.texts.language import Texts

_CHAPTERS: Final = {
    "material": ("LMAT",),
    "set-up": ("LSET",),
    "running": ("LRUN",),
    "coupling": ("LCPL",),
    "end": ("LWIN",),
    "die": ("LDIE",),
    "speed": ("LSPD",),
    "alone": ("LSOLO",),
    "tournament": ("LTRN",),
}
"""What the ids of a chapter's clauses begin with."""


class Table(NamedTuple):
    """What is played: in which modes and by how many, one of each in a game, all that there are before one.

    ``colours`` of wagons are played with. ``is_tournament``: several games may be played for points.
    """

    modes: Collection[Mode]
    players: Collection[int]
    colours: int
    knobs: Knobs
    is_tournament: bool

    @property
    def may_be_alone(self) -> bool:
        """Whether one may play alone."""
        return 1 in self.players

    @property
    def may_be_several(self) -> bool:
        """Whether several may play."""
        return max(self.players) > 1


def chapters(table: Table, language: str) -> list[Chapter]:
    """The clauses that hold at this table, in the order of the rules. Raises ValueError for an unknown language."""
    say, chosen = Texts(language, __package__), _chosen(table)
    details = {"pieces": PIECES, "count": table.colours}
    told = []
    for chapter, prefixes in _CHAPTERS.items():
        clauses = [
            Clause(name, " ".join(say(f"{name}.{sentence}", **details) for sentence in sentences))
            for name in CLAUSES
            if name.rstrip("0123456789") in prefixes and (sentences := chosen.get(name, ("text",)))
        ]
        if clauses:
            told.append(Chapter(say(f"chapter.{chapter}"), clauses))
    return told


def _chosen(table: Table) -> Mapping[str, Sequence[str]]:
    """Which sentences of a clause hold; one that is not named has one that always does. Without any it is left out."""
    knobs, several, alone = table.knobs, table.may_be_several, table.may_be_alone
    die, speed = ["text"] * (Mode.DIE in table.modes), ["text"] * (Mode.SPEED in table.modes)
    return {
        "LMAT1": ["text", *["die"] * (Mode.DIE in table.modes or several), *["speed"] * (Mode.SPEED in table.modes)],
        "LSET4": [*["several"] * several, *["alone"] * alone, "text"],
        "LSET5": ["text"] * several,
        "LSET6": ["several" if several else "alone"],
        "LRUN4": ["yes" if knobs.reverse_in_turn else "no"],
        "LRUN6": ["text", *["several"] * several],
        "LCPL3": ["text", "on-the-dots" if knobs.gap is Gap.ON_THE_DOTS else "a-dot"],
        "LCPL7": ["either-end" if knobs.behind is Behind.EITHER_END else "back-only"],
        "LWIN1": ["several" if several else "alone"],
        "LDIE1": ["text"] * several,
        "LDIE2": die,
        **dict.fromkeys(("LSPD1", "LSPD2", "LSPD3", "LSPD4", "LSPD5"), speed),
        "LSOLO1": ["text"] * alone,
        "LSOLO2": ["text"] * alone,
        "LTRN1": ["text"] * table.is_tournament,
    }
