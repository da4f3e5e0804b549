"""A whole face from its data."""

import math
from functools import partial
from random import Random
from typing import Final

from companion.games.drawing.svg import XY, document, placed, rectangle
from companion.games.loknroll.artwork.badges import BADGE_MM, REMINDER_MM, corner_badges, no_rails, reminder
from companion.games.loknroll.artwork.broken import SIGN_MM, broken_track, warning_sign
from companion.games.loknroll.artwork.centre_line import CentreLine
from companion.games.loknroll.artwork.chaos import chaos_picture
from companion.games.loknroll.artwork.landscape import Room, frame, ground, scenery
from companion.games.loknroll.artwork.palette import PAPER
from companion.games.loknroll.artwork.track import BAND_MM, SLEEPER_MM, track
from vision.cards import DeckError, Face, Kind

BORDER_MM: Final = 2.2
INSET_MM: Final = 3.0
"""From the card's edges to its badges."""


class Disc:
    """Something round in a corner of the card."""

    def __init__(self, face: Face, corner: tuple[int, int], largest: float, line: CentreLine | None) -> None:
        """As large as the track beside it allows; ``corner`` is (0, 0) top left to (1, 1) bottom right."""
        self._face, self._corner = face, corner
        self.size = largest * min(1.0, min(face.size_mm) / 63)
        while line and self.size > 0.6 * largest and line.distance_to(self.place) < (self.size + SLEEPER_MM[0]) / 2:
            self.size -= 0.5

    @property
    def place(self) -> XY:
        """Its middle."""
        near = INSET_MM + self.size / 2
        across, down = (
            side - near if far else near for side, far in zip(self._face.size_mm, self._corner, strict=True)
        )
        return across, down


def face_svg(face: Face) -> str:
    """The picture of a face; raises DeckError for a track card whose rails are not known.

    The same face always gives the same picture.
    """
    if face.is_track and not face.has_rails:
        raise DeckError(f"{face.id}: its rails are not known, so it cannot be drawn; enter its two ports.")
    line = CentreLine(face) if face.has_rails else None
    first, last, symbol, sign = (
        Disc(face, corner, size, line)
        for corner, size in (((0, 0), BADGE_MM), ((1, 1), BADGE_MM), ((0, 1), REMINDER_MM), ((1, 0), SIGN_MM))
    )
    width, height = face.size_mm
    rng = Random(face.id)
    if line is None:
        picture = chaos_picture(face.value, width, height, rng)
        marks = placed(no_rails(symbol.size), *symbol.place)
    else:
        discs = [first, last, symbol, *([sign] if face.kind is Kind.BROKEN else [])]
        picture = _railway(face, line, discs, rng)
        marks = placed(reminder(face.value, symbol.size), *symbol.place)
    if face.kind is Kind.BROKEN:
        marks += placed(warning_sign(sign.size), *sign.place)
    badges = corner_badges(face.value, width, height, (first.size, last.size), INSET_MM)
    return document(width, height, picture, marks, badges)


def _railway(face: Face, line: CentreLine, discs: list[Disc], rng: Random) -> str:
    """Ground, border, track and scenery of a track card."""
    width, height = face.size_mm
    room = Room(face.size_mm, BORDER_MM + 0.4, partial(_clearance, line, discs))
    rails = broken_track(line, rng) if face.kind is Kind.BROKEN else track(line, rng)
    return "".join(
        (
            # Short of the edges, or a hair of it would show beside the border.
            rectangle(0, 0, width, height, PAPER),
            placed(ground(face.value, width - 2, height - 2, rng), 1, 1),
            frame(width, height, BORDER_MM, PAPER),
            rails,
            scenery(face.value, room, rng),
        )
    )


def _clearance(line: CentreLine, discs: list[Disc], point: XY) -> float:
    """How far a point is from the track, the badges and the symbols."""
    from_discs = (math.dist(point, disc.place) - 0.56 * disc.size for disc in discs)
    return min(line.distance_to(point) - BAND_MM / 2 - 0.3, *from_discs)
