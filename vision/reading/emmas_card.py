"""The card on which Emma stands: a part of it is hidden, and so what is left in the deck has a say in its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from vision.arrays import Corners, Picture, Points
from vision.faces.alignment import Fit
from vision.reading.emma import EmmaFinder
from vision.reading.recognition import Recognizer

_FAR_MORE: Final = 2
"""So many times as many are left of a face that is taken instead of another one."""


class Stand(NamedTuple):
    """A card that carries Emma, and the convex outline (n × 2, px) of what she hides."""

    fit: Fit
    hidden_px: Points


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
        return None if emma is None else Stand(fits[emma.card], emma.outline_px)

    def cards_about(self, fits: Iterable[Fit], others: Sequence[Fit], recognizer: Recognizer) -> list[Fit]:
        """The cards about the places of these, looked at closely, on which she would stand, not on another."""
        return self._carrying((recognizer.closely(fit.corners) for fit in self._carrying(fits, others)), others)

    def _carrying(self, fits: Iterable[Fit], others: Sequence[Fit]) -> list[Fit]:
        """Those of these cards on which she would stand, not on another, if one of them lay there."""
        faces = [fit for fit in fits if fit.face < len(self._ids)]  # else its back
        stands = [self.stand_among([*others, fit]) for fit in faces]
        return [fit for fit, stand in zip(faces, stands, strict=True) if stand is not None and stand.fit is fit]


def named_by_what_is_left(stand: Stand, recognizer: Recognizer, left: Sequence[int]) -> Fit:
    """The card by the name of which far more are left in the deck, if what shows of it suits that name as well.

    ``left`` is how many cards with each face are not seen elsewhere.
    """
    fit = stand.fit
    frequent = [face for face, count in enumerate(left) if count >= _FAR_MORE * max(left[fit.face], 0.5)]
    likelier = recognizer.ties(fit, frequent, stand.hidden_px)
    return fit._replace(face=likelier[0]) if likelier else fit
