"""The search for the cards of a picture: where keypoints, outlines and rails say that one may lie.

The first cards that are found tell how the table lies, and so where and how large the others are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Picture, Points, Region
from vision.faces.alignment import FacePatterns, Fit
from vision.faces.features import FaceFeatures, Matches, Proposal, joined, likely_scales, propose
from vision.faces.naming import WHOLLY, FaceNamer
from vision.faces.rails_on import FacesEachWay, WayOn
from vision.outlines.card_sides import SMALLEST_CARD_PX, shorter_side
from vision.outlines.outlines import SEARCHED_PX, card_outlines
from vision.reading.emma import EmmaFinder
from vision.reading.emmas_card import EmmaInPicture, named_by_what_is_left
from vision.reading.faint_cards import (
    as_plain_as,
    could_be_blank,
    could_be_hers,
    doubtful_among,
    usual_evidence,
    worth_a_closer_look,
)
from vision.reading.found_cards import ENOUGH_FOR_SIZE, SURE_OF_THE_TABLE, FoundCards, is_one_of
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
from vision.viewpoint import Viewpoint, from_above

_KEYPOINTS_WIDTH: Final = 460
"""How many px wide the picture is made in which keypoints are looked for."""
_CLOSER_WIDTH: Final = 656
"""The same where few cards were found, or only a part has to be looked at."""
_KEYPOINTS_SCALE: Final = 0.4
"""The largest at which keypoints are looked for at first, and the smallest at which they are a second time."""
_HALF: Final = 0.5
"""The scale at which cards are laid on."""
_FEW: Final = 2
_TILE_PX: Final = 264
_OVERLAP_PX: Final = 32
_SMALLEST_PART_PX: Final = 13

_MASK_STEP: Final = 8

_ENOUGH_FIRST: Final = 2
_LIKELY_SIZES: Final = 3
_MOST_FIRST_TRIES: Final = 12
_FIRST_SIZES: Final = 3
_OTHER_GUESSES: Final = ((10.0, 1.0), (-10.0, 1.0), (0.0, 0.88), (0.0, 1.14))
"""By how many degrees, and how many times, a first proposal may be off."""
_MOST_PROPOSALS: Final = 40
_ENOUGH_FAILED: Final = 12
_FEW_VOTES: Final = 0.08
"""Where keypoints agree so much less than on most cards that were found, there is none."""
_ENOUGH_IN_A_PART: Final = 5
_NEW_IN_A_PART: Final = 1
"""After so many new cards in a part what is left there is judged anew: mostly nothing, as cards are laid one by one."""
_STRAIGHTENINGS: Final = 3
_LESS_LIKELY: Final = 0.1
"""So much less a card may look like itself where a flat one would lie; else it is bent, or the table badly known."""
_SIZE_SPREAD: Final = 0.15
_OUTLINED_PX: Final = 27
"""So many px a card's shorter side has at least where outlines are looked for, if the table is known."""
_OUTLINE_SPREAD: Final = 0.3

_JUST_THERE_MM: Final = 2.5
_QUITE_SURE: Final = 1.75
"""From this evidence on nothing better is looked for at a place that is told by its outline."""
_NEIGHBOUR: Final = 1.3
"""How far from a card's middle that of its neighbour may lie, in diagonals."""


class Looks(NamedTuple):
    """What a deck's faces look like, how many cards have each, and how their rails join."""

    ids: list[str]
    counts: list[int]
    features: FaceFeatures
    patterns: FacePatterns
    namer: FaceNamer
    emma: EmmaFinder
    ways_on: list[list[WayOn]]


class _Asked(NamedTuple):
    """How sure a card has to be: likeness of looks and of patterns together, as each is fooled sometimes, and looks."""

    evidence: float
    likeness: float = LEAST_LIKENESS


