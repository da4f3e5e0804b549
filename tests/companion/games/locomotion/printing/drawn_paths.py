"""The paths of a PDF's page as it draws them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pypdfium2
from pypdfium2 import raw as pdfium

POINT_MM = 25.4 / 72


class DrawnPath(NamedTuple):
    """``points`` in mm from the page's top left corner, N × 2; colours as RGB, None where there is no such."""

    points: np.ndarray
    fill: tuple[int, ...] | None
    stroke: tuple[int, ...] | None

    @property
    def size(self) -> tuple[float, float]:
        width, height = np.ptp(self.points, axis=0)
        return float(width), float(height)

    @property
    def middle(self) -> np.ndarray:
        return (self.points.min(axis=0) + self.points.max(axis=0)) / 2


def drawn_paths(page: pypdfium2.PdfPage) -> Iterator[DrawnPath]:
    """All paths of a page; of curves the ends and the handles."""
    for thing in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH]):
        matrix = thing.get_matrix()
        points = [matrix.on_point(*point) for point in _points(thing.raw)]
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(thing.raw, fill, stroke)
        yield DrawnPath(
            (np.array([0, page.get_height()]) + np.array(points) * (1, -1)) * POINT_MM,
            _colour(thing.raw, pdfium.FPDFPageObj_GetFillColor) if fill.value else None,
            _colour(thing.raw, pdfium.FPDFPageObj_GetStrokeColor) if stroke.value else None,
        )


def _points(path: pdfium.FPDF_PAGEOBJECT) -> Iterator[tuple[float, float]]:
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        x, y = ctypes.c_float(), ctypes.c_float()
        pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFPath_GetPathSegment(path, index), x, y)
        yield x.value, y.value


def _colour(path: pdfium.FPDF_PAGEOBJECT, ask: object) -> tuple[int, ...]:
    parts = [ctypes.c_uint() for _ in range(4)]
    ask(path, *parts)  # type: ignore[operator]
    return tuple(part.value for part in parts[:3])
