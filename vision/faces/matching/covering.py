"""What stands on a card that is cut out, laid over faces as well: so these look as the card would if it had them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats32, Picture
from vision.faces.hidden_map import HiddenMap

_HIDDEN: Final = 0.95
"""What is so likely hidden does not show."""


class Covering(NamedTuple):
    """How much of each pixel of a card is hidden (``share``, h × w, 0 to 1)."""

    share: Floats32

    @property
    def shown(self) -> Floats32:
        """How much of each pixel shows (h × w, 0 to 1)."""
        return np.asarray((1 - self.share) * (self.share < _HIDDEN), np.float32)

    def laid_over(self, face: Picture | Floats32, card: Picture | Floats32, where: tuple[slice, slice]) -> Floats32:
        """What a face would show there if the same stood on it as on a card: both are cut out, and in one light."""
        share = self.share[where][..., None]
        return np.asarray((1 - share) * face + share * card, np.float32)


def covering(hidden: HiddenMap, width: int, height: int) -> Covering:
    """What is hidden of a card that is cut out so large (px), margin and all; the map lies in that."""
    share = (1 + np.tanh(hidden.seen_in(width, height) / 2)) / 2  # of logarithms of odds, whatever they are
    return Covering(np.asarray(share, np.float32))
