"""What people call a card: ``3, straight``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Final

from companion.teaching.lesson import CardFacts
from companion.texts.language import Texts
from vision.cards import Edge, Face, Kind, Port
from vision.teaching.face_names import SHAPES, edges_of

_ASIDE_MM: Final = 3.0
"""Rails that leave so far from where those of other cards do are told to lie aside."""


def usual_places(cards: Iterable[CardFacts | Face]) -> dict[Edge, float]:
    """Where (mm from the middle) rails usually leave by each edge that they leave by on any of these cards."""
    places: dict[Edge, list[float]] = {}
    for port in (port for card in cards for port in card.ports):
        places.setdefault(port.edge, []).append(port.offset_mm)
    return {edge: median(offsets) for edge, offsets in places.items()}


def face_in_words(say: Texts, card: CardFacts | Face, usual: Mapping[Edge, float]) -> str:
    """A card's value, and its rails or what it is instead; ``usual`` is where rails leave by each edge."""
    if card.kind is Kind.CHAOS:
        return say("teaching.chaos", value=card.value)
    rails = rails_in_words(say, card.ports, usual)
    return say("teaching.broken" if card.kind is Kind.BROKEN else "teaching.track", value=card.value, rails=rails)


def rails_in_words(say: Texts, ports: tuple[Port, ...], usual: Mapping[Edge, float]) -> str:
    """Where rails leave a card."""
    if not ports:
        return say("teaching.no-rails")
    rails = say(f"teaching.rails-{SHAPES.get(edges_of(ports), 'other')}")
    is_aside = any(abs(port.offset_mm - usual.get(port.edge, 0.0)) > _ASIDE_MM for port in ports)
    return say("teaching.aside", rails=rails) if is_aside else rails
