"""Pictures for the page: the faces of the cards, and what the camera sees with what was read in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2

from vision.rendering.portrait import portrait

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.device.virtual_device import VirtualDevice

_FACE_QUALITY: Final = 82
_VIEW_QUALITY: Final = 80


def face_picture(device: VirtualDevice, request: Request) -> tuple[bytes, str] | None:
    """A card's face, or its back, as WebP; None where there is no such card."""
    name = request.path_params["face"]
    if device.pictures is None:
        return None
    picture = device.pictures.back if name == "back" else device.pictures.faces.get(name)
    if picture is None:
        return None
    _, packed = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, _FACE_QUALITY])
    return packed.tobytes(), "image/webp"


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
