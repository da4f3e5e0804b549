"""Pictures for the page: the faces of the cards, and what the camera sees with what was read in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from starlette.requests import Request

    from companion.web.host import Host

_FACE_QUALITY: Final = 82
_VIEW_QUALITY: Final = 80


def face_picture(host: Host, request: Request) -> tuple[bytes, str] | None:
    """A card's face, or its back, as WebP; None where there is no such card."""
    name = request.path_params["face"]
    if host.pictures is None:
        return None
    picture = host.pictures.back if name == "back" else host.pictures.faces.get(name)
    if picture is None:
        return None
    _, packed = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, _FACE_QUALITY])
    return packed.tobytes(), "image/webp"


def camera_view(host: Host, request: Request) -> tuple[bytes, str] | None:
    """The last picture as JPEG; with ``?read`` what was read is drawn in it. None before the first picture."""
    seen = host.seen()
    if seen is None:
        return None
    picture = read_picture(host) if "read" in request.query_params else seen[0]
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _VIEW_QUALITY])
    return packed.tobytes(), "image/jpeg"


def read_picture(host: Host) -> NDArray[np.uint8]:
    """The last picture with the cards that were read, in their order, and Emma, as ``companion see`` draws them."""
    from vision.report.joints import railway_order
    from vision.report.overlay import overlay

    seen = host.seen()
    if seen is None or host.pictures is None:
        return np.zeros((1, 1, 3), np.uint8)
    picture, sight = seen
    order = railway_order(sight.cards, host.pictures.deck, None if sight.emma is None else sight.emma.card)
    return overlay(picture, sight.cards, order, sight.emma)
