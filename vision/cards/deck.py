"""A deck: the faces it has and how often it has each. Its form is described in docs/deck.md."""

from collections.abc import Iterator
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

import msgspec

from vision.cards.emma_figure import EmmaFigure
from vision.cards.face import CARD_MM, Edge, Face, Kind, Passage

VALUES: Final = range(1, 5)
MOST_CARDS: Final = 110
"""Twice as many as the largest edition has."""
MOST_WITH_RAILS: Final = 60
"""Faces: more than the largest edition has cards. The automaton tries each pair of rails: its time grows by the
square."""
EMMA_MM: Final = (4.0, 80.0)
"""The least and the largest side of what stands for Emma: more hides a card."""
LONGEST_WORD: Final = 200
"""Of an id, a name or a shape: they stand on screens and in sentences."""


class DeckError(ValueError):
    """A deck's data are missing, contradictory or impossible; the message names the place."""


class Deck(msgspec.Struct, frozen=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    """The faces of a deck, their size and how often each occurs."""

    name: str
    faces: tuple[Face, ...]
    card_mm: tuple[float, float] = CARD_MM
    assumed: str | None = None
    """What about this deck is assumed rather than known."""
    emma: EmmaFigure | None = None
    """What stands for Emma, if that was taught."""

    def __getitem__(self, face_id: str) -> Face:
        """The face with this id; raises KeyError."""
        return self._by_id[face_id]

    def __contains__(self, face_id: object) -> bool:
        return face_id in self._by_id

    @cached_property
    def size(self) -> int:
        """How many cards the deck has."""
        return sum(face.count for face in self.faces)

    @cached_property
    def has_rails(self) -> bool:
        """Whether the rails of every track card are known."""
        return all(face.has_rails for face in self.faces if face.is_track)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The different ways in which a card of this deck can carry a track on."""
        return tuple(dict.fromkeys(passage for face in self.faces if face.is_track for passage in face.passages))

    def cards(self) -> Iterator[Face]:
        """Every card of the deck, one after the other."""
        for face in self.faces:
            yield from [face] * face.count

    @cached_property
    def _by_id(self) -> dict[str, Face]:
        return {face.id: face for face in self.faces}


def decode_deck(data: bytes | str) -> Deck:
    """A deck from the text of its ``deck.json``; raises DeckError where it is not right."""
    try:
        deck = msgspec.json.decode(data, type=Deck)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise DeckError(f"This is not a deck: {error}.") from error
    return checked_deck(deck)


def encode_deck(deck: Deck) -> bytes:
    """The text of a deck's ``deck.json``."""
    # The card size stands there once for all faces.
    faces = tuple(msgspec.structs.replace(face, size_mm=CARD_MM) for face in deck.faces)
    return msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(deck, faces=faces))) + b"\n"


def checked_deck(deck: Deck) -> Deck:
    """The same deck with its card size on every face; raises DeckError where its data cannot be."""
    _check_size(deck.card_mm)
    if deck.emma is not None:
        checked_emma(deck.emma)
    if len(deck.name) > LONGEST_WORD:
        raise DeckError(f"name: it has {len(deck.name)} letters; {LONGEST_WORD} are the most.")
    with_rails = sum(bool(face.ports) for face in deck.faces)
    if with_rails > MOST_WITH_RAILS:
        told = f"The deck has {with_rails} faces with rails; {MOST_WITH_RAILS} are the most."
        raise DeckError(f"{told} Give alike cards one face.")
    if not deck.faces:
        raise DeckError("The deck has no faces: list at least one under `faces`.")
    # Only where it differs: a record's deck is easier to read without a size on every face.
    faces = tuple(
        face if face.size_mm == deck.card_mm else msgspec.structs.replace(face, size_mm=deck.card_mm)
        for face in deck.faces
    )
    ids: set[str] = set()
    for index, face in enumerate(faces):
        _check_face(face, f"faces[{index}] ({face.id[:LONGEST_WORD]})")
        if face.id in ids:
            raise DeckError(f"faces[{index}]: the id {face.id!r} is used twice; every face needs its own.")
        ids.add(face.id)
    deck = msgspec.structs.replace(deck, faces=faces)
    if deck.size > MOST_CARDS:
        raise DeckError(f"The deck has {deck.size} cards; {MOST_CARDS} are the most. Check the counts.")
    return deck


@cache
def standard_deck(name: str) -> Deck:
    """A deck that comes with the program, by the name that an edition gives it, read once; raises DeckError."""
    resource = files(__package__) / f"{name}.json"
    if not resource.is_file():
        raise DeckError(f"There is no deck named {name!r} in the program.")
    return decode_deck(resource.read_bytes())


def _check_size(card_mm: tuple[float, float]) -> None:
    if not all(10 <= side <= 500 for side in card_mm):
        raise DeckError(f"card_mm: {list(card_mm)} is no card's size; give width and height, 10 to 500 mm.")


def checked_emma(emma: EmmaFigure) -> EmmaFigure:
    """The same; raises DeckError where it cannot be."""
    least, largest = EMMA_MM
    if not all(least <= side <= largest for side in emma.size_mm):
        raise DeckError(f"emma.size_mm: {list(emma.size_mm)}; give width and height, {least:g} to {largest:g} mm.")
    if not 0 < len(emma.image) <= LONGEST_WORD:
        raise DeckError(f"emma.image: give the name of a file, {LONGEST_WORD} letters at most.")
    return emma


def _check_face(face: Face, place: str) -> None:
    if not face.id:
        raise DeckError(f"{place}: the id is empty.")
    if max(len(face.id), len(face.shape or "")) > LONGEST_WORD:
        raise DeckError(f"{place}: its id or shape has more than {LONGEST_WORD} letters.")
    if face.value not in VALUES:
        raise DeckError(f"{place}.value: {face.value} is not a value; cards have 1 to 4.")
    if face.count < 1:
        raise DeckError(f"{place}.count: {face.count}; a face occurs at least once.")
    if face.kind is Kind.CHAOS and face.ports:
        raise DeckError(f"{place}.ports: a chaos card has no rails.")
    if len(face.ports) not in {0, 2}:
        raise DeckError(f"{place}.ports: {len(face.ports)} given; a track card has two (or none while not entered).")
    for number, port in enumerate(face.ports):
        side = face.size_mm[0] if port.edge in {Edge.N, Edge.S} else face.size_mm[1]
        if not abs(port.offset_mm) < side / 2:
            raise DeckError(
                f"{place}.ports[{number}].offset_mm: {port.offset_mm:g} is off the card;"
                f" this edge reaches {side / 2:g} mm either way."
            )
    if len(set(face.ports)) < len(face.ports):
        raise DeckError(f"{place}.ports: both are the same; a track enters and leaves in different places.")
