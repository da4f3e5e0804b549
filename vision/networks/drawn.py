"""What was read of a network, drawn into its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.arrays import Picture, Points
from vision.networks.vehicles.vehicle_shapes import Kind

if TYPE_CHECKING:
    from vision.networks.network_reader import NetworkReader, NetworkSight

_SURE: Final = (60, 200, 60)
_UNSURE: Final = (0, 160, 255)
_INK: Final = (30, 25, 20)
_PAPER: Final = (255, 255, 255)
_HIDDEN: Final = (200, 0, 200)


def drawn(picture: Picture, sight: NetworkSight, reader: NetworkReader) -> Picture:
    """A copy of a picture (h × w × 3) with outlines of pieces, which way they head, and what stands on their dots.

    Pieces that are not sure are orange. A locomotive is a square, a wagon a round.
    """
    shown = picture.copy()
    thick = max(1, round(sight.grid.view.cell_px / 14))
    for piece, outline in zip(sight.pieces, reader.outlines(sight), strict=True):
        colour = _SURE if piece.is_sure else _UNSURE
        cv2.polylines(shown, [_whole(outline)], isClosed=True, color=colour, thickness=thick, lineType=cv2.LINE_AA)
        cells = np.array(reader.cells_of(piece.placement), float)
        start, end = _whole(sight.grid.view.in_picture(cells[[0, -1]]))
        cv2.arrowedLine(shown, start.tolist(), end.tolist(), colour, thick, cv2.LINE_AA, tipLength=0.2)
    for vehicle in sight.vehicles:
        _draw_vehicle(shown, sight, Kind(vehicle.colour, vehicle.is_locomotive), vehicle.dot, reader)
    for dot in sight.hidden:
        place = _whole(sight.grid.view.in_picture(np.array([dot])))[0]
        cv2.drawMarker(shown, place.tolist(), _HIDDEN, cv2.MARKER_TILTED_CROSS, 6 * thick, thick)
    return shown


def _draw_vehicle(shown: Picture, sight: NetworkSight, kind: Kind, dot: tuple[int, int], reader: NetworkReader) -> None:
    view = sight.grid.view
    x, y = _whole(view.in_picture(np.array([dot])))[0].tolist()
    reach = round(view.cell_px * 0.3)
    look = reader.vehicles.get(kind)
    paint = _PAPER if look is None else look.colour[::-1]
    for size, colour in ((reach + 2, _INK), (reach, paint)):
        if kind.is_locomotive:
            cv2.rectangle(shown, (x - size, y - size), (x + size, y + size), colour, -1)
        else:
            cv2.circle(shown, (x, y), size, colour, -1, cv2.LINE_AA)
    scale = reach / 18
    at = x - round(9 * scale), y + round(9 * scale)
    for thick, colour in ((3, _INK), (1, _PAPER)):
        cv2.putText(shown, str(kind.colour), at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)


def _whole(points: Points) -> Points:
    return np.round(points).astype(np.int32)
