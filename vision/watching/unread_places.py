"""Where something has come that could not be read, and when it is worth another look."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Mask
from vision.outlines.outline_masks import WINDOW_PX

LOOKS: Final = 2
"""So often a doubtful card, an unread thing, or a table without Emma is looked at anew though nothing changes there."""
_MOST: Final = 255
_NEAR: Final = np.ones((WINDOW_PX, WINDOW_PX), np.uint8)
"""What lies no farther apart is of one thing: around its edges a little more or less has changed each time."""


class UnreadPlaces(NamedTuple):
    """The ``places`` (1, h × w), and how often each has been looked at in vain since something has come there.

    ``lights`` is how often since then only light has changed there. Both are the same all over a part that hangs
    together.
    """

    places: Mask
    looks: Mask
    lights: Mask

    @property
    def untried(self) -> Mask:
        """Those that may be read once more although nothing changes there."""
        return self.places & (self.looks < LOOKS)

    def with_come(self, come: Mask, by_light: Mask) -> UnreadPlaces:
        """With what has come (1, h × w): that, and what hangs together with it, has to be looked at anew.

        Where something has come only ``by_light`` it may be a dark card, but each time in vain it is less likely:
        shadows of people come and go, and things glitter. The first such change counts, the second, fourth and eighth.
        """
        if not come.any():
            return self
        places, strongly = self.places | come, come & ~by_light
        looks, lights = self.looks * self.places, self.lights * self.places
        is_due = False
        count, labels = cv2.connectedComponents(cv2.dilate(places, _NEAR))
        for label in range(1, count):
            part = (labels == label) & (places > 0)
            if strongly[part].any():
                looks[part] = lights[part] = 0
                is_due = True
            elif come[part].any():
                lights[part] = times = min(int(lights[part].max()) + 1, _MOST)
                if times & (times - 1) == 0:
                    looks[part] = LOOKS - 1 if times > 1 else 0
                    is_due = True
                else:
                    looks[part] = looks[part].max()
        return UnreadPlaces(places, looks, lights) if is_due else self._replace(lights=lights)

    def left(self, places: Mask) -> UnreadPlaces:
        """After a look: only these places are not read yet."""
        return self._replace(places=places, looks=self.looks + self.untried)


def nowhere(shape: tuple[int, ...]) -> UnreadPlaces:
    """No places, in a mask of this shape."""
    return UnreadPlaces(*np.zeros((3, *shape), np.uint8))
