"""What a page shows of teaching: what is asked, the cards that are taught, and their pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from companion.games.events import CardTold
from companion.teaching.emma_steps import EmmaShown, EmmaWanted
from companion.teaching.face_words import usual_places
from companion.teaching.lesson import CardFacts, Lesson, check_facts
from companion.teaching.steps import (
    LEAST_CARDS,
    Counting,
    Doubtful,
    Learning,
    Offered,
    Step,
    Twin,
    Waiting,
    WhichRails,
    WhichValue,
)
from companion.teaching.told import Subject
from vision.cards import Edge, Kind, Port
from vision.teaching.face_names import ordered_ports

if TYPE_CHECKING:
    from vision.arrays import Picture

EMMA: Final = "emma"
"""The name of the picture of what may be Emma, on black."""
Asking = Offered | WhichValue | WhichRails | Twin
"""A step that asks what a card is."""
ASKED: Final = "asked"
"""The name of the picture of the card that is asked about; those that are taught have their numbers for names."""


def facts_of(step: Step, asked: int, lesson: Lesson, places: Mapping[Edge, float]) -> dict[str, Any]:
    """Where teaching stands, as plain data. ``asked`` is the number of the question, told back with its answer."""
    told: dict[str, Any] = {
        "room": "teaching",
        "step": type(step).__name__.lower(),
        "cards": [{"number": card.number, **_card(card.facts)} for card in lesson.cards],
        "least": LEAST_CARDS,
        "card_mm": lesson.card_mm,
        "places": {edge.value: mm for edge, mm in {**usual_places(_facts(lesson)), **places}.items()},
    }
    match step:
        case Offered(card=card, facts=facts) | WhichValue(card=card, facts=facts) | WhichRails(card=card, facts=facts):
            told["asked"] = {"question": asked, "number": _number(card, lesson), **_card(facts)}
            if isinstance(step, WhichValue) or (isinstance(step, WhichRails) and step.value == "open"):
                # Nobody has read it: nothing is there that could be confirmed by mistake.
                told["asked"]["value"] = None
        case Twin(card=card, facts=facts, other=other):
            told["asked"] = {"question": asked, "number": _number(card, lesson), **_card(facts)}
            told["other"] = lesson.cards[other].number
        case Doubtful(doubt=doubt):
            told["doubt"] = {
                "number": lesson.cards[doubt.card].number,
                "reason": doubt.reason.value,
                "other": None if doubt.other is None else lesson.cards[doubt.other].number,
                "at": step.at + 1,
                "of": len(step.doubts),
            }
        case Learning(done=done, of=of):
            told["done"] = done / of
        case EmmaShown():
            told["emma"] = asked
        case Waiting(hint=hint) | EmmaWanted(hint=hint):
            told["hint"] = hint
        case Counting(taught=taught, sizes=sizes):
            told["count"], told["sizes"] = taught.deck.size, sorted(sizes)
        case _:
            pass
    return told


def picture_of(name: str, step: Step, lesson: Lesson) -> Picture | None:
    """A card upright (h × w × 3, B, G, R): the one that is asked about, or one of the lesson by its number."""
    if name == EMMA:
        return step.emma.picture if isinstance(step, EmmaShown) else None
    if name == ASKED and isinstance(step, Asking):
        if not isinstance(step.card, int):
            from vision.teaching.even_faces import turned_round

            return turned_round(step.card.cut_out) if step.facts.is_turned else step.card.cut_out
        name = str(_number(step.card, lesson))
    return next((card.cut_out for card in lesson.cards if str(card.number) == name), None)


def facts_told(told: CardTold, asked: CardFacts, card_mm: tuple[float, float]) -> CardFacts:
    """What somebody says on a page of the card that is asked about; raises ValueError for what no card can be."""
    ports = ordered_ports(tuple(Port(Edge(edge), round(offset_mm, 1)) for edge, offset_mm in told.ports))
    facts = CardFacts(told.value, Kind(told.kind), ports, asked.is_turned, told.is_placed)
    check_facts(facts, card_mm)
    return facts


def _facts(lesson: Lesson) -> list[CardFacts]:
    return [card.facts for card in lesson.cards]


def _number(card: Subject, lesson: Lesson) -> int | None:
    """The number of a card of the lesson; a new one has none yet."""
    return lesson.cards[card].number if isinstance(card, int) else None


def _card(facts: CardFacts) -> dict[str, Any]:
    ports = [(port.edge.value, port.offset_mm) for port in facts.ports]
    return {"value": facts.value, "kind": facts.kind.value, "ports": ports}
