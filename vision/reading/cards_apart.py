"""Cards of a deck without tracks: they lie apart, so their outlines are seen, and their looks tell which they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from vision.arrays import Corners
from vision.faces.fit import Fit
from vision.faces.naming import FaceNamer
from vision.outlines.outlined_cards import ZoomedPicture, measured
from vision.outlines.outlines import SEARCHED_PX, card_outlines
from vision.reading.found_cards import FoundCards
from vision.reading.searched_picture import SearchedPicture

_AROUND_PX: Final = 24
"""How much of what is around a changed part is looked at as well, in the reduced picture."""
_LEAST: Final = 0.6
"""How much (to 1) a card has to be like a face; where none of the deck lies it is hardly ever more than 0.3."""


def add_cards_apart(
    cards: FoundCards, picture: SearchedPicture, namer: FaceNamer, card_mm: tuple[float, float]
) -> None:
    """Adds all cards that lie in the picture to those that were found."""
    zoomed = ZoomedPicture(picture.whole)
    for outline in _outlines(picture, card_mm):
        if not cards.leave_free(outline):
            continue
        # A side may be a line that is printed within it. A card is named best where it was found to lie exactly.
        named = [namer.name_either_way(picture.whole, one) for one in (outline, measured(zoomed, outline).outline)]
        named += [namer.name_either_way(picture.whole, one.corners) for one in named]
        best = max(named, key=lambda one: one.likeness)
        if best.likeness >= _LEAST:
            # Which of two at one place stays is told by how alike they are.
            fit = Fit(best.face, best.corners, best.likeness, surprise=best.likeness)
            cards.add(fit._replace(probability=best.probability, lead=best.lead))


def _outlines(picture: SearchedPicture, card_mm: tuple[float, float]) -> Iterator[Corners]:
    scale = min(1.0, SEARCHED_PX / max(picture.size))
    for part in picture.parts(scale, round(_AROUND_PX / scale)):
        for outline in card_outlines(part.picture, card_mm):
            yield np.asarray((outline + part.corner + 0.5) / scale - 0.5)
