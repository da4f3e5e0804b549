"""What a game has of its own: how its numbers and its cards differ from those of the edition that it is named after."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Final, NamedTuple

import msgspec

from companion.games.loknroll.rules.edition import Edition, edition_names, load_edition
from companion.games.loknroll.rules.state import Setup
from vision.cards import Deck, DeckError, Face, standard_deck

_ONLY_NAMES: Final = frozenset({"title", "automaton", "deck"})
"""What of an edition no rule asks for."""
_DIGITS: Final = 3
"""Of a length in mm: what differs by less is written differently, not drawn."""

_Card = tuple[int, str, tuple[tuple[float, ...], ...]]


class Variant(NamedTuple):
    """How a game differs from its edition as it comes with the program.

    ``knobs`` are the names of the values that are set otherwise, ``title`` alone where there is no such edition.
    """

    knobs: tuple[str, ...]
    has_other_deck: bool

    @property
    def is_none(self) -> bool:
        """Whether the game is the edition's own."""
        return not self.knobs and not self.has_other_deck


def variant(setup: Setup) -> Variant:
    """How a game differs from its edition."""
    return Variant(_other_knobs(setup.edition), _has_other_deck(setup))


def comparable(setup: Setup) -> str:
    """The same for games whose results can be compared: the edition's title, and what tells the variant from it."""
    title = setup.edition.title
    if variant(setup).is_none:
        return title
    relevant = [_values(setup.edition), sorted(_cards(setup.deck, rails=setup.rails).items()), setup.rails]
    return f"{title}, {hashlib.sha256(msgspec.json.encode(relevant, order='sorted')).hexdigest()[:16]}"


def _other_knobs(edition: Edition) -> tuple[str, ...]:
    shipped = next((known for known in map(load_edition, edition_names()) if known.title == edition.title), None)
    if shipped is None:
        return ("title",)
    ours, theirs = _values(edition), _values(shipped)
    return tuple(name for name in ours if ours[name] != theirs[name])


def _values(edition: Edition) -> dict[str, object]:
    values: dict[str, object] = msgspec.to_builtins(edition)
    return {name: value for name, value in values.items() if name not in _ONLY_NAMES}


def _has_other_deck(setup: Setup) -> bool:
    try:
        standard = standard_deck(setup.edition.deck)
    except DeckError:  # an edition from elsewhere, with a deck from there
        return True
    return _cards(setup.deck, rails=setup.rails) != _cards(standard, rails=setup.rails)


def _cards(deck: Deck, *, rails: bool) -> Counter[_Card]:
    """How often the deck has each card, whatever its faces are called, and whichever way up they are drawn.

    Where places are not checked no rule asks for rails, and nobody need have entered them.
    """
    cards: Counter[_Card] = Counter()
    for face in deck.faces:
        cards[face.value, face.kind, _rails(face) if rails else ()] += face.count
    return cards


def _rails(face: Face) -> tuple[tuple[float, ...], ...]:
    passages = (msgspec.structs.astuple(passage) for passage in face.passages)
    return tuple(sorted({tuple(round(length, _DIGITS) + 0.0 for length in passage) for passage in passages}))
