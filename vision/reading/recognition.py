"""What lies at a place in a picture: a card is laid on, named, and judged by how well both agree."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Points
from vision.faces.alignment import WORTH_A_TRY, WORTH_A_TRY_ON_RAILS, Fit, Motion
from vision.faces.halves import halves_of
from vision.faces.naming import CLEAR_LEAD, WHOLLY
from vision.faces.rails_on import FacesEachWay
from vision.reading.learnt_deck import LearntDeck
from vision.reading.searched_picture import SearchedPicture, resized

LEAST_LIKENESS: Final = 0.36
"""From here on a card that was read is taken to lie there still."""
SURE: Final = 1.45
"""From this evidence on nothing better is looked for at a place."""
SAME_PX: Final = 6.0
"""Places whose corners are nearer than this are one."""
_AS_SEEN: Final = [0, 1, 2, 3]
_MIRRORED: Final = [1, 0, 3, 2]
_WORTH: Final = (WORTH_A_TRY, 0.3)
_WORTH_ON_RAILS: Final = (WORTH_A_TRY_ON_RAILS, 0.2)
"""How alike a face has to be to be laid on, and then to be named."""
_TURNS_DEG: Final = (-6.0, 6.0)
PROMISING: Final = 0.2
FAINTLY_PROMISING: Final = 0.1
"""What is no card promises more than this in one of ten places, a card that can be read in most."""
_MOSTLY_NOISE: Final = 0.5**0.5
"""Of what is seen so clearly half is noise."""
_LEAST_CLEAR: Final = 1 / 3
"""What is less clear than this is noise: to go on dividing by less would make likenesses of it."""
_HARDLY_A_CARD: Final = 0.25
"""What is fainter is not judged once more without its noise; of 51 cards in the dark none had less than 0.3."""
_PLAINLY_PROMISING: Final = 0.5
"""What promises so much is mostly a card, just there, and most cards that are plain to read do."""
_ROUNDS: Final = 3
_SAME_PLACE_PX: Final = 1.0
"""A card that is surely known is not named once more so near to where it was."""
_BETTER: Final = 0.02
_CLOSE: Final = 0.1
_PATTERN_COUNTS: Final = 2.0
"""Of cards with rails the pattern tells more than the looks do."""
_FAR_BETTER: Final = 0.15
_FAR_BETTER_RAILS: Final = 0.05
_PROPORTION_SPREAD: Final = 0.3
_MOST_SLANT: Final = 0.35
_MOST_TAPER: Final = 1.2
"""How much narrower or longer than a card (a logarithm), how slanted (a cosine), and how much longer on one side than
on the other one is seen at most by a tilted camera: of 1,500 cards none was by more than 0.22, 0.29 and 1.06."""


def evidence(fit: Fit) -> float:
    """How surely a card lies there: the likeness of its looks and of its pattern, each of which is fooled sometimes."""
    return fit.likeness + fit.pattern


def is_card_shaped(corners: Corners, card_mm: tuple[float, float]) -> bool:
    """Whether alignment has not run away: convex, not much slanted, and its sides of about a card's proportion."""
    if not cv2.isContourConvex(corners.astype(np.float32)):
        return False
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.maximum(np.linalg.norm(sides, axis=1), 1e-6)
    opposite = np.maximum(lengths[:2] / lengths[2:], lengths[2:] / lengths[:2])
    width, height = (lengths[:2] + lengths[2:]) / card_mm
    slant = np.abs((sides * np.roll(sides, -1, axis=0)).sum(axis=1) / (lengths * np.roll(lengths, -1)))
    is_in_proportion = abs(np.log(width / height)) < _PROPORTION_SPREAD
    return bool(lengths.min() > 8 and opposite.max() < _MOST_TAPER and slant.max() < _MOST_SLANT and is_in_proportion)


