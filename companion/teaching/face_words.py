"""What people call a card: ``3, straight``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

from companion.teaching.lesson import CardFacts
from companion.texts.language import Texts
from vision.cards import Edge, Face, Kind, Port
from vision.teaching.face_names import SHAPES, edges_of

_ASIDE_MM: Final = 3.0
"""Rails that leave so far from where those of other cards do are told to lie aside."""


class HasPorts(Protocol):
    """A card, whatever else is known of it."""

    @property
    def ports(self) -> tuple[Port, ...]:
        """Where its rails leave it."""


def usual_places(cards: Iterable[HasPorts]) -> dict[Edge, float]:
    """Where (mm from the middle) rails usually leave by each edge that they leave by on any of these cards."""
    places: dict[Edge, list[float]] = {}
    for port in (port for card in cards for port in card.ports):
        places.setdefault(port.edge, []).append(port.offset_mm)
    return {edge: max(offsets, key=partial(_usual, offsets)) for edge, offsets in places.items()}


def _usual(offsets: Sequence[float], offset: float) -> tuple[int, float]:
    """How many leave there; of two places with as many, the one nearer to the middle is the usual one."""
    return sum(abs(offset - other) <= _ASIDE_MM for other in offsets), -abs(offset)


def face_in_words(say: Texts, card: CardFacts | Face, usual: Mapping[Edge, float] | None = None) -> str:
    """A card's value, and its rails or what it is instead, as ``rails_in_words`` calls them."""
    if card.kind is Kind.CHAOS:
        return say("teaching.chaos", value=card.value)
    rails = rails_in_words(say, card.ports, usual)
    return say("teaching.broken" if card.kind is Kind.BROKEN else "teaching.track", value=card.value, rails=rails)


def rails_in_words(say: Texts, ports: tuple[Port, ...], usual: Mapping[Edge, float] | None = None) -> str:
    """By which edges rails leave a card; with ``usual`` places of a whole deck also whether they leave aside.

    That is told by all cards together: of a single one it would often be wrong.
    """
    if not ports:
        return say("teaching.no-rails")
    rails = say(f"teaching.rails-{shape_of(ports)}")
    return say("teaching.aside", rails=rails) if usual is not None and are_aside(ports, usual) else rails


def shape_of(ports: tuple[Port, ...]) -> str:
    """Which way rails take, one of ``SHAPES``, or ``other``; ``none`` without rails."""
    return SHAPES.get(edges_of(ports), "other") if ports else "none"


def are_aside(ports: tuple[Port, ...], usual: Mapping[Edge, float]) -> bool:
    """Whether rails leave a card beside the ``usual_places`` of its deck."""
    return any(abs(port.offset_mm - usual[port.edge]) > _ASIDE_MM for port in ports)
