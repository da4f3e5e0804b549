"""A railway as it lies on the table, to be kept as a picture."""

import math
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Final

from companion.games.drawing.svg import (
    XY,
    circle,
    contents,
    document,
    element,
    group,
    number,
    placed,
    polygon,
    rectangle,
    stroke,
)
from companion.games.loknroll.artwork.badges import BADGE_MM, corner_badges
from companion.games.loknroll.artwork.card import INSET_MM, face_svg
from companion.games.loknroll.artwork.centre_line import CentreLine
from companion.games.loknroll.artwork.palette import BALLAST, DANGER, INK, PAPER, RAIL, RAIL_SHINE, WARNING
from companion.games.loknroll.artwork.track import BAND_MM, GAUGE_MM, RAIL_MM
from vision.cards import Face, Kind, Pose
from vision.cards.area import turned

MARGIN_MM: Final = 20.0
_TABLE: Final = "#6f8f76"
_EDGE_MM: Final = 0.6
_EMMA_MM: Final = (18.0, 40.0)
_OWN_FACES: Final = 64
"""More than a deck of ours has. Drawing one takes a quarter of a second on a Raspberry Pi Zero, keeping it 40 kB."""


def railway_svg(cards: Sequence[tuple[Face, Pose]], emma: Pose | None, title: str, *, is_our_deck: bool) -> str:
    """The cards as they lie, and Emma on them; drawn as we draw them, or of another deck rails and values alone.

    Nothing of a card but numbers gets into the picture; the title may be any text.
    """
    corners = [corner for face, pose in cards for corner in _corners(face, pose)]
    left, top = (min(corner[axis] for corner in corners) - MARGIN_MM for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in corners) + MARGIN_MM for axis in (0, 1))
    faces = list(dict.fromkeys(face for face, _ in cards))
    draw = _our_face if is_our_deck else _plain_face
    # Each face once, however often it lies there: one of ours has 40 kB.
    drawings = element("defs", *(group(draw(face), id=f"face-{index}") for index, face in enumerate(faces)))
    lying = [
        _laid(element("use", href=f"#face-{faces.index(face)}"), pose, (left, top), face.size_mm)
        for face, pose in cards
    ]
    stands = [] if emma is None else [_laid(_emma(), emma, (left, top))]
    size = right - left, bottom - top
    return document(*size, element("title", _text(title)), drawings, rectangle(0, 0, *size, _TABLE), *lying, *stands)


def card_svg(face: Face, *, is_our_deck: bool) -> str:
    """A single card with rails as it lies in ``railway_svg``."""
    return document(*face.size_mm, _our_face(face) if is_our_deck else _plain_face(face))


def emma_svg() -> str:
    """Emma alone as she stands in ``railway_svg``."""
    width, height = _EMMA_MM
    return document(width, height, placed(_emma(), width / 2, height / 2))


def _text(title: str) -> str:
    """Text as it can stand in any XML, whatever it holds."""
    return escape("".join(character if character.isprintable() else " " for character in title)) or " "


def _laid(drawing: str, pose: Pose, corner: XY, size: XY = (0.0, 0.0)) -> str:
    """A drawing of this size at its pose; ``corner`` is the picture's on the table."""
    x, y = pose.x_mm - corner[0], pose.y_mm - corner[1]
    middle = f" translate({number(-size[0] / 2)} {number(-size[1] / 2)})" if any(size) else ""
    return group(
        drawing, transform=f"translate({number(x)} {number(y)}) rotate({number(pose.rotation_deg % 360)}){middle}"
    )


def _corners(face: Face, pose: Pose) -> list[XY]:
    width, height = face.size_mm
    sides = [(across * width / 2, down * height / 2) for across in (-1, 1) for down in (-1, 1)]
    return [(pose.x_mm + x, pose.y_mm + y) for x, y in (turned(side, pose.rotation_deg) for side in sides)]


@lru_cache(maxsize=_OWN_FACES)
def _our_face(face: Face) -> str:
    return contents(face_svg(face))


def _plain_face(face: Face) -> str:
    """An outline, two rails from port to port, across them a sign where the track is broken, and the value."""
    width, height = face.size_mm
    line, half = CentreLine(face), _EDGE_MM / 2
    outline = rectangle(half, half, width - _EDGE_MM, height - _EDGE_MM, PAPER, stroke=INK, stroke_width=_EDGE_MM)
    band = stroke(line.beside(0), BALLAST, BAND_MM)
    rails = (stroke(line.beside(side), RAIL, RAIL_MM) for side in (-GAUGE_MM / 2, GAUGE_MM / 2))
    spot = line.at(line.length / 2)
    sign = placed(_warning(), spot.x, spot.y) if face.kind is Kind.BROKEN else ""
    badge = BADGE_MM * min(1.0, min(face.size_mm) / 63)
    return outline + band + "".join(rails) + sign + corner_badges(face.value, width, height, (badge, badge), INSET_MM)


def _warning() -> str:
    side = BAND_MM / 2
    points = [(side * math.sin(math.radians(angle)), -side * math.cos(math.radians(angle))) for angle in (0, 120, 240)]
    return polygon(points, WARNING) + stroke([*points, points[0]], DANGER, 1.2)


def _emma() -> str:
    """A locomotive from above that looks to the top: buffers, boiler with chimney and dome, cab."""
    return group(
        rectangle(-6.5, -17, 13, 34, INK, rx=1.5),
        rectangle(-6.2, -18.6, 12.4, 1.9, DANGER, rx=0.8),
        rectangle(-4.6, -16, 9.2, 20, RAIL, rx=3),
        rectangle(-7.4, 4, 14.8, 13, DANGER, rx=1.4),
        rectangle(-5.6, 5.8, 11.2, 9.4, INK, rx=0.9),
        circle(0, -10.5, 2.9, RAIL_SHINE),
        circle(0, -10.5, 1.8, INK),
        circle(0, -2, 2.4, WARNING),
    )
