"""The card on which Emma stands: a part of it is hidden, and what shows of it tells its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from vision.arrays import Corners, Picture, Points
from vision.faces.alignment import Fit
from vision.faces.rails_on import FacesEachWay
from vision.reading.emma import EmmaFinder
from vision.reading.recognition import Recognizer
from vision.viewpoint import Viewpoint

_TRIED: Final = 6
"""So many faces are laid onto a card of which she hides a part: her own outline makes others alike."""


class Stand(NamedTuple):
    """A card that carries Emma, the convex outline (n × 2, px) of what she hides, and how surely (to 1) she does."""

    fit: Fit
    hidden_px: Points
    confidence: float


class _Card(NamedTuple):
    """A card that may carry Emma."""

    face: str
    corners_px: Corners


class EmmaInPicture:
    """Emma in one picture: on which of the cards that may lie in it she stands."""

    def __init__(self, picture: Picture, finder: EmmaFinder, ids: Sequence[str]) -> None:
        """``ids`` are those of the faces by their indices."""
        self._picture = picture
        self._finder = finder
        self._ids = ids

    def stand_among(self, fits: Sequence[Fit], *, is_black: bool = True) -> Stand | None:
        """The one of these cards on which she stands; in any colour only if they are sure to be what they seem."""
        cards = [_Card(self._ids[fit.face], fit.corners) for fit in fits]
        emma = self._finder.find(self._picture, cards, is_black=is_black)
        return None if emma is None else Stand(fits[emma.card], emma.outline_px, emma.confidence)

    def under(self, corners: Corners, faces: FacesEachWay, viewpoint: Viewpoint, recognizer: Recognizer) -> Stand:
        """Which of these faces lies there if she stands on it: the one most like what she leaves to be seen.

        Its likeness is that of what shows.
        """
        stands = []
        for fit in recognizer.likeliest(corners, faces, _TRIED):
            emma = self._finder.on_card(self._picture, _Card(self._ids[fit.face], fit.corners), viewpoint)
            stands.append(Stand(recognizer.partly_hidden(fit, emma.outline_px), emma.outline_px, emma.confidence))
        return max(stands, key=lambda stand: stand.fit.likeness)