_ANYWHERE: Final = _Asked(0.92)
_ON_RAILS: Final = _Asked(0.84)
"""Where rails lead there: something is expected."""
_JUST_THERE: Final = _Asked(0.73, likeness=0.28)
"""Where it lies as the rails say, to ``_JUST_THERE_MM``. The seam of a table can be like rails, and comes to 0.71."""
_SMALL: Final = _Asked(1.2)
"""Of the first card if it is so small that a numeral can hardly be read: a sheet with a line is like a track then."""
_FAINT: Final = _Asked(0.5, likeness=0.2)
"""What may turn out to be a card when the others are known, or Emma is seen to stand on it."""
_MOST_JUDGED: Final = 4
_NAMED_CLEARLY: Final = 0.05
"""A face that is so much more alike than any other is clear, whatever Emma hides of it."""


class _Failed(NamedTuple):
    """A place at which none of these faces (None: any) was found, and whether it was looked at from afar as well."""

    corners: Corners
    faces: FacesEachWay | None
    from_afar: bool

    def explains(self, corners: Corners, faces: FacesEachWay | None, *, from_afar: bool) -> bool:
        """Whether looking at this place would tell nothing new."""
        is_same = self.faces == faces and self.from_afar >= from_afar
        return is_same and bool(np.abs(corners - self.corners).max() < SAME_PX)


class _Guess(NamedTuple):
    """A viewpoint that the table may be seen from, and where cards would then lie."""

    viewpoint: Viewpoint
    proposals: list[Proposal]


