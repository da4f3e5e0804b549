"""In what light a card is seen beside its face, and how much noise there is."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Floats32, Picture

_ROUNDS: Final = 6
_GAINS: Final = (0.02, 5.0)
_DULL: Final = 25.0
"""The variance of a face in which nothing tells contrast: then what is twice as bright is in twice the light."""
_HALF: Final = 2.37
"""Half of all squares of three normal numbers add up to less."""
_FAR: Final = 4.0
"""From so many variances on a pixel counts less and less: it shows something else than the face."""
_LEAST_NOISE: Final = 1.0


class CardLight(NamedTuple):
    """A card's colours are those of its face times ``gain`` plus ``haze`` (3 each: B, G, R), but for ``noise``.

    The latter is a variance, of all that the face does not explain where the face is seen.
    """

    gain: Floats32
    haze: Floats32
    noise: float

    def on(self, colours: Floats32) -> Floats32:
        """How these colours (... × 3) of a face's picture are seen in this light."""
        return np.asarray(colours * self.gain + self.haze, np.float32)

    def off(self, colours: Floats32) -> Floats32:
        """How what is seen would look in a face's picture."""
        return np.asarray((colours - self.haze) / self.gain, np.float32)


def card_light(card: Picture, face: Picture) -> CardLight:
    """The light of a card (h × w × 3), most of which shows its face (as large)."""
    seen, printed = (side.reshape(-1, 3).astype(np.float64) for side in (card, face))
    weights = np.ones((len(seen), 1))
    light = _fitted(seen, printed, weights)
    for _ in range(_ROUNDS - 1):
        squares = _squares(seen, printed, light)
        light = _fitted(seen, printed, 1 / (1 + squares[:, None] / (_FAR * light.noise)) ** 2)
    return light


def _fitted(seen: Floats, printed: Floats, weights: Floats) -> CardLight:
    """The light in which the card's pixels (n × 3) are most like the face's, with these weights (n × 1)."""
    weights = weights / weights.sum()
    mean, face_mean = (weights * seen).sum(axis=0), (weights * printed).sum(axis=0)
    off = printed - face_mean
    spread, alike = (weights * off**2).sum(axis=0), (weights * off * (seen - mean)).sum(axis=0)
    gain = np.clip((alike + _DULL * mean / np.maximum(face_mean, 1)) / (spread + _DULL), *_GAINS)
    light = CardLight(gain.astype(np.float32), (mean - gain * face_mean).astype(np.float32), 0.0)
    return light._replace(noise=max(float(np.median(_squares(seen, printed, light))) / _HALF, _LEAST_NOISE))


def _squares(seen: Floats, printed: Floats, light: CardLight) -> Floats:
    return np.asarray(((seen - printed * light.gain - light.haze) ** 2).sum(axis=1))
