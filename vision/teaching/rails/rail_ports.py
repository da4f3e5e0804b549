"""Where the rails leave the cards, read from the faces of a whole deck.

Each face tells by itself where rails seem to leave it (``rail_ends``). Those of a deck leave at the same few places,
and each face has none or two: so all of them together tell more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Indices, Picture
from vision.cards import Edge, Port
from vision.teaching.rails.rail_ends import rail_ends

_CLEAR_FACE: Final = 3.0
"""A face is clear where the next way is less likely by this (natural logarithm of 20)."""
LEAST_FACES: Final = 5
"""Fewer do not tell what recurs."""
_EDGES: Final = tuple(Edge)
_WAYS: Final = np.array([way for way in product((0, 1), repeat=4) if sum(way) in {0, 2}])
"""By which of the edges (N, E, S, W) rails may leave a card."""
_MOST_PLACES: Final = 3
"""On one edge; more are not looked for."""
_SEEN_ON: Final = 1.5
"""On so many faces (the sum of probabilities) rails leave at a place at least: one alone may have anything there."""
_SAME_MM: Final = 4
"""Places on an edge lie farther apart."""
_JUST_THERE_MM: Final = 0.5
"""What is seen of a place is off by as much. Of 1,368 faces of 57 decks for building 30 were wrong then, 7 of them not
in doubt; with each edge by itself 42 and 18, and with 1 mm 36 and 13, as edges of some decks differ by that."""
_OTHER_PLACE: Final = 4.0
"""So much less likely (logarithm) a place is that is not the usual one: there are about 50 of them on an edge."""
_UNTOLD: Final = 1e-4
"""So probable is at least what the network holds for impossible."""


class FaceRails(NamedTuple):
    """The rails of a face: none or two ports, and how much more likely they are than any others (in logarithms)."""

    ports: tuple[Port, ...]
    margin: float

    @property
    def is_clear(self) -> bool:
        """Whether they are beyond doubt."""
        return self.margin >= _CLEAR_FACE


class DeckRails(NamedTuple):
    """The rails of all faces, in their order.

    ``leaving`` (faces × 4: N, E, S, W) is how much likelier rails leave by an edge than not (logarithms).
    """

    faces: tuple[FaceRails, ...]
    leaving: Floats

    @property
    def is_clear(self) -> bool:
        """Whether rails were found at all: on most faces, and beyond doubt."""
        return 2 * sum(bool(face.ports) and face.is_clear for face in self.faces) >= len(self.faces)


class _EdgeEnds(NamedTuple):
    """Of each face: how likely rails leave by an edge, and that none do (logarithms); where they would."""

    ending: Floats
    bare: Floats
    offsets_mm: Floats


def find_rails(cut_outs: Sequence[Picture], card_mm: tuple[float, float]) -> DeckRails:
    """The rails of a deck's faces (upright BGR cut-outs, all the same way up); raises ValueError for too few."""
    if len(cut_outs) < LEAST_FACES:
        msg = f"{len(cut_outs)} faces do not tell what recurs; give {LEAST_FACES} or more."
        raise ValueError(msg)
    width, height = card_mm
    seen = rail_ends(cut_outs, card_mm)
    ends = {
        edge: _ends_of(seen[edge], seen[edge.opposite], width if edge in {Edge.N, Edge.S} else height) for edge in seen
    }
    leaving = np.stack([ends[edge].ending - ends[edge].bare for edge in _EDGES], axis=1)
    return DeckRails(tuple(_faces(ends)), leaving)


def _ends_of(probable: Floats, opposite: Floats, side_mm: float) -> _EdgeEnds:
    """What all faces tell of an edge of this length, along which they say how probable each mm is (faces × mm).

    Cards are laid on one another's rails, so these mostly leave by the ``opposite`` edge at the same place.
    """
    bare = np.log(np.maximum(1 - probable.sum(axis=1), _UNTOLD))
    places = list(_shared_places(probable.sum(axis=0), opposite.sum(axis=0)))
    if not places:
        return _EdgeEnds(np.full(len(probable), np.log(_UNTOLD)), bare, np.zeros(len(probable)))
    likely = np.stack([np.log(probable[:, _about(round(place), 1)].sum(axis=1) + _UNTOLD) for place in places])
    offsets = (np.array(places) + 0.5) / probable.shape[1] * side_mm - side_mm / 2
    usually = np.where(np.arange(len(places)) == 0, 0, -_OTHER_PLACE)
    return _EdgeEnds(likely.max(axis=0), bare, offsets[(likely + usually[:, None]).argmax(axis=0)])


def _shared_places(own: Floats, opposite: Floats) -> Iterator[float]:
    """Where (mm) rails leave by an edge that leave there by the opposite one as well, or by one of both.

    Each tells on how many faces they do so in each mm. What only both together tell may be one face's.
    """
    for shared in _places(own + opposite):
        place, across = (next(_places(_only_about(faces, shared)), None) for faces in (own, opposite))
        if place is not None and abs(place - shared) > _JUST_THERE_MM:
            yield place
        elif place is not None or across is not None:
            yield shared


def _only_about(faces: Floats, place: float) -> Floats:
    about = _about(round(place), _SAME_MM)
    return np.pad(faces[about], (about.start, max(len(faces) - about.stop, 0)))


def _places(faces: Floats) -> Iterator[float]:
    """Where (mm) rails leave, the place of most faces first; ``faces`` is on how many they do so in each mm."""
    about = np.convolve(faces, np.ones(3), "same")
    for _ in range(_MOST_PLACES):
        peak = int(about.argmax())
        if about[peak] < _SEEN_ON:
            return
        near = _about(peak, 2)
        weights = faces[near]
        yield float(np.arange(len(faces))[near] @ weights / weights.sum())
        about[_about(peak, _SAME_MM)] = 0


def _about(mm: int, reach: int) -> slice:
    return slice(max(mm - reach, 0), mm + reach + 1)


def _faces(ends: Mapping[Edge, _EdgeEnds]) -> Iterator[FaceRails]:
    ending, bare = (np.stack([getattr(ends[edge], name) for edge in _EDGES], axis=1) for name in ("ending", "bare"))
    likelihoods = ending @ _WAYS.T + bare @ (1 - _WAYS.T)
    best: Indices = likelihoods.argmax(axis=1)
    second, first = np.sort(likelihoods, axis=1)[:, -2:].T
    for number, way in enumerate(best):
        ports = [
            Port(edge, round(float(ends[edge].offsets_mm[number]), 1) or 0.0)  # no -0.0
            for edge, is_end in zip(_EDGES, _WAYS[way], strict=True)
            if is_end
        ]
        ports.sort(key=lambda port: "SWEN".index(port.edge))
        yield FaceRails(tuple(ports), float(first[number] - second[number]))
