"""Pictures for the page: what the camera sees with what was read in it, and the faces of the deck on the table."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.device.session import Session
    from companion.games.game import Play
    from vision.arrays import Picture
    from vision.deck_pictures import DeckPictures

_WIDEST_PX: Final = 984
_VIEW_QUALITY, _FACE_QUALITY = 75, 82
_NEWEST_SECONDS: Final = 0.4
"""A view is not made again before: fifty phones that look cost no more than one."""


class Views:
    """Makes each picture once for all who want it; called in threads."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._of_view, self._of_faces = threading.Lock(), threading.Lock()
        self._view: bytes | None = None
        self._made_at = float("-inf")
        self._faces: dict[str, bytes] = {}
        self._pictures: DeckPictures | None = None
        self._play: Play | None = None

    def camera(self) -> bytes | None:
        """The last picture that was looked at as JPEG, at most _WIDEST_PX wide; None where there is none."""
        with self._of_view:
            now = time.monotonic()
            if now - self._made_at >= _NEWEST_SECONDS:
                picture = self._session.drawn()
                self._view = None if picture is None else packed(picture, ".jpg")
                self._made_at = time.monotonic()
            return self._view

    def face(self, name: str) -> bytes | None:
        """A card's face, or its ``back``, as WebP; None where there is no such card on the table."""
        with self._of_faces:
            play = self._session.play
            # The deck that comes with a game is unpacked anew for each who asks for it: that is far too slow for pages.
            if self._pictures is None or (play is not None and play is not self._play):
                self._pictures, self._play, self._faces = self._session.pictures_on_the_table(), play, {}
            pictures = self._pictures
            if pictures is None:
                return None
            picture = pictures.back if name == "back" else pictures.faces.get(name)
            if picture is None:
                return None
            if name not in self._faces:
                self._faces[name] = packed(picture, ".webp")
            return self._faces[name]


def packed(picture: Picture, kind: str) -> bytes:
    """A picture as a file, ``.jpg`` or ``.webp``, at most _WIDEST_PX wide."""
    import cv2

    height, width = picture.shape[:2]
    size = (_WIDEST_PX, round(height * _WIDEST_PX / width))
    shown = cv2.resize(picture, size, interpolation=cv2.INTER_AREA) if width > _WIDEST_PX else picture
    how = [cv2.IMWRITE_JPEG_QUALITY, _VIEW_QUALITY] if kind == ".jpg" else [cv2.IMWRITE_WEBP_QUALITY, _FACE_QUALITY]
    return cv2.imencode(kind, shown, how)[1].tobytes()