class Recognizer:
    """Recognizes the cards of one picture at the places that it is asked about."""

    def __init__(self, picture: SearchedPicture, deck: LearntDeck) -> None:
        self._picture, self._half = picture.whole, picture.half
        self._quarter = resized(self._half, 0.5)
        self._shape, self._patterns, self._namer = deck.shape, deck.patterns, deck.namer
        self._has_rails = deck.has_rails
        self._sure: list[tuple[Corners, Fit]] = []

    def near(self, corners: Corners, faces: FacesEachWay | None, *, is_size_known: bool) -> Fit | None:
        """The card that lies about there, if one does: of these faces, or of any.

        Where its size is known it can only be shifted and turned.
        """
        near = self._patterns.near(self._half, self._quarter, corners, faces)
        least, worth_naming = _WORTH if faces is None else _WORTH_ON_RAILS
        if not self._is_worth(near.likeness, least, near.corners):
            return None
        if is_size_known:
            return self._fitted(near, worth_naming, Motion.TURN)
        # A tilted camera stretches a card; what stretches freely is led astray by rails that run straight on.
        grown = self._fitted(near, worth_naming, Motion.GROW)
        if grown is not None and evidence(grown) >= SURE:
            return grown
        fits = (grown, self._fitted(near, worth_naming, Motion.STRETCH))
        return max((fit for fit in fits if fit is not None), key=evidence, default=None)

    def seen_at(self, corners: Corners, *, is_size_known: bool) -> Fit:
        """The likeliest card at a place where one is seen to lie, however faint what is printed on it."""
        fits = [self.at(corners)]
        near = self._patterns.near(self._half, self._quarter, corners)
        for motion in (Motion.TURN,) if is_size_known else Motion:
            fitted = self._fitted(near, -np.inf, motion)
            if fitted is not None:
                fits.append(fitted)
        return max(fits, key=evidence)

    def as_face(self, corners: Corners, face: int, *, is_flat: bool) -> Fit:
        """This face where it lies exactly, as these corners say to 2 mm; whether a card ``is_flat`` there is known."""
        likeness, exact = self._namer.placed(self._picture, corners, face, is_flat=is_flat)
        fits = [
            Fit(face, place, likeness, 0.0, self._patterns.likeness(self._half, place, face))
            for place in (exact, corners)
        ]
        return max(fits, key=lambda fit: fit.pattern)

    def at(self, corners: Corners) -> Fit:
        """The face that lies at just these corners."""
        known = next((fit for place, fit in self._sure if np.abs(place - corners).max() < _SAME_PLACE_PX), None)
        if known is not None:
            return known
        fit = self._named(corners)
        if evidence(fit) >= SURE:
            self._sure.append((corners, fit))
        return fit

    def plainly_at(self, corners: Corners) -> Fit | None:
        """The card that lies at just these corners if it is plain to see: far cheaper where none does."""
        fit = self.at(corners) if self._promise(corners, None) >= _PLAINLY_PROMISING else None
        return None if fit is None or evidence(fit) < SURE else fit

    def _named(self, corners: Corners) -> Fit:
        fits = self._namings(corners, _AS_SEEN)
        if self._has_rails:
            fits.sort(key=lambda fit: -fit.likeness - _PATTERN_COUNTS * fit.pattern)
            # Faces with the same rails are alike but for a numeral or a break: over the whole card noise outweighs
            # that, in the spots where the two differ it does not.
            for fit in fits[1:]:
                first = fits[0]
                is_close = np.abs(fit.corners - first.corners).max() < SAME_PX and fit.pattern > first.pattern - _CLOSE
                place = max(first, fit, key=lambda judged: judged.pattern).corners
                if is_close and self._patterns.is_rather(self._picture, place, fit.face, first.face):
                    fits[0] = fit._replace(likeness=max(fit.likeness, first.likeness))
            return fits[0]
        # Printings of a deck may mirror its symbols. Rails cannot: a left bend would be a right one.
        return max(fits + self._namings(corners, _MIRRORED), key=evidence)

    def from_afar(
        self, corners: Corners, faces: FacesEachWay | None = None, *, size: float = 1.0, least: float = PROMISING
    ) -> Fit | None:
        """The card that lies at just these corners, if it looks from afar as if one of these faces lay there.

        What is seen there has to promise ``least`` (up to 1) to be looked at closely. Without ``faces`` any will do,
        and it may be turned a little then, or ``size`` times as large.
        """
        promise, place = self._promise(corners, faces), corners
        if promise < least:
            return None
        if faces is None:
            # The size first: a card that is seen too large hides how it is turned.
            for others in ([(0.0, size)], [(degrees, 1.0) for degrees in _TURNS_DEG]):
                for other in [self._shape.turned(place, *way) for way in others if way != (0.0, 1.0)]:
                    if (more := self._promise(other, None)) > promise:
                        promise, place = more, other
        fit = self.at(place)
        for _ in range(_ROUNDS - 1):
            again = self.at(fit.corners) if LEAST_LIKENESS <= fit.likeness < WHOLLY else fit
            if evidence(again) < evidence(fit) + _BETTER:
                break
            fit = again
        return fit

    def likeliest(self, corners: Corners, faces: FacesEachWay, most: int) -> list[Fit]:
        """So many of these faces as they would lie there, those first whose pattern is most alike."""
        ways = [(face, np.roll(corners, 2 * turn, axis=0)) for turn in (0, 1) for face in faces[turn]]
        fits = [Fit(face, place, 0.0, 0.0, self._patterns.likeness(self._half, place, face)) for face, place in ways]
        return sorted(fits, key=lambda fit: -fit.pattern)[:most]

    def partly_hidden(self, fit: Fit, hidden_px: Points) -> Fit:
        """The same card where it lies exactly, and as alike as that is which shows of it."""
        likeness, corners = self._namer.placed(self._picture, fit.corners, fit.face, hidden_px)
        pattern = self._patterns.likeness(self._half, corners, fit.face)
        return fit._replace(likeness=likeness, corners=corners, pattern=pattern)

    def without_noise(self, fit: Fit) -> Fit:
        """The card with its pattern as alike as it would be without noise, where most of what is seen is that."""
        clearness = self._clearness(fit.corners) if evidence(fit) > _HARDLY_A_CARD else 1.0
        if clearness == 1:
            return fit
        alike = self._patterns.likeness_in_noise(self._half, fit.corners, fit.face) / clearness
        return fit._replace(pattern=max(fit.pattern, min(alike, 1.0)), clearness=clearness)

    def _is_worth(self, likeness: float, least: float, corners: Corners) -> bool:
        """Whether a pattern is so much alike there, or would be without noise."""
        return likeness >= least or likeness >= least * self._clearness(corners)

    def _clearness(self, corners: Corners) -> float:
        """How alike a pattern can be at most at this place, if most of what is seen is noise; else 1."""
        halves = halves_of(self._picture, corners)
        clearness = 1.0 if halves is None else self._patterns.clearness(halves)
        return max(clearness, _LEAST_CLEAR) if clearness < _MOSTLY_NOISE else 1.0

    def _promise(self, corners: Corners, faces: FacesEachWay | None) -> float:
        return self._namer.promise(self._half, (corners + 0.5) / 2 - 0.5, faces)

    def _fitted(self, fit: Fit, worth_naming: float, motion: Motion) -> Fit | None:
        """The card that lies about there, laid on and named in turns as long as that makes it surer."""
        best: Fit | None = None
        for _ in range(_ROUNDS):
            slid = self._patterns.slid(self._half, fit.corners, fit.face, motion)
            pattern = self._patterns.likeness(self._half, slid, fit.face)
            if not self._is_worth(pattern, worth_naming, slid):
                break
            named = self.at(slid)
            # What only the pattern has named gives way to what looks as good.
            if best is not None and evidence(named) < evidence(best) + (_BETTER if best.lead else 0.0):
                break
            best = fit = named
            if evidence(named) >= SURE or named.likeness < WORTH_A_TRY:
                break
        return best

    def _namings(self, corners: Corners, order: list[int]) -> list[Fit]:
        """The face that is named there, and if that is not clear those which come close."""
        named = self._namer.name(self._picture, corners[order])
        namings = (named,) if named.is_clear else (named, *named.rivals)
        # The namer finds the place again, and what hides a part of the card may mislead it: the given one may be right.
        fits = []
        for one in namings:
            given = np.roll(corners[order], 2 * one.turned, axis=0)
            pattern, place = max(
                ((self._patterns.likeness(self._half, place, one.face), place) for place in (one.corners, given)),
                key=lambda judged: judged[0],
            )
            fits.append(Fit(one.face, place[order], one.likeness, one.likeness - one.next_likeness, pattern))
        if not named.is_clear:
            face, place, pattern = self._patterns.most_alike(self._half, corners[order])
            # The namer sees little in a haze. Of cards with rails the pattern then says more, of others their colours.
            far_better = _FAR_BETTER_RAILS if self._has_rails else _FAR_BETTER
            is_told_by_colours = not self._has_rails and named.likeness >= named.next_likeness + CLEAR_LEAD
            if not is_told_by_colours and pattern > max(fit.pattern for fit in fits) + far_better:
                fits.append(Fit(face, place[order], named.likeness, 0.0, pattern))
        return fits
