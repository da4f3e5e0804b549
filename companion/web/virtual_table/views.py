"""Pictures for the page: the faces of the cards, and what the camera sees with what was read in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rendering.portrait import portrait

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.device.virtual_device import VirtualDevice
    from vision.arrays import Picture
    from vision.deck_pictures import DeckPictures

_FACE_QUALITY: Final = 82
_VIEW_QUALITY: Final = 80


def face_picture(device: VirtualDevice, request: Request) -> tuple[bytes, str] | None:
    """A card's face, or its back, as WebP; None where there is no such card. What a piece has not is left out."""
    name = request.path_params["face"]
    if device.pictures is None:
        return None
    picture = device.pictures.back if name == "back" else device.pictures.faces.get(name)
    if picture is None:
        return None
    if device.pictures.gaps:
        picture = _without(picture, device.pictures)
    _, packed = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, _FACE_QUALITY])
    return packed.tobytes(), "image/webp"


def _without(picture: Picture, pictures: DeckPictures) -> Picture:
    """The same with nothing where the piece has no cells (h × w × 4)."""
    shaped = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    px_per_mm = picture.shape[1] / pictures.deck.card_mm[0]
    for gap in pictures.gaps:
        left, top, side = (round(px_per_mm * length) for length in gap)
        shaped[top : top + side, left : left + side, 3] = 0
    return np.asarray(shaped, np.uint8)


def figure_picture(device: VirtualDevice, request: Request) -> tuple[bytes, str] | None:
    """A figure from above, as the renderer draws it; None where there is no such one."""
    look = None if device.pictures is None else device.pictures.figures.get(request.path_params["look"])
    if look is None:
        return None
    _, packed = cv2.imencode(".webp", portrait(look), [cv2.IMWRITE_WEBP_QUALITY, _FACE_QUALITY])
    return packed.tobytes(), "image/webp"


def camera_view(device: VirtualDevice, request: Request) -> tuple[bytes, str] | None:
    """The last picture as JPEG; with ``?read`` what was read is drawn in it. None before the first picture."""
    eye = device.session.eye
    read = eye.drawn() if eye is not None and "read" in request.query_params else None
    plain = None if device.camera is None or not device.camera.pictures else device.camera.last_picture
    picture = plain if read is None else read
    if picture is None:
        return None
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _VIEW_QUALITY])
    return packed.tobytes(), "image/jpeg"
