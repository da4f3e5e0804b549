"""Cut-outs of faces with the same rails laid over one another: each was cut out off by tenths of a millimetre."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from vision.arrays import Floats32, Homography, Picture
from vision.faces.exact_alignment import ExactAlignment
from vision.faces.looks import looks_of
from vision.faces.upright_cards import UprightCards
from vision.teaching.even_faces import PX_PER_MM, even_size


def laid_together(
    cut_outs: Sequence[Picture], alike: Iterable[Sequence[int]], card_mm: tuple[float, float]
) -> list[Picture]:
    """These upright cut-outs (B, G, R), those that are alike moved to where what they have in common fits best.

    ``alike`` are the numbers of those with the same rails; of each some the one stays that is most like the others.
    """
    cards = UprightCards(card_mm, PX_PER_MM)
    laid = list(cut_outs)
    for some in alike:
        looks = [_looks(even_size(cut_outs[number], card_mm), cards.margin) for number in some]
        faces = np.stack([one[cards.margin : -cards.margin, cards.margin : -cards.margin] for one in looks])
        middle = int(np.argmin([np.abs(faces[..., 0] - face[..., 0]).mean() for face in faces]))
        alignment = ExactAlignment(faces[middle], cards)
        for number, one in zip(some, looks, strict=True):
            if number != some[middle]:
                laid[number] = _moved(
                    cut_outs[number],
                    alignment.aligned(one, np.eye(3), believed_mm=alignment.corners_mm(np.eye(3))),
                    card_mm,
                )
    return laid


def _looks(face: Picture, margin: int) -> Floats32:
    """How a face looks, with its border drawn out to all sides by so many px."""
    wide = cv2.copyMakeBorder(face, margin, margin, margin, margin, cv2.BORDER_REPLICATE)
    return looks_of(np.asarray(wide, np.uint8), margin)


def _moved(cut_out: Picture, warp_mm: Homography, card_mm: tuple[float, float]) -> Picture:
    """What of a cut-out is where a homography in mm from its top left corner takes its face."""
    height, width = cut_out.shape[:2]
    to_px = np.array([[width / card_mm[0], 0, -0.5], [0, height / card_mm[1], -0.5], [0, 0, 1]])
    warp_px, how = to_px @ warp_mm @ np.linalg.inv(to_px), cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    moved = cv2.warpPerspective(cut_out, warp_px, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
