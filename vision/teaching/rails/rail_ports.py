"""Where the rails leave the cards, read from the faces of a whole deck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import FloatPicture, Picture
from vision.cards import Port
from vision.teaching.even_faces import even_face
from vision.teaching.rails.other_ports import other_ports
from vision.teaching.rails.rail_places import refined_offsets
from vision.teaching.rails.rail_profiles import WAYS, Explanation, learnt, searched
from vision.teaching.rails.rail_windows import EDGES, RailWindows

CLEAR_SCORE: Final = 60.0
"""A deck's rails are clear from this score on: of 50 decks those read rightly had 67 and more; of five with other edges
than theirs four had 57 and less, one had 94."""
CLEAR_FACE: Final = 3.0
"""A face is clear where the next way is less likely by this (natural logarithm of 20)."""
LEAST_FACES: Final = 5
"""Fewer do not tell what recurs."""

_HALVES_MM: Final = (7.0, 15.0)
"""Half of the windows' width: for lines and small rails, and for those in a wide bed."""
_AT_EDGE: Final = 0.05
"""Of the rails' strength, what the outermost band shows of them at least: 0.11 and more where rails end up to 4 mm
before the edge, 0.02 and less where they end 5 mm before it."""
_SAME_FACES: Final = 0.9
"""Two explanations are the same where so many faces have the same rails by both; others agree on half at most."""


class FaceRails(NamedTuple):
    """The rails of a face: none or two ports, and how much more likely they are than any others (in logarithms)."""

    ports: tuple[Port, ...]
    margin: float


class DeckRails(NamedTuple):
    """The rails of all faces, in their order, and how well they explain what is along the edges."""

    faces: tuple[FaceRails, ...]
    score: float
    reach_edge: bool
    """Whether rails are seen up to the cards' edges; else where they would leave is only concluded."""

    @property
    def is_clear(self) -> bool:
        """Whether rails were found at all."""
        return self.score >= CLEAR_SCORE


def find_rails(cut_outs: Sequence[Picture], card_mm: tuple[float, float]) -> DeckRails:
    """The rails of a deck's faces (upright BGR cut-outs, all the same way up); raises ValueError for too few."""
    if len(cut_outs) < LEAST_FACES:
        msg = f"{len(cut_outs)} faces do not tell what recurs; give {LEAST_FACES} or more."
        raise ValueError(msg)
    faces = [even_face(cut_out, card_mm) for cut_out in cut_outs]
    both = [(searched(windows), windows) for windows in (RailWindows(faces, half) for half in _HALVES_MM)]
    (narrow, narrow_windows), (wide, wide_windows) = both
    found, windows = max(both, key=lambda one: one[0].score)
    score = found.score
    if np.mean(wide.ways == found.ways) >= _SAME_FACES:
        # In a narrow window one rail of two can be taken for all there is.
        found, windows = wide, wide_windows
    rails = list(_face_rails(faces, found, windows))
    if score >= CLEAR_SCORE:
        # In a narrow window rails elsewhere on the edge are not in the way.
        near = narrow if np.mean(narrow.ways == found.ways) >= _SAME_FACES else found
        for number, (ports, margin) in other_ports(narrow_windows if near is narrow else windows, near).items():
            rails[number] = FaceRails(ports, margin)
    return DeckRails(tuple(rails), score, _reach_edge(windows, found))


def _reach_edge(windows: RailWindows, found: Explanation) -> bool:
    lesson = learnt(windows, found)
    if lesson is None:
        return False
    energies = np.square(lesson[0].mean(axis=0).reshape(windows.shape)).sum(axis=(1, 2))
    return bool(energies[0] >= _AT_EDGE * energies.max())


def _face_rails(faces: Sequence[FloatPicture], found: Explanation, windows: RailWindows) -> Iterator[FaceRails]:
    has_end = WAYS[found.ways].astype(bool)
    coarse = [float(windows.offsets_mm[edge][place.window]) for edge, place in zip(EDGES, found.places, strict=True)]
    offsets = refined_offsets(faces, has_end, coarse)
    for ends, likelihoods in zip(has_end, found.likelihoods, strict=True):
        best, second = np.sort(likelihoods)[:-3:-1]
        ports = [
            Port(edge, round(offset, 1)) for edge, offset, is_end in zip(EDGES, offsets, ends, strict=True) if is_end
        ]
        ports.sort(key=lambda port: "SWEN".index(port.edge))
        yield FaceRails(tuple(ports), float(best - second))
