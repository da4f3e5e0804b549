"""Where teaching stands, and what is seen then: each step waits for a card or for a press."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from msgspec.structs import replace

from companion.screen.screen import Screen
from companion.teaching.emma_steps import EmmaShown, EmmaWanted
from companion.teaching.face_words import face_in_words, usual_places
from companion.teaching.lesson import CardFacts, Lesson
from companion.teaching.rail_ways import rail_ways
from companion.teaching.taught_deck import CardDoubt, Reason, TaughtDeck
from companion.teaching.told import Subject, Told
from companion.texts.faults import fault_line
from companion.texts.language import Texts
from hardware.buttons import Button
from vision.cards import Edge, Kind, Port
from vision.cards.deck import MOST_CARDS

if TYPE_CHECKING:
    from vision.teaching.told_faces import FaceGuess

LEAST_CARDS: Final = 12
"""Fewer do not tell what the cards of a deck have in common, nor how the table lies."""
HINTS: Final = (
    "looking",
    "nothing",
    "several",
    "cut-off",
    "too-small",
    "not-made",
    "not-kept",
    "show-again",
    "forgotten",
    "emma-taught",
)
"""What may be said while a card is waited for."""


class GoOn(NamedTuple):
    """There are cards from last time: whether the lesson goes on or begins anew."""

    def screen(self, told: Told) -> Screen:
        say = told.say
        keys = (say("device.key-ok"), say("teaching.key-anew"), "", "", told.back)
        main = say("teaching.taught-before", count=len(told.cards))
        return Screen(say("teaching.title"), main, (say("teaching.go-on"),), keys=keys)


class Anew(NamedTuple):
    """All cards are to be forgotten: is that meant?"""

    def screen(self, told: Told) -> Screen:
        say = told.say
        main = say("teaching.taught-before", count=len(told.cards))
        keys = (say("teaching.key-yes"), "", "", "", told.back)
        return Screen(say("teaching.title"), main, (say("teaching.forget"),), keys=keys)


class Waiting(NamedTuple):
    """A card is waited for. ``hint`` names what is said meanwhile, as why there is none; ``last`` was just taught."""

    hint: str = ""
    last: CardFacts | None = None

    def screen(self, told: Told) -> Screen:
        say, line = told.say, told.fault
        if not line and self.hint:
            line = say(f"teaching.{self.hint}")
        elif not line and self.last is not None:
            line = say("teaching.was-taught", card=told.face(self.last))
        done = say("teaching.key-done") if len(told.cards) >= LEAST_CARDS else ""
        emma, last = (say("teaching.key-emma"), say("teaching.key-last")) if told.cards else ("", "")
        keys = (done, say("teaching.key-read"), emma, last, told.back)
        lines = (line,) if line else ()
        return Screen(told.number(len(told.cards)), say("teaching.lay-one"), lines, keys=keys)


class Offered(NamedTuple):
    """A card seems to be this: is that right?"""

    card: Subject
    facts: CardFacts

    def screen(self, told: Told) -> Screen:
        say = told.say
        rails = say("teaching.key-rails")
        away = say("teaching.key-away")
        # Of a card of the lesson BACK is back, as everywhere else.
        last = (away, told.back) if isinstance(self.card, int) else ("", away)
        keys = (say("teaching.key-yes"), "1-4", rails, *last)
        lines = (say("teaching.is-right"),)
        return Screen(told.number(self.card), told.face(self.facts), lines, keys=keys)


class WhichValue(NamedTuple):
    """A card's value is asked for; the rest is as the facts say."""

    card: Subject
    facts: CardFacts

    def screen(self, told: Told) -> Screen:
        keys = ("1", "2", "3", "4", told.back)
        lines = (told.rails(self.facts.ports),)
        return Screen(told.number(self.card), told.say("teaching.which-value"), lines, keys=keys)


class WhichRails(NamedTuple):
    """A card's rails are asked for; ``value`` says how its value stands: people have seen it, or it is to be told."""

    card: Subject
    facts: CardFacts
    ways: tuple[tuple[Port, ...], ...]
    value: Literal["seen", "offered", "open"]
    at: int = 0

    @property
    def chosen(self) -> CardFacts:
        """The card with the rails that are chosen."""
        ports, facts = self.ways[self.at], self.facts
        kind = Kind.CHAOS if not ports else facts.kind if facts.kind is Kind.BROKEN else Kind.TRACK
        return replace(facts, ports=ports, kind=kind)

    def moved(self, button: Button) -> WhichRails:
        """The same after UP or DOWN in its list."""
        return self._replace(at=_moved(self.at, len(self.ways), button))

    def screen(self, told: Told) -> Screen:
        choices = tuple(told.rails(ports) for ports in self.ways)
        heading = told.say("teaching.which-rails")
        return Screen(heading, choices=choices, chosen=self.at, keys=told.choosing)


class Twin(NamedTuple):
    """A card has the value and the rails of another one: whether it is the same, or one of them is broken."""

    card: Subject
    facts: CardFacts
    other: int
    choices: tuple[str, ...]
    at: int = 0

    def moved(self, button: Button) -> Twin:
        """The same after UP or DOWN in its list."""
        return self._replace(at=_moved(self.at, len(self.choices), button))

    def screen(self, told: Told) -> Screen:
        choices = tuple(told.say(f"teaching.twin-{one}") for one in self.choices)
        heading = told.say("teaching.twin", card=told.face(self.facts))
        return Screen(heading, choices=choices, chosen=self.at, keys=told.choosing)


