"""The clauses of the rules in plain sentences, as they hold for an edition, a deck and who plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from companion.games.game import Chapter, Clause
from companion.games.loknroll.rules import Edition, Mode
from companion.games.loknroll.rules.clauses import CLAUSES
from companion.texts.language import Texts
from vision.cards import Deck, Kind

_CHAPTERS: Final = {
    "material": ("MAT",),
    "set-up": ("SET",),
    "turn": ("TURN", "PASS"),
    "building": ("LAY", "ROLL", "DER", "BRK"),
    "penalty": ("PEN", "CMB"),
    "chaos": ("CHA",),
    "end": ("END",),
    "alone": ("SOLO", "BET"),
}
"""What the ids of a chapter's clauses begin with."""


class Table(NamedTuple):
    """What is played with, and how it may be played: one mode in a game, all of the edition's before one.

    ``rails``: places are checked, not only values.
    """

    edition: Edition
    deck: Deck
    modes: Sequence[Mode]
    rails: bool

    @property
    def kinds(self) -> Collection[Kind]:
        """The kinds of cards that the deck has."""
        return {face.kind for face in self.deck.faces}

    @property
    def has_several_players(self) -> bool:
        """Whether turns may pass from one player to another."""
        return any(not mode.is_solo for mode in self.modes)

    @property
    def has_several_persons(self) -> bool:
        """Whether several people may play."""
        return any(mode.persons > 1 for mode in self.modes)


def chapters(table: Table, language: str) -> list[Chapter]:
    """The clauses that hold at this table, in the order of the rules. Raises ValueError for an unknown language."""
    say = Texts(language, __package__)
    chosen, details = {**_material(table), **_course(table), **_others(table)}, _details(table, say)
    told = []
    for chapter, prefixes in _CHAPTERS.items():
        clauses = [
            Clause(name, " ".join(say.counted(f"{name}.{sentence}", **details) for sentence in sentences))
            for name in CLAUSES
            if name.rstrip("0123456789") in prefixes and (sentences := chosen.get(name, ("text",)))
        ]
        if clauses:
            told.append(Chapter(_title(chapter, table, say), clauses))
    return told


def _title(chapter: str, table: Table, say: Texts) -> str:
    if chapter == "alone" and Mode.BETSY in table.modes:
        chapter = "alone-or-automaton" if any(mode.is_solo for mode in table.modes) else "automaton"
    return say(f"chapter.{chapter}", automaton=table.edition.automaton)


# Which sentences of a clause hold; a clause that is not named has one that always does. Without any it is left out.


def _material(table: Table) -> dict[str, Sequence[str]]:
    """Material and set-up."""
    edition, together = table.edition, table.has_several_persons
    has_automaton = Mode.BETSY in table.modes
    return {
        "MAT1": ["cards"],
        "MAT2": ["text"] * (Kind.BROKEN in table.kinds),
        "MAT3": ["dice"],
        "MAT4": ["deck", *["no-rails"] * (not table.rails)],
        "SET2": [
            "together" if together else "one",
            *["one-too"] * (together and any(mode.persons == 1 for mode in table.modes)),
            *["room"] * table.rails,
        ],
        "SET3": ["with-chaos" if Kind.CHAOS in table.kinds else "without-chaos"],
        "SET4": ["all-laying-rules" if edition.setup_difference_rule else "only-rails"],
        "SET5": [edition.direction],
        "SET7": ["together" if together else "one", *["automaton"] * has_automaton],
        "SET9": [
            *["lot"] * together,
            *["automaton-first" if edition.automaton_starts else "person-first"] * has_automaton,
        ],
    }


def _course(table: Table) -> dict[str, Sequence[str]]:
    """Turns, building, and the end."""
    edition, broken, chaos = table.edition, Kind.BROKEN in table.kinds, Kind.CHAOS in table.kinds
    fewest = table.has_several_persons
    return {
        "TURN1": [*["clockwise"] * table.has_several_persons, "draw"],
        "TURN2": ["with-chaos" if chaos else "without-chaos"],
        "TURN3": ["together" if table.has_several_players else "one"],
        "PASS4": ["costs" if edition.broken_on_pass else "free"] * broken,
        "LAY5": ["ends", f"loops-{edition.loops}", f"dead-end-{edition.dead_end}"],
        "ROLL1": [edition.dice_count],
        "ROLL2": ["wheels" if max(edition.die) > 1 else "wheel"],
        "BRK1": ["text"] * broken,
        "BRK2": ["text"] * broken,
        "CHA1": ["text"] * chaos,
        "CHA2": ["text"] * chaos,
        "END3": ["points", *["fewest"] * fewest],
        "END4": ["text"] * fewest,
    }


def _others(table: Table) -> dict[str, Sequence[str]]:
    """Alone, and against the automaton."""
    modes, broken, chaos = table.modes, Kind.BROKEN in table.kinds, Kind.CHAOS in table.kinds
    alone: dict[str, Sequence[str]] = {
        "SOLO1": ["text"] * any(mode.is_solo for mode in modes),
        "SOLO2": ["text"] * (Mode.SOLO_HARD in modes),
        "SOLO3": ["text"] * (Mode.SOLO_HARD in modes and broken),
    }
    if Mode.BETSY not in modes:
        return alone | {name: () for name in CLAUSES if name.startswith("BET")}
    return alone | {
        "BET1": ["draw", *["chaos"] * chaos],
        "BET6": ["text"] * broken,
        "BET7": ["text", *["chaos"] * chaos],
    }


def _details(table: Table, say: Texts) -> Mapping[str, object]:
    """All that is filled in; ``count`` are the cards of a hand, the only ones that a sentence counts in words."""
    edition, deck = table.edition, table.deck
    kinds, values = Counter(face.kind for face in deck.cards()), Counter(face.value for face in deck.cards())
    removed = {mode: edition.removed[mode] for mode in table.modes}
    left = {
        mode: edition.cards - edition.start_cards - count - mode.persons * edition.hand_cards
        for mode, count in removed.items()
    }
    return {
        "automaton": edition.automaton,
        "cards": edition.cards,
        "kinds": [say(f"MAT1.{kind}", count=kinds[kind]) for kind in Kind if kinds[kind]],
        "faces": _die(edition.die, say),
        "die": len(edition.die),
        "values": [values[value] for value in range(1, 5)],
        "start": edition.start_cards,
        "emma": edition.emma_starts_on,
        "removed": _by_mode(removed, edition, say),
        "count": edition.hand_cards,
        "left": _by_mode(left, edition, say),
        "derailments": edition.most_derailments + 1,
    }


def _die(die: Sequence[int], say: Texts) -> list[str]:
    """How many faces of a die show how many wheels, the most first."""
    names = {0: "blank", 1: "wheel"}
    counts = sorted(Counter(die).items(), reverse=True)
    return [say(f"MAT3.{names.get(wheels, 'wheels')}", count=count, wheels=wheels) for wheels, count in counts]


def _by_mode(counts: Mapping[Mode, int], edition: Edition, say: Texts) -> object:
    """A number for each mode, or the only one; the two ways to play alone are told as one where they are alike."""
    if len(counts) == 1:
        return next(iter(counts.values()))
    return [
        say("mode.each", mode=say(f"mode.{mode.value}", automaton=edition.automaton), count=count)
        for mode, count in counts.items()
        if mode is not Mode.SOLO_HARD or count != counts.get(Mode.SOLO)
    ]
