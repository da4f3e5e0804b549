"""Places where cards may lie are tried one by one: what is found there is kept, and what is not found as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Corners, Outlines
from vision.faces.alignment import Fit
from vision.faces.naming import WHOLLY
from vision.faces.rails_on import FacesEachWay
from vision.outlines.card_sides import SMALLEST_CARD_PX, shorter_side
from vision.reading.found_cards import ENOUGH_FOR_SIZE, FoundCards, is_one_of
from vision.reading.learnt_deck import LearntDeck
from vision.reading.recognition import (
    FAINTLY_PROMISING,
    LEAST_LIKENESS,
    PROMISING,
    SAME_PX,
    SURE,
    Recognizer,
    evidence,
    is_card_shaped,
)
from vision.reading.searched_picture import SearchedPicture

SIZE_SPREAD: Final = 0.15
_STRAIGHTENINGS: Final = 3
_JUST_THERE_MM: Final = 2.5


class Asked(NamedTuple):
    """How sure a card has to be: likeness of looks and of patterns together, as each is fooled sometimes, and looks."""

    evidence: float
    likeness: float = LEAST_LIKENESS
    in_noise: bool = False
    """Whether that is enough where most of what is seen is noise, too."""


ANYWHERE: Final = Asked(0.92)
_ON_RAILS: Final = Asked(0.84)
"""Where rails lead there: something is expected."""
_JUST_THERE: Final = Asked(0.73, likeness=0.28)
"""Where it lies as the rails say, to ``_JUST_THERE_MM``. The seam of a table can be like rails, and comes to 0.71."""
_SEEN: Final = Asked(0.73, likeness=0.28, in_noise=True)
"""Where a card is seen to lie, whatever is printed on it: of 9 such cards 8 had more, of 28 other places three."""
_FIRST: Final = Asked(1.2)
"""Of the first card if it is small or mostly noise: a sheet with a line is a track where no numeral can be read."""
_FAINT: Final = Asked(0.5, likeness=0.2)
"""What may turn out to be a card when the others are known, or Emma is seen to stand on it."""


class _Failed(NamedTuple):
    """A place at which none of these faces (None: any) was found, and whether it was looked at from afar as well."""

    corners: Corners
    faces: FacesEachWay | None
    from_afar: bool


class _FailedPlaces:
    """All of those. A crowded table comes to a thousand, so their corners are compared at once, not one by one."""

    def __init__(self) -> None:
        self.all: list[_Failed] = []
        self._corners: Outlines = np.empty((64, 4, 2))

    def add(self, failed: _Failed) -> None:
        """One more."""
        if len(self.all) == len(self._corners):
            self._corners = np.concatenate([self._corners, np.empty_like(self._corners)])
        self._corners[len(self.all)] = failed.corners
        self.all.append(failed)

    def explain(self, corners: Corners, faces: FacesEachWay | None, *, from_afar: bool) -> bool:
        """Whether looking at this place would tell nothing new."""
        away = np.abs(self._corners[: len(self.all)] - corners).reshape(-1, 8).max(axis=1)
        same = (self.all[number] for number in np.flatnonzero(away < SAME_PX))
        return any(failed.faces == faces and failed.from_afar >= from_afar for failed in same)


class Trials:
    """The places of one picture that were tried, and the ``cards`` that were found so far."""

    def __init__(self, picture: SearchedPicture, deck: LearntDeck, known: Sequence[Fit]) -> None:
        """``known`` cards count as found."""
        self.picture = picture
        self.cards = FoundCards(known, deck.shape, picture.size)
        self.recognizer = Recognizer(picture, deck)
        self.face_down: list[Fit] = []
        """Cards of which the back shows: they are none to be read, and tell what is seen to lie there."""
        self.read: list[Fit] = []
        """Cards whose edges were seen and whose faces were read: they are not doubtful, however faint."""
        self.faint: list[Fit] = []
        """What was too faint to be taken for a card at once."""
        self._deck = deck
        self._failed = _FailedPlaces()
        self._skewed: list[Fit] = []

    def is_free(self, corners: Corners, sure: float = SURE) -> bool:
        """Whether a card may be found there: where to look, and not on another that is as sure as this."""
        return self.picture.is_looked_at(corners.mean(axis=0)) and self.cards.leave_free(corners, sure)

    def has_read_part(self) -> bool:
        """Whether a new card was found where only a part of the picture had to be looked at."""
        return self.picture.is_part and bool(self.cards.new())

    def failed_on_rails(self) -> list[tuple[Corners, FacesEachWay]]:
        """The places at which no card was found although rails lead there, and the faces that might join them."""
        return [(failed.corners, failed.faces) for failed in self._failed.all if failed.faces]

    def try_at(
        self,
        corners: Corners,
        faces: FacesEachWay | None = None,
        *,
        is_size_known: bool = True,
        size: float = 1.0,
    ) -> bool:
        """Adds the card that lies about there, or is so much larger, if one does; whether it was added."""
        from_afar = len(self.cards.all) >= ENOUGH_FOR_SIZE and not self.has_read_part()
        if self._failed.explain(corners, faces, from_afar=from_afar):
            return False
        fit = self.recognizer.near(corners, faces, is_size_known=is_size_known)
        if self.add(fit, ANYWHERE if faces is None else self._asked_on_rails(fit, corners)):
            if not is_size_known:
                self._found_freely(self.cards.all[-1])
            return True
        # In the dark, or beside a pattern of the table, laying faces on may lead away from where the card lies.
        is_another = fit is not None and evidence(fit) >= SURE
        if from_afar and not is_another and self.is_free(corners, sure=0.0):
            least = PROMISING if faces is None or self.cards.are_plain() else FAINTLY_PROMISING
            fit = self.recognizer.from_afar(corners, faces, size=size, least=least)
            if self.add(fit, ANYWHERE if faces is None else _ON_RAILS):
                return True
        self._failed.add(_Failed(corners, faces, from_afar))
        return False

    def try_surely(self, corners: Corners, is_size_known: bool) -> bool:
        """Adds the card that lies about there if it is sure which one does; whether it was added."""
        fit = self.recognizer.near(corners, None, is_size_known=is_size_known)
        return fit is not None and evidence(fit) >= SURE and self._add_about(fit, ANYWHERE, is_size_known=is_size_known)

    def try_about(self, corners: Corners, is_size_known: bool) -> bool:
        """Adds the card that lies about there, if one does; whether it was added."""
        return self.try_at(corners, is_size_known=is_size_known)

    def try_seen(self, corners: Corners, is_size_known: bool) -> bool:
        """Adds the card that lies about where one is seen to lie, if little is like it; whether it was added."""
        fit = self.recognizer.seen_at(corners, is_size_known=is_size_known)
        return self._add_about(fit, _SEEN, is_size_known=is_size_known)

    def _add_about(self, fit: Fit, asked: Asked, *, is_size_known: bool) -> bool:
        """Adds a card, and if its size was not known looks at it once more; whether it was added."""
        if not self.add(fit, asked):
            return False
        if not is_size_known:
            self._found_freely(self.cards.all[-1])
        return True

    def try_plainly_at(self, corners: Corners) -> bool:
        """Adds the card that lies just there if it is plain to see; whether it was added."""
        fit = self.recognizer.plainly_at(corners)
        return fit is not None and self.add(fit, ANYWHERE)

    def add(self, fit: Fit | None, asked: Asked = ANYWHERE) -> bool:
        """Adds a card that is sure enough, and of a card's size; whether it was."""
        if fit is None:
            return False
        if self._deck.is_back(fit.face):
            self.face_down.append(fit)
            return False
        judged = fit if _is_likely(fit, asked) else self.recognizer.without_noise(fit)
        if not _is_likely(judged, _FAINT) or not is_card_shaped(fit.corners, self._deck.shape.card_mm):
            return False
        is_plain = fit.likeness >= WHOLLY or evidence(fit) >= SURE
        if not is_plain and not self.cards.are_as_large(fit.corners, SIZE_SPREAD):
            return False
        is_noise = judged.clearness < 1
        if not self.cards.all and not asked.in_noise and (is_noise or shorter_side(fit.corners) < SMALLEST_CARD_PX):
            asked = _FIRST
        elif is_noise and not asked.in_noise:
            asked = ANYWHERE
        if not _is_likely(judged, asked):
            # Noise is as plain as a card in noise: only what is left without any help may turn out to be one.
            if _is_likely(fit, _FAINT):
                self.faint.append(fit)
            return False
        return self.cards.settle(fit)

    def add_read(self, fit: Fit) -> None:
        """Adds a card whose edges were seen and whose face was read: it is one however faint it is."""
        if self._deck.is_back(fit.face):
            self.face_down.append(fit)
        elif is_card_shaped(fit.corners, self._deck.shape.card_mm) and self.cards.settle(fit):
            self.read.append(fit)

    def straighten(self) -> None:
        """Looks once more at the cards that may be skewed, now that others tell as well how the table lies."""
        skewed, self._skewed = [fit for fit in self._skewed if is_one_of(fit, self.cards.all)], []
        for fit in skewed:
            straight = self.cards.straight(fit.corners)
            self.add(self.recognizer.near(straight, None, is_size_known=True))

    def _found_freely(self, fit: Fit) -> None:
        """Looks once more at a card that was found while its size was not known: it may have been skewed to fit."""
        for _ in range(_STRAIGHTENINGS):
            if fit.likeness >= WHOLLY:
                break
            shape = self._deck.shape
            square = shape.rigid(fit.corners, shape.px_per_mm(fit.corners))
            fitted = self.recognizer.near(square, None, is_size_known=False)
            if not self.add(fitted):
                break
            fit = self.cards.all[-1]
        self._skewed.append(fit)

    def _asked_on_rails(self, fit: Fit | None, corners: Corners) -> Asked:
        """What is asked for where rails lead: least where it lies just as they say."""
        if fit is None:
            return _ON_RAILS
        away = np.linalg.norm(fit.corners.mean(axis=0) - corners.mean(axis=0))
        return _JUST_THERE if away < _JUST_THERE_MM * self._deck.shape.px_per_mm(corners) else _ON_RAILS


def _is_likely(fit: Fit, asked: Asked) -> bool:
    return fit.likeness >= asked.likeness * fit.clearness and evidence(fit) >= asked.evidence