class Learning(NamedTuple):
    """The deck is being made: so many of so many steps are done."""

    done: int = 0
    of: int = 1

    def screen(self, told: Told) -> Screen:
        lines = (told.fault or told.say("teaching.percent", percent=100 * self.done // self.of),)
        keys = ("", "", "", "", told.back)
        return Screen(told.say("teaching.title"), told.say("teaching.learning"), lines, keys=keys)


class Doubtful(NamedTuple):
    """Cards that should be looked at once more, one after the other."""

    taught: TaughtDeck
    doubts: tuple[CardDoubt, ...]
    at: int = 0

    @property
    def doubt(self) -> CardDoubt:
        """The one that is asked about."""
        return self.doubts[self.at]

    def screen(self, told: Told) -> Screen:
        say, doubt = told.say, self.doubt
        heading = say("teaching.look-again", number=self.at + 1, of=len(self.doubts))
        other = "" if doubt.other is None else told.face(told.cards[doubt.other])
        edges = [say(f"teach.edge-{edge.lower()}") for edge in doubt.edges] or [say("teach.no-edge")]
        line = say(f"teaching.doubt-{doubt.reason}", other=other, edges=edges)
        keep = "" if doubt.reason is Reason.LOST else say("teaching.key-yes")
        keys = (keep, say("teaching.key-again"), "", "", "")
        return Screen(heading, told.face(told.cards[doubt.card]), (line,), keys=keys)


class Counting(NamedTuple):
    """How often each face occurs is asked for: no game can be played with so many cards, but with one of ``sizes``."""

    taught: TaughtDeck
    sizes: Collection[int]
    at: int = 0

    @property
    def fits(self) -> bool:
        """Whether a game can be played with so many cards."""
        return self.taught.deck.size in self.sizes

    def moved(self, button: Button) -> Counting:
        """The same after UP or DOWN in its list."""
        return self._replace(at=_moved(self.at, len(self.taught.deck.faces), button))

    def counted(self, more: int) -> Counting:
        """The same with so many more of the chosen face: one at least, and no more cards than a deck may have."""
        deck = self.taught.deck
        faces = list(deck.faces)
        if deck.size + more <= MOST_CARDS:
            faces[self.at] = replace(faces[self.at], count=max(1, faces[self.at].count + more))
        return self._replace(taught=self.taught._replace(deck=replace(deck, faces=tuple(faces))))

    def screen(self, told: Told) -> Screen:
        say, deck = told.say, self.taught.deck
        usual = usual_places(deck.faces)
        choices = tuple(f"{face.count} × {face_in_words(say, face, usual)}" for face in deck.faces)
        keys = ("+", "\N{MINUS SIGN}", "▲", "▼", say("device.key-ok") if self.fits else told.back)
        heading = say(
            "teaching.count-fits" if self.fits else "teaching.count", count=deck.size, wanted=sorted(self.sizes)
        )
        return Screen(heading, choices=choices, chosen=self.at, keys=keys)


class Finished(NamedTuple):
    """The deck is kept: so many cards, so many of them different."""

    cards: int
    different: int

    def screen(self, told: Told) -> Screen:
        say = told.say
        lines = (say("teaching.counted", cards=self.cards, different=self.different),)
        return Screen(
            say("teaching.title"), say("teaching.finished"), lines, keys=(say("device.key-ok"), "", "", "", "")
        )


Step = (
    GoOn
    | Anew
    | Waiting
    | Offered
    | WhichValue
    | WhichRails
    | Twin
    | EmmaWanted
    | EmmaShown
    | Learning
    | Doubtful
    | Counting
    | Finished
)

Chosen = WhichRails | Twin | Counting
"""A step with a list."""

SAME, BROKEN, OTHER_BROKEN, ANOTHER = "same", "broken", "other-broken", "another"
"""What a card may be that has the value and the rails of another one."""


def twin_choices(facts: CardFacts, other: CardFacts) -> tuple[str, ...]:
    """What a card may be beside another one with its value and rails."""
    can_be_broken = facts.ports != () and other.kind is Kind.TRACK
    return (SAME, BROKEN, OTHER_BROKEN, ANOTHER) if can_be_broken else (SAME, ANOTHER)


def asked_first(card: Subject, facts: CardFacts, ways: tuple[tuple[Port, ...], ...], guess: FaceGuess) -> Step:
    """What is asked about a new card: what the eye cannot tell, or else whether it has read it rightly."""
    if not guess.are_ports_clear:
        return WhichRails(card, facts, ways, "open" if guess.value is None else "offered")
    return WhichValue(card, facts) if guess.value is None else Offered(card, facts)


def ways_of(
    card: Subject, facts: CardFacts, lesson: Lesson, places: Mapping[Edge, float]
) -> tuple[tuple[Port, ...], ...]:
    """In which ways the rails of a card may leave it, each by other edges: what it seems to be is the first.

    ``places`` is where they would leave a new card.
    """
    told = [other.facts.ports for other in lesson.cards]
    # Where they would leave is seen on the card, or else on those that are taught.
    usual = usual_places(other.facts for other in lesson.cards)
    return rail_ways(facts.ports, told, usual | ({} if isinstance(card, int) else dict(places)))


def fault_told(say: Texts, device: str, told: str) -> str:
    """What is said of a fault; without a picture the buttons are no help here, as they are in a game."""
    own = {"dark": "teaching.dark", "camera": "teaching.no-camera"}
    return say(own[device]) if device in own else fault_line(say, device, told)


def _moved(at: int, count: int, button: Button) -> int:
    """The place in a list of so many after UP or DOWN; round its end."""
    return (at + (1 if button is Button.DOWN else -1)) % count
