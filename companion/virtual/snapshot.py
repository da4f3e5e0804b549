"""All things of a world at rest, to be put down as JSON and taken up again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from random import Random
from typing import Final

import msgspec

from companion.virtual.things import EMMA, EMMAS_LOOK, ONLY_EMMA, Card, Figure, Place
from vision.cards import CARD_MM, Deck, Pose


class SnapshotError(ValueError):
    """These things cannot be taken up; the message says why."""


class Snapshot(msgspec.Struct, frozen=True):
    """The things: cards in the order in which they came where they are, the players' names, the people first.

    ``card_mm`` is the cards' width and height; ``seed`` decides how they are shuffled.
    """

    cards: tuple[Card, ...]
    names: tuple[str, ...]
    persons: int
    card_mm: tuple[float, float]
    seed: int
    figures: tuple[Figure, ...] = ONLY_EMMA
    is_dealt: bool = False

    def json(self) -> bytes:
        """As ``read_snapshot`` reads it."""
        return msgspec.json.encode(self)


class _Older(msgspec.Struct, frozen=True):
    """What was put down beside the cards as long as Emma was the only figure: where she stands."""

    emma: Pose | None = None


NOTHING: Final = Snapshot((), (), 1, CARD_MM, 0)


def shuffled(deck: Deck, names: Sequence[str], persons: int, seed: int) -> Snapshot:
    """All cards of a deck in a pile; each is bent as cards are."""
    random, faces = Random(seed), [face.id for face in deck.cards()]
    random.shuffle(faces)
    cards = (Card(number, face, curl_mm=max(0.0, random.gauss(0.2, 0.4))) for number, face in enumerate(faces, 1))
    return Snapshot(tuple(cards), tuple(names), persons, deck.card_mm, seed)


def read_snapshot(json: bytes, deck: Deck, looks: Collection[str] = (EMMAS_LOOK,)) -> Snapshot:
    """The things of a game with this deck and figures of these looks; raises SnapshotError where they are not whole."""
    try:
        snapshot = msgspec.json.decode(json, type=Snapshot)
        older = msgspec.json.decode(json, type=_Older)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SnapshotError(f"not readable: {error}") from error
    if older.emma is not None:
        snapshot = msgspec.structs.replace(snapshot, figures=(Figure(EMMA, EMMAS_LOOK, older.emma),))
    for trouble in _troubles(snapshot, deck, looks):
        raise SnapshotError(trouble)
    return snapshot


def _troubles(snapshot: Snapshot, deck: Deck, looks: Collection[str]) -> list[str]:
    cards, figures = snapshot.cards, snapshot.figures
    is_so = {
        "the cards are not numbered from 1": sorted(card.number for card in cards) == list(range(1, deck.size + 1)),
        "the cards are not those of the deck": Counter(card.face for card in cards)
        == Counter(face.id for face in deck.cards()),
        "the cards are not of the deck's size": snapshot.card_mm == deck.card_mm,
        "there are not as many people as names": 1 <= snapshot.persons <= len(snapshot.names),
        "a hand is nobody's": all(0 <= card.owner < snapshot.persons for card in cards if card.place is Place.HAND),
        "something lies nowhere": all(card.pose.is_finite and math.isfinite(card.curl_mm) for card in cards)
        and all(figure.pose is None or figure.pose.is_finite for figure in figures),
        "two figures are one": len({figure.number for figure in figures}) == len(figures),
        "a figure looks like none of the game": all(figure.look in looks for figure in figures),
        "a figure has the number of a card": all(figure.number <= EMMA for figure in figures),
    }
    return [trouble for trouble, is_well in is_so.items() if not is_well]
