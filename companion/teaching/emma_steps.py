"""Teaching Emma: what is asked, and what is seen of her on the small screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.screen.screen import Screen
from companion.teaching.told import Told

if TYPE_CHECKING:
    from vision.deck_pictures import EmmaPicture

EMMA_HINTS: Final = ("looking", "no-emma", "unknown-card", "not-kept", "emma-known")
"""What may be said while she is waited for."""
_DRAWN_PX: Final = (44, 38)
"""So wide and high she is drawn at most."""
_BLACK: Final = 40.0
"""What is no lighter (0 to 255) is drawn dark."""


class EmmaWanted(NamedTuple):
    """Emma is to be put on a card. With ``makes`` the deck is made afterwards, and without her if somebody says so."""

    makes: bool
    hint: str = ""

    def screen(self, told: Told) -> Screen:
        say = told.say
        line = told.fault or (say(f"teaching.{self.hint}") if self.hint else "")
        keys = (say("teaching.key-without") if self.makes else "", say("teaching.key-read"), "", "", told.back)
        return Screen(say("teaching.emma"), say("teaching.put-emma"), (line,) if line else (), keys=keys)


class EmmaShown(NamedTuple):
    """This stands on the card, drawn in rows of dots: is it she?"""

    makes: bool
    emma: EmmaPicture
    drawing: tuple[str, ...]

    def screen(self, told: Told) -> Screen:
        say = told.say
        keys = (say("teaching.key-yes"), say("teaching.key-no"), "", "", told.back)
        return Screen(say("teaching.emma"), say("teaching.is-emma"), drawing=self.drawing, keys=keys)


def drawn_emma(emma: EmmaPicture) -> tuple[str, ...]:
    """Her picture in rows of dots, "#" for one that is lit: lighter where she is, and outlined."""
    import cv2
    import numpy as np

    height, width = emma.picture.shape[:2]
    scale = min(_DRAWN_PX[0] / width, _DRAWN_PX[1] / height)
    size = max(1, round(scale * width)), max(1, round(scale * height))
    mask = cv2.resize(emma.mask.astype(np.float32), size, interpolation=cv2.INTER_AREA) >= 1 / 2
    grey = cv2.resize(emma.picture, size, interpolation=cv2.INTER_AREA).max(axis=2).astype(float)
    # The darkest that she has is black and the lightest white: what she is like shows, not how dark she is.
    low, high = (np.percentile(grey[mask], share) if mask.any() else 0.0 for share in (5, 95))
    light = np.clip((grey - low) / max(high - low, _BLACK), 0, 1)
    inside = cv2.erode(np.pad(mask.astype(np.uint8), 1), np.ones((3, 3), np.uint8))[1:-1, 1:-1] > 0
    dots = np.zeros_like(mask)
    for y, x in np.ndindex(*mask.shape):
        dots[y, x] = light[y, x] > 1 / 2
        rest = light[y, x] - dots[y, x]
        for down, right, part in ((0, 1, 7), (1, -1, 3), (1, 0, 5), (1, 1, 1)):
            if y + down < mask.shape[0] and 0 <= x + right < mask.shape[1]:
                light[y + down, x + right] += rest * part / 16
    lit = (mask & ~inside) | (inside & dots)
    return tuple("".join(" #"[int(dot)] for dot in row) for row in lit)
