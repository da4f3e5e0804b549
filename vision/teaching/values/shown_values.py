"""Whether faces show the values that they are declared to have: one card photographed twice, or two mixed up.

Two photographs of one card differ as much as two cards that a thin numeral tells apart: by light, by grain, by half a
millimetre. But what two values differ by is the same on faces with any rails, and nothing else is. So what two faces
differ by is held against what others with the same two values do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from vision.arrays import Floats32, Picture
from vision.cards import Face, Kind, Port
from vision.faces.matching.value_marks import find_value_marks
from vision.teaching.even_faces import PX_PER_MM, even_face
from vision.teaching.values.face_blocks import without_shade

_LEAST_OTHERS: Final = 2
"""So many others with the same two values tell how much these differ; one alone would tell its own noise."""
_AMONG_THEMSELVES: Final = 0.75
"""Quantile of how others agree: half of them may be mixed up as well."""


class ShownValues:
    """The faces of a deck that are taught, and what their values change on them."""

    def __init__(self, faces: Sequence[Face], cut_outs: Mapping[str, Picture], card_mm: tuple[float, float]) -> None:
        """``cut_outs`` (upright, B, G, R) are those of some or all of the faces, by their ids."""
        self._faces = {face.id: face for face in faces if face.id in cut_outs}
        prints = [without_shade(even_face(cut_outs[face], card_mm)) for face in self._faces]
        marks = find_value_marks(prints, list(self._faces.values()), PX_PER_MM)
        self._shown: dict[str, Floats32] = {}
        if marks is not None:
            is_mark = marks.differ > 0
            self._shown = {face: seen[is_mark].ravel() for face, seen in zip(self._faces, prints, strict=True)}
        self._series: dict[tuple[tuple[Port, ...], Kind], dict[int, str]] = {}
        for face in self._faces.values():
            self._series.setdefault((face.ports, face.kind), {})[face.value] = face.id

    def apart(self, one: str, other: str) -> float | None:
        """How far apart two faces (their ids) with the same rails are, in parts of what others with their values are.

        1 if each shows its value, 0 if both show the same, -1 if each shows that of the other. None where their values
        are declared to be the same, their rails are not, or too few others tell.
        """
        first, second = self._faces[one], self._faces[other]
        if not self._shown or first.ports != second.ports or first.value == second.value:
            return None
        usual = [
            self._shown[some[first.value]] - self._shown[some[second.value]]
            for (ports, _), some in self._series.items()
            if ports != first.ports and first.value in some and second.value in some
        ]
        if len(usual) < _LEAST_OTHERS:
            return None
        # Among themselves, not with themselves: what each of them differs by at random is in none of the others.
        products = [one_pair @ another for one_pair, another in combinations(usual, 2)]
        together = float(np.quantile(products, _AMONG_THEMSELVES))
        if together <= 0:
            return None
        here = self._shown[one] - self._shown[other]
        return float(np.median([here @ there for there in usual])) / together