class CardSearch:
    """A search for cards in one picture."""

    def __init__(self, picture: Picture, looks: Looks, known: Sequence[Fit], regions: Sequence[Region] | None) -> None:
        self._whole = picture
        self._half = resized(picture, _HALF)
        self._size = (picture.shape[1], picture.shape[0])
        self._cards = FoundCards(known, looks.patterns, self._size)
        self._looks = looks
        self._patterns = looks.patterns
        self._has_rails = any(looks.ways_on)
        self._recognizer = Recognizer(picture, self._half, looks.patterns, looks.namer, rails=self._has_rails)
        self._emma = EmmaInPicture(picture, looks.emma, looks.ids)
        self._matches = joined([])
        self._guesses: list[_Guess] = []
        self._failed: list[_Failed] = []
        self._skewed: list[Fit] = []
        self._votes: list[float] = []
        self._faint: list[Fit] = []
        self._is_part = regions is not None
        self._regions = [Region(0, 0, *self._size)] if regions is None else list(regions)

    def find_all(self) -> list[Fit]:
        """All cards of the picture, those that are known first."""
        first = min(_KEYPOINTS_SCALE, _KEYPOINTS_WIDTH / max(self._size))
        closer = min(1.0, max(_KEYPOINTS_SCALE, _CLOSER_WIDTH / max(self._size)))
        for scale in (closer,) if self._is_part else dict.fromkeys((first, closer)):
            self._find_printed(scale)
            if len(self._cards.wholly_seen()) > _FEW:
                break
        self._find_outlined()
        if not self._cards.all:
            self._find_by_other_guesses()
        if self._has_rails:  # else there is no Emma
            self._judge_faint()
            self._name_under_emma()
        if self._are_blank():
            return []
        return [self._flat(fit) for fit in self._cards.all]

    def _are_blank(self) -> bool:
        """Whether the few that were found in a whole picture may be blank sheets: on those Emma does not stand."""
        is_table = self._is_part or bool(self._cards.known) or not could_be_blank(self._cards.all)
        return not is_table and self._emma.stand_among(self._cards.all) is None

    def _find_printed(self, scale: float) -> None:
        """Finds cards by what is printed on them, in the picture at this scale."""
        parts = self._parts(scale, _TILE_PX)
        self._matches = joined([self._looks.features.matches(part, scale, corner) for part, corner in parts])
        if not self._cards.all:
            self._find_first()
        if self._cards.all:
            self._find_others()

    def _parts(self, scale: float, widest: int) -> list[tuple[Picture, tuple[float, float]]]:
        """The parts of the picture in which to look, at this scale of its size, and where they lie in it.

        Few are wider than ``widest``: all the copies that finding keypoints takes would not fit a small machine.
        """
        source, known_scale = (self._half, _HALF) if scale <= _HALF else (self._whole, 1.0)
        factor = scale / known_scale
        parts = []
        for region in self._regions:
            left, top = (max(int(side * known_scale), 0) for side in region[:2])
            right, bottom = (round((region[side] + region[side + 2]) * known_scale) for side in (0, 1))
            cropped = source[top:bottom, left:right]
            if min(cropped.shape[:2]) * factor < _SMALLEST_PART_PX:
                continue
            small = resized(cropped, factor)
            for start in range(0, max(small.shape[1] - _OVERLAP_PX, 1), widest):
                part = small[:, start : start + widest + _OVERLAP_PX]
                if min(part.shape[:2]) >= _SMALLEST_PART_PX:
                    parts.append((np.ascontiguousarray(part), (left * factor + start, top * factor)))
        return parts

    def _find_first(self) -> None:
        """Finds a few cards when nothing is known of the table but how large most things look."""
        self._guesses.clear()
        begun: list[list[Fit]] = []
        for number, px_per_mm in enumerate(likely_scales(self._matches), start=1):
            self._guesses.append(self._guess(px_per_mm))
            if self._has_begun(self._guesses[-1], 0.0, 1.0):
                begun.append(list(self._cards.all))
            if begun and (number >= _LIKELY_SIZES or _total_evidence(begun[-1]) >= SURE):
                break
            # A striped cloth can be like the rails of very large cards: what is more like cards may be smaller.
            self._cards.all.clear()
        self._cards.all[:] = max(begun, key=_total_evidence, default=[])

    def _find_by_other_guesses(self) -> None:
        """Finds cards where the first guesses were right but for a turn or a size."""
        for turn_deg, size in _OTHER_GUESSES:
            for guess in self._guesses:
                if self._has_begun(guess, turn_deg, size):
                    self._find_others()
                    return

    def _guess(self, px_per_mm: float) -> _Guess:
        """Where cards might lie if this is how large things look, and the camera looks straight down."""
        sizes = [proposal.size for proposal in propose(self._matches, from_above(self._size, px_per_mm), _FIRST_SIZES)]
        viewpoint = from_above(self._size, px_per_mm * float(np.median(sizes or [1.0])))
        return _Guess(viewpoint, list(propose(self._matches, viewpoint, _MOST_FIRST_TRIES)))

    def _has_begun(self, guess: _Guess, turn_deg: float, size: float) -> bool:
        """Tries what was guessed, turned and made larger by this much; whether a card was found."""
        for proposal in guess.proposals:
            rotation_deg = proposal.rotation_deg + turn_deg
            corners = self._patterns.corners_at(proposal.centre_mm, rotation_deg, proposal.size * size)
            seen = guess.viewpoint.in_picture(corners)
            if self._is_free(seen):
                self._try(seen, is_size_known=False)
            if len(self._cards.wholly_seen()) == _ENOUGH_FIRST:
                break
        return bool(self._cards.all)

    def _find_others(self) -> None:
        """Finds the other cards, now that some tell how the table lies."""
        found = 0
        while found < len(self._cards.all):
            if len(self._cards.all) >= ENOUGH_FOR_SIZE:
                self._straighten()
            found = len(self._cards.all)
            few = _NEW_IN_A_PART if self._is_part else _ENOUGH_FIRST if found < SURE_OF_THE_TABLE else None
            self._follow_keypoints(until=None if few is None else found + few)
        self._follow_rails()

    def _find_outlined(self) -> None:
        """Finds cards that lie by themselves, and show too few keypoints."""
        found = len(self._cards.all)
        px_per_mm = self._cards.viewpoint().px_per_mm() if len(self._cards.wholly_seen()) > _FEW else None
        scale = min(1.0, SEARCHED_PX / max(self._size))
        if px_per_mm is not None:
            scale = min(scale, _OUTLINED_PX / (px_per_mm[0] * min(self._patterns.card_mm)))
        for part, corner in self._parts(scale, self._size[0]):
            if self._is_part and self._is_explained(part, corner, scale):
                continue
            seen_px_per_mm = None if px_per_mm is None else (px_per_mm[0] * scale, px_per_mm[1] * scale)
            for outline in card_outlines(part, self._patterns.card_mm, px_per_mm=seen_px_per_mm):
                corners = (outline + corner + 0.5) / scale - 0.5
                if not self._is_free(corners, _QUITE_SURE) or not self._cards.are_as_large(corners, _OUTLINE_SPREAD):
                    continue
                # An outline is seldom exact: one side may be its neighbour's, or a stripe of the table.
                place = self._cards.straight(corners) if self._cards.all else corners
                if not self._try(place, is_size_known=bool(self._cards.all)):
                    # In the dark a card that Emma hides promises nothing, and can be read.
                    least = FAINTLY_PROMISING if self._cards.are_plain() else -np.inf
                    self._is_added(self._recognizer.from_afar(corners, least=least), _ANYWHERE)
        if len(self._cards.all) > found:
            self._find_others()

    def _judge_faint(self) -> None:
        """Adds faint cards that are as plain as the others here, and the one under Emma; takes away what is none."""
        for _ in range(_MOST_JUDGED if self._cards.all else 0):
            found = list(self._cards.all)
            usual = usual_evidence(self._cards.new(), self._cards.known)
            for fit in as_plain_as(usual, self._faint) if len(found) >= ENOUGH_FOR_SIZE else []:
                # It may have been seen when the table was taken for a nearer or farther one.
                if self._is_free(fit.corners, sure=0.0) and self._cards.are_as_large(fit.corners, _SIZE_SPREAD):
                    self._cards.settle(fit)
            self._judge_by_emma(usual)
            if all(is_one_of(fit, found) for fit in self._cards.all):
                self._look_under_emma(usual)
            if all(is_one_of(fit, found) for fit in self._cards.all):
                return
            self._follow_rails()

    def _judge_by_emma(self, usual: float) -> None:
        """Takes away doubtful cards that do not carry Emma, and adds a faint one that does."""
        new = self._cards.new()
        doubtful = doubtful_among(usual, new, clear=_ANYWHERE.evidence)
        faint = [fit for fit in could_be_hers(usual, self._faint) if self._is_free(fit.corners, sure=0.0)]
        if not doubtful and not faint:
            return
        stand = self._emma.stand_among([*self._cards.all, *faint])
        hers = None if stand is None else stand.fit
        self._cards.all[:] = [fit for fit in self._cards.all if fit is hers or not is_one_of(fit, doubtful)]
        if hers is not None and not is_one_of(hers, self._cards.all):
            self._cards.settle(hers)

    def _look_under_emma(self, usual: float) -> None:
        """Looks closely where rails lead and she would stand, if she stands on none of the cards."""
        is_table = not self._is_part and len(self._cards.all) >= ENOUGH_FOR_SIZE
        if not is_table or self._emma.stand_among(self._cards.all) is not None:
            return
        places = [failed.corners for failed in self._failed if failed.faces and self._is_free(failed.corners, sure=0.0)]
        askew = worth_a_closer_look(usual, [self._recognizer.at(corners) for corners in places])
        closely = self._emma.cards_about(askew, self._cards.all, self._recognizer)
        hers = max(could_be_hers(usual, closely), key=evidence, default=None)
        if hers is not None and is_card_shaped(hers.corners, self._patterns.card_mm):
            self._cards.settle(hers)

    def _name_under_emma(self) -> None:
        """Names the card under Emma once more where its name is not clear, now that the others are known."""
        new = self._cards.new()
        unclear = [fit for fit in new if fit.likeness < WHOLLY and fit.lead < _NAMED_CLEARLY]
        stand = self._emma.stand_among(self._cards.all) if unclear else None
        if stand is None or not is_one_of(stand.fit, unclear):
            return
        others = [fit.face for fit in self._cards.all if fit is not stand.fit]
        left = [count - others.count(face) for face, count in enumerate(self._looks.counts)]
        named = named_by_what_is_left(stand, self._recognizer, left)
        self._cards.replace(stand.fit, named)

    def _is_explained(self, part: Picture, corner: tuple[float, float], scale: float) -> bool:
        """Whether a new card was found in this part of the picture."""
        start, end = np.array(corner) / scale, (np.array(corner) + part.shape[1::-1]) / scale
        middles = [fit.corners.mean(axis=0) for fit in self._cards.new()]
        return any(bool((start <= middle).all() and (middle < end).all()) for middle in middles)

    def _follow_keypoints(self, until: int | None) -> None:
        """Looks where keypoints agree on a card."""
        viewpoint, failed = self._cards.viewpoint(), 0
        for proposal in propose(self._unexplained(), viewpoint, _MOST_PROPOSALS):
            if len(self._votes) >= SURE_OF_THE_TABLE and proposal.weight < _FEW_VOTES * np.median(self._votes):
                return
            is_size_known = self._cards.tell_size()
            size = 1.0 if is_size_known else proposal.size
            seen = viewpoint.in_picture(self._patterns.corners_at(proposal.centre_mm, proposal.rotation_deg, size))
            if not self._is_free(seen):
                continue
            # Each card that is found tells better how the table lies, and so where on it this place is.
            place = self._cards.straight(seen) if is_size_known else seen
            is_plain = is_size_known and self._is_plainly_at(place)
            if is_plain or self._try(place, is_size_known=is_size_known, size=proposal.size / size):
                failed = 0
                self._votes.append(proposal.weight)
            else:
                failed += 1
            if failed == (_ENOUGH_IN_A_PART if self._is_part else _ENOUGH_FAILED) or len(self._cards.all) == until:
                return

    def _is_plainly_at(self, corners: Corners) -> bool:
        """Adds the card that lies just there if it is plain to see; whether it was added."""
        fit = self._recognizer.plainly_at(corners)
        return fit is not None and self._is_added(fit, _ANYWHERE)

    def _unexplained(self) -> Matches:
        """The keypoints that lie on no card of which it is sure that it lies there."""
        explained = np.zeros((self._size[1] // _MASK_STEP + 1, self._size[0] // _MASK_STEP + 1), dtype=np.uint8)
        for fit in self._cards.all:
            if evidence(fit) >= SURE:
                cv2.fillConvexPoly(explained, (fit.corners / _MASK_STEP).round().astype(np.int32), (1,))
        last = np.array(explained.shape[::-1]) - 1
        column, row = (self._matches.seen[:, :2] / _MASK_STEP).astype(np.intp).clip(0, last).T
        return self._matches.only(explained[row, column] == 0)

    def _flat(self, fit: Fit) -> Fit:
        """The card as a flat one of the right size lies there, if that looks about as much like it."""
        if len(self._cards.wholly_seen()) < SURE_OF_THE_TABLE or is_one_of(fit, self._cards.known):
            return fit
        flat = self._cards.straight(fit.corners)
        as_flat = self._patterns.likeness(self._half, flat, fit.face)
        return fit._replace(corners=flat) if as_flat > fit.pattern - _LESS_LIKELY else fit

    def _follow_rails(self) -> None:
        """Looks where the rails of the cards lead: a neighbour may be too faint to be found by itself."""
        followed: list[Fit] = []
        while fits := [fit for fit in self._cards.all if not is_one_of(fit, followed)]:
            fit = max(fits, key=lambda fit: fit.likeness)
            followed.append(fit)
            reach = _NEIGHBOUR * float(np.linalg.norm(fit.corners[2] - fit.corners[0]))
            ways = self._looks.ways_on[fit.face]
            if not ways or not self._is_looked_at(fit.corners.mean(axis=0), reach):
                continue
            places = self._cards.places_beside(fit, [way.corners_mm for way in ways])
            for way, corners in zip(ways, places, strict=True):
                if self._is_free(corners):
                    self._try(corners, way.faces)

    def _is_free(self, corners: Corners, sure: float = SURE) -> bool:
        """Whether a card may be found there: where to look, and not on another that is as sure as this."""
        return self._is_looked_at(corners.mean(axis=0), 0.0) and self._cards.leave_free(corners, sure)

    def _is_looked_at(self, place: Points, reach: float) -> bool:
        """Whether a place (x, y) is no farther than this from where the picture is looked at."""
        x, y = place.tolist()
        return any(
            left - reach <= x < left + width + reach and top - reach <= y < top + height + reach
            for left, top, width, height in self._regions
        )

    def _try(
        self,
        corners: Corners,
        faces: FacesEachWay | None = None,
        *,
        is_size_known: bool = True,
        size: float = 1.0,
    ) -> bool:
        """Adds the card that lies about there, or is so much larger, if one does; whether it was added."""
        from_afar = len(self._cards.all) >= ENOUGH_FOR_SIZE and not self._has_read_part()
        if any(failed.explains(corners, faces, from_afar=from_afar) for failed in self._failed):
            return False
        fit = self._recognizer.near(corners, faces, is_size_known=is_size_known)
        if self._is_added(fit, _ANYWHERE if faces is None else self._asked_on_rails(fit, corners)):
            if not is_size_known:
                self._found_freely(self._cards.all[-1])
            return True
        # In the dark, or beside a pattern of the table, laying faces on may lead away from where the card lies.
        is_another = fit is not None and evidence(fit) >= SURE
        if from_afar and not is_another and self._is_free(corners, sure=0.0):
            least = PROMISING if faces is None or self._cards.are_plain() else FAINTLY_PROMISING
            fit = self._recognizer.from_afar(corners, faces, size=size, least=least)
            if self._is_added(fit, _ANYWHERE if faces is None else _ON_RAILS):
                return True
        self._failed.append(_Failed(corners, faces, from_afar))
        return False

    def _has_read_part(self) -> bool:
        """Whether a new card was found where only a part of the picture had to be looked at."""
        return self._is_part and bool(self._cards.new())

    def _found_freely(self, fit: Fit) -> None:
        """Looks once more at a card that was found while its size was not known: it may have been skewed to fit."""
        for _ in range(_STRAIGHTENINGS):
            if fit.likeness >= WHOLLY:
                break
            size = np.sqrt(cv2.contourArea(fit.corners.astype(np.float32)) / np.prod(self._patterns.card_mm))
            square = self._recognizer.near(self._patterns.rigid(fit.corners, float(size)), None, is_size_known=False)
            if not self._is_added(square, _ANYWHERE):
                break
            fit = self._cards.all[-1]
        self._skewed.append(fit)

    def _straighten(self) -> None:
        """Looks once more at the cards that may be skewed, now that others tell as well how the table lies."""
        skewed, self._skewed = [fit for fit in self._skewed if is_one_of(fit, self._cards.all)], []
        for fit in skewed:
            straight = self._cards.straight(fit.corners)
            self._is_added(self._recognizer.near(straight, None, is_size_known=True), _ANYWHERE)

    def _asked_on_rails(self, fit: Fit | None, corners: Corners) -> _Asked:
        """What is asked for where rails lead: least where it lies just as they say."""
        if fit is None:
            return _ON_RAILS
        away = np.linalg.norm(fit.corners.mean(axis=0) - corners.mean(axis=0))
        mm = np.sqrt(cv2.contourArea(corners.astype(np.float32)) / np.prod(self._patterns.card_mm))
        return _JUST_THERE if away < _JUST_THERE_MM * mm else _ON_RAILS

    def _is_added(self, fit: Fit | None, asked: _Asked) -> bool:
        """Adds a card that is sure enough, and of a card's size; whether it was."""
        if fit is None or fit.face >= len(self._looks.ways_on):  # its back
            return False
        if not _is_likely(fit, _FAINT) or not is_card_shaped(fit.corners, self._patterns.card_mm):
            return False
        is_plain = fit.likeness >= WHOLLY or evidence(fit) >= SURE
        if not is_plain and not self._cards.are_as_large(fit.corners, _SIZE_SPREAD):
            return False
        if not self._cards.all and shorter_side(fit.corners) < SMALLEST_CARD_PX:
            asked = _SMALL
        if not _is_likely(fit, asked):
            self._faint.append(fit)
            return False
        return self._cards.settle(fit)


def _is_likely(fit: Fit, asked: _Asked) -> bool:
    return fit.likeness >= asked.likeness and evidence(fit) >= asked.evidence


def _total_evidence(fits: Iterable[Fit]) -> float:
    return sum(evidence(fit) for fit in fits)


def resized(picture: Picture, scale: float) -> Picture:
    """A picture at this scale of its size; the same where that is 1."""
    if scale == 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
