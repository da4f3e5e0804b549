"""What the eye says of the table after a picture, in mm."""

from __future__ import annotations

import msgspec

from vision.cards import Pose
from vision.cards.area import Area
from vision.watching.network_reading import NetworkReading


class SeenCard(msgspec.Struct, frozen=True):
    """A card as the camera reads it: its face's id, where it lies, and its number, the same while it lies there.

    ``others`` are the ids of the faces that it may have as well, the likeliest first: what no picture so far can tell.
    """

    face: str
    pose: Pose
    serial: int
    others: tuple[str, ...] = ()

    def may_be(self, face: str) -> bool:
        """Whether it has this face, as far as the camera can tell."""
        return face == self.face or face in self.others


class TableReading(msgspec.Struct, frozen=True):
    """What the camera says of the table after a picture.

    Poses are in mm on the table plane, in axes that may move from picture to picture: only what lies beside what
    counts. ``emma`` is the number of the card that she stands on, None where she is not seen. ``hand``: a hand is in
    the picture, and the rest is as it was before. ``is_still``: nothing moves and nothing waits to be read.
    ``is_dark``: nothing can be seen, and all is as it was before. ``strange`` is how many different cards lie there
    where none of them is known. ``area`` is an upright part of the table where the camera sees every card well;
    ``outline`` are the corners of all that it sees, in order (x, y), none before the first card has told from where it
    looks. ``network`` is what lies there of a game of dots, None where none is played or none has been found.
    """

    cards: tuple[SeenCard, ...] = ()
    emma: int | None = None
    hand: bool = False
    is_still: bool = True
    area: Area | None = None
    outline: tuple[tuple[float, float], ...] = ()
    is_dark: bool = False
    strange: int = 0
    network: NetworkReading | None = None
