"""Reads a picture: which cards lie there, where, and which way round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alignment import WORTH_A_TRY, Corners, FacePatterns, Fit
from vision.cards import Deck
from vision.features import FaceFeatures, Proposal, joined, likely_scales, propose
from vision.hands import Region
from vision.naming import FaceNamer
from vision.outlines import SEARCHED_PX, card_outlines
from vision.rails_on import WayOn, ways_on
from vision.viewpoint import Viewpoint, estimate_viewpoint, from_above

Image = NDArray[np.uint8]

LEAST_LIKENESS: Final = 0.36
"""From here on a card that was read is taken to lie there still."""
_AS_SEEN: Final = [0, 1, 2, 3]
_MIRRORED: Final = [1, 0, 3, 2]
_LARGEST_PX: Final = 2000
"""Larger pictures are made smaller first: they would only take more memory."""
_KEYPOINTS_WIDTH: Final = 656
"""How many px wide the picture is made in which keypoints are looked for."""
_CLOSEST: Final = 0.5
"""The largest scale at which they are, where few cards were found, or only a part has to be looked at."""
_FEW: Final = 2
_TILE_PX: Final = 330
_OVERLAP_PX: Final = 40
_SMALLEST_PART_PX: Final = 16
_AROUND_PX: Final = 8

_ENOUGH_FIRST: Final = 2
_MOST_FIRST_TRIES: Final = 12
_FIRST_SIZES: Final = 3
_OTHER_GUESSES: Final = ((10.0, 1.0), (-10.0, 1.0), (0.0, 0.88), (0.0, 1.14))
"""By how many degrees, and how many times, a first proposal may be off."""
_MOST_PROPOSALS: Final = 40
_ENOUGH_FAILED: Final = 12
_ENOUGH_IN_A_PART: Final = 5
_SURE_OF_THE_TABLE: Final = 4
_ENOUGH_FOR_SIZE: Final = 2
_SIZE_SPREAD: Final = 0.15
_OUTLINE_SPREAD: Final = 0.3
_SAME_PX: Final = 6.0

_WORTH_NAMING: Final = 0.3
_WORTH_NAMING_ON_RAILS: Final = 0.2
_ROUNDS: Final = 3
_BETTER: Final = 0.02
_CLEAR_LEAD: Final = 0.03
_CLOSE: Final = 0.1
_PATTERN_COUNTS: Final = 2.0
"""Of cards with rails the pattern tells more than the looks do."""
_FAR_BETTER: Final = 0.15
_FAR_BETTER_RAILS: Final = 0.05

_LEAST_EVIDENCE: Final = 0.92
"""Likeness of looks and likeness of patterns together; each alone is sometimes fooled where nothing lies."""
_LEAST_ON_RAILS: Final = 0.84
"""The same where rails lead there: something is expected."""
_LEAST_JUST_THERE: Final = 0.56
"""The same where it lies as the rails say, to ``_JUST_THERE_MM``."""
_JUST_THERE_MM: Final = 2.5
_SURE: Final = 1.45
"""From this evidence on nothing better is looked for there."""
_QUITE_SURE: Final = 1.75
"""The same for what the outline of a card may tell."""
_WHOLLY: Final = 0.8
_LARGEST_OVERLAP: Final = 0.2
_COVERED: Final = 0.35


class CardReading(NamedTuple):
    """A card that was read: its face's id, its corners (4 × 2, px, of the upright face), and how sure it is.

    ``likeness`` is from -1 to 1, ``lead`` by how much its face fits better than any other.
    """

    face: str
    corners_px: Corners
    likeness: float
    lead: float


class Reader:
    """Reads pictures of tables with one deck."""

    def __init__(self, deck: Deck, faces: Mapping[str, Image], back: Image | None = None) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces by their ids; raises DeckError where they are plain.

        With a picture of the ``back``, a card that lies face down is never taken for a face, however much alike.
        """
        self.deck = deck
        self._ids = [face.id for face in deck.faces]
        pictures = [faces[face] for face in self._ids]
        sides = pictures if back is None else [*pictures, back]
        self._looks = _Looks(
            FaceFeatures(pictures, deck.card_mm),
            FacePatterns(sides, deck.card_mm),
            FaceNamer(sides, deck.card_mm),
            ways_on(deck),
        )

    def read(
        self, picture: Image, known: Sequence[CardReading] = (), changed: Sequence[Region] | None = None
    ) -> list[CardReading]:
        """Every card in a picture (B, G, R).

        ``known`` cards are taken to lie where they were read before, and say how the table lies. Others are looked for
        only where the picture has ``changed``, if that is told.
        """
        factor = min(1.0, _LARGEST_PX / max(picture.shape[:2]))
        if factor < 1:
            known = [card._replace(corners_px=card.corners_px * factor) for card in known]
            changed = (
                None if changed is None else [Region(*(round(side * factor) for side in part)) for part in changed]
            )
        found = self._found(_resized(picture, factor), known, changed)
        return [CardReading(self._ids[fit.face], fit.corners / factor, fit.likeness, fit.lead) for fit in found]

    def _found(self, picture: Image, known: Sequence[CardReading], changed: Sequence[Region] | None) -> list[Fit]:
        search = _Search(picture, self._looks, [self._fit(card) for card in known], changed)
        scale = min(_CLOSEST, _KEYPOINTS_WIDTH / max(picture.shape[:2]))
        for closer in dict.fromkeys((scale, _CLOSEST) if changed is None else (_CLOSEST,)):
            search.find_printed(closer)
            if search.has_more_than(_FEW):
                break
        search.find_outlined()
        if not search.found:
            search.find_by_other_guesses()
        return search.found

    def still_there(self, picture: Image, card: CardReading) -> float:
        """How much (-1 to 1) a card still looks like itself at the very place where it was read."""
        left, top = np.maximum(card.corners_px.min(axis=0) - _AROUND_PX, 0).astype(int) // 2 * 2
        right, bottom = np.maximum(card.corners_px.max(axis=0) + _AROUND_PX, 0).astype(int)
        part = picture[top:bottom, left:right]
        if min(part.shape[:2]) < 2:
            return -1.0
        fit = self._fit(card)
        return self._looks.patterns.likeness(_halved(part), fit.corners - (left, top), fit.face)

    def _fit(self, card: CardReading) -> Fit:
        return Fit(self._ids.index(card.face), card.corners_px, card.likeness, card.lead, 1.0)


class _Looks(NamedTuple):
    """What a deck's faces look like, in the ways in which they are looked for, and how their rails join."""

    features: FaceFeatures
    patterns: FacePatterns
    namer: FaceNamer
    ways_on: list[list[WayOn]]


class _Guess(NamedTuple):
    """A viewpoint that the table may be seen from, and where cards would then lie."""

    viewpoint: Viewpoint
    proposals: list[Proposal]


class _Search:
    """A search for cards in one picture: what has been found so far."""

    def __init__(self, picture: Image, looks: _Looks, known: Sequence[Fit], regions: Sequence[Region] | None) -> None:
        self.found = list(known)
        self._known = list(known)
        self._whole = picture
        self._half = _halved(picture)
        self._quarter = _halved(self._half)
        self._size = (picture.shape[1], picture.shape[0])
        self._looks = looks
        self._patterns = looks.patterns
        self._matches = joined([])
        self._guesses: list[_Guess] = []
        self._failed: list[tuple[Corners, tuple[int, ...] | None]] = []
        self._viewpoint_of: tuple[list[Fit], Viewpoint] | None = None
        self._is_part = regions is not None
        self._regions = [Region(0, 0, *self._size)] if regions is None else list(regions)

    def has_more_than(self, count: int) -> bool:
        """Whether more cards than so many have been found that nothing hides."""
        return len(self._wholly_seen()) > count

    def find_printed(self, scale: float) -> None:
        """Finds cards by what is printed on them, in the picture at this scale."""
        parts = self._parts(scale, _TILE_PX)
        self._matches = joined([self._looks.features.matches(part, scale, corner) for part, corner in parts])
        if not self.found:
            self._find_first()
        if self.found:
            self._find_others()

    def _parts(self, scale: float, widest: int) -> list[tuple[Image, tuple[int, int]]]:
        """The parts of the picture in which to look, at this scale of its size, and where they lie in it.

        Few are wider than ``widest``: all the copies that finding keypoints takes would not fit a small machine.
        """
        small = _resized(self._whole, scale)
        parts = []
        for region in self._regions:
            left, top = (max(round(side * scale), 0) for side in region[:2])
            right, bottom = (round((region[side] + region[side + 2]) * scale) for side in (0, 1))
            for start in range(left, max(right - _OVERLAP_PX, left + 1), widest):
                part = small[top:bottom, start : min(start + widest + _OVERLAP_PX, right)]
                if min(part.shape[:2]) >= _SMALLEST_PART_PX:
                    parts.append((np.ascontiguousarray(part), (start, top)))
        return parts

    def _find_first(self) -> None:
        """Finds a few cards when nothing is known of the table but how large most things look."""
        self._guesses.clear()
        for px_per_mm in likely_scales(self._matches):
            self._guesses.append(self._guess(px_per_mm))
            if self._has_begun(self._guesses[-1], 0.0, 1.0):
                return

    def find_by_other_guesses(self) -> None:
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
        return _Guess(viewpoint, propose(self._matches, viewpoint, _MOST_FIRST_TRIES))

    def _has_begun(self, guess: _Guess, turn_deg: float, size: float) -> bool:
        """Tries what was guessed, turned and made larger by this much; whether a card was found."""
        for proposal in guess.proposals:
            rotation_deg = proposal.rotation_deg + turn_deg
            corners = self._patterns.corners_at(proposal.centre_mm, rotation_deg, proposal.size * size)
            seen = guess.viewpoint.in_picture(corners)
            if self._is_free(seen):
                self._try(seen, is_size_known=False)
            if len(self._wholly_seen()) == _ENOUGH_FIRST:
                break
        return bool(self.found)

    def _find_others(self) -> None:
        """Finds the other cards, now that some tell how the table lies."""
        found = 0
        while found < len(self.found):
            found = len(self.found)
            self._follow_keypoints(until=found + 2 if found < _SURE_OF_THE_TABLE else None)
        self._follow_rails()

    def find_outlined(self) -> None:
        """Finds cards that lie by themselves, and show too few keypoints."""
        found = len(self.found)
        scale = min(1.0, SEARCHED_PX / max(self._size))
        for part, corner in self._parts(scale, self._size[0]):
            if self._is_part and self._is_explained(part, corner, scale):
                continue
            for outline in card_outlines(part, self._patterns.card_mm):
                corners = (outline + corner + 0.5) / scale - 0.5
                if not self._is_free(corners, _QUITE_SURE) or not self._has_card_size(corners, _OUTLINE_SPREAD):
                    continue
                if not self._try(corners, is_size_known=bool(self.found)):
                    self._is_added(self._named(corners), _LEAST_EVIDENCE)
        if len(self.found) > found:
            self._find_others()

    def _is_explained(self, part: Image, corner: tuple[int, int], scale: float) -> bool:
        """Whether a new card was found in this part of the picture."""
        start, end = np.array(corner) / scale, (np.array(corner) + part.shape[1::-1]) / scale
        middles = [fit.corners.mean(axis=0) for fit in self.found if not _is_one_of(fit, self._known)]
        return any(bool((start <= middle).all() and (middle < end).all()) for middle in middles)

    def _has_card_size(self, corners: Corners, spread: float) -> bool:
        """Whether this could be a card's outline, as far as the table is known."""
        if len(self._wholly_seen()) < _ENOUGH_FOR_SIZE:
            return True
        on_table = self._viewpoint().on_table(corners)
        sides = np.linalg.norm(np.roll(on_table, -1, axis=0) - on_table, axis=1)
        width, height = self._patterns.card_mm
        return bool(np.abs(np.log(sides / (width, height, width, height))).max() < spread)

    def _follow_keypoints(self, until: int | None) -> None:
        """Looks where keypoints agree on a card."""
        viewpoint, failed = self._viewpoint(), 0
        for proposal in propose(self._matches, viewpoint, _MOST_PROPOSALS):
            is_size_known = len(self._wholly_seen()) >= _ENOUGH_FOR_SIZE
            size = 1.0 if is_size_known else proposal.size
            seen = viewpoint.in_picture(self._patterns.corners_at(proposal.centre_mm, proposal.rotation_deg, size))
            if not self._is_free(seen):
                continue
            if self._try(seen, is_size_known=is_size_known):
                viewpoint, failed = self._viewpoint(), 0
            else:
                failed += 1
            if failed == (_ENOUGH_IN_A_PART if self._is_part else _ENOUGH_FAILED) or len(self.found) == until:
                return

    def _viewpoint(self) -> Viewpoint:
        """From where the table is seen, as the cards tell which are not hidden."""
        fits = self._wholly_seen() or self.found
        if self._viewpoint_of is None or not _are_same(fits, self._viewpoint_of[0]):
            cards = np.array([fit.corners for fit in fits])
            self._viewpoint_of = (list(fits), estimate_viewpoint(cards, self._patterns.card_mm, self._size))
        return self._viewpoint_of[1]

    def _wholly_seen(self) -> list[Fit]:
        """The cards that neither Emma nor a hand hides."""
        return [fit for fit in self.found if fit.likeness >= _WHOLLY]

    def _follow_rails(self) -> None:
        """Looks where the rails of the cards lead: a neighbour may be too faint to be found by itself."""
        followed: list[Fit] = []
        while fits := [fit for fit in self.found if not _is_one_of(fit, followed)]:
            fit = max(fits, key=lambda fit: fit.likeness)
            followed.append(fit)
            viewpoint = self._viewpoint()
            on_table = self._patterns.homography(self._patterns.rigid(viewpoint.on_table(fit.corners)))
            ways = self._looks.ways_on[fit.face]
            if not ways:
                continue
            places = cv2.perspectiveTransform(np.concatenate([way.corners_mm for way in ways])[None], on_table)[0]
            for way, corners in zip(ways, viewpoint.in_picture(places).reshape(-1, 4, 2), strict=True):
                if self._is_free(corners):
                    self._try(corners, way.faces)

    def _is_free(self, corners: Corners, sure: float = _SURE) -> bool:
        """Whether a card may be found there: where to look, and not on another that is as sure as this."""
        middle = corners.mean(axis=0)
        is_inside = any(
            region.left <= middle[0] < region.left + region.width
            and region.top <= middle[1] < region.top + region.height
            for region in self._regions
        )
        return is_inside and all(
            _overlap(corners, fit.corners) < _COVERED for fit in self.found if _evidence(fit) >= sure
        )

    def _try(self, corners: Corners, faces: tuple[int, ...] | None = None, *, is_size_known: bool = True) -> bool:
        """Adds the card that lies about there, if one does; whether it was added."""
        if any(which == faces and np.abs(corners - place).max() < _SAME_PX for place, which in self._failed):
            return False
        near = self._patterns.near(self._half, self._quarter, corners, faces)
        if near.likeness >= WORTH_A_TRY:
            worth_naming = _WORTH_NAMING if faces is None else _WORTH_NAMING_ON_RAILS
            fit = self._fitted(near, worth_naming, is_size_known=is_size_known)
            if self._is_added(fit, _LEAST_EVIDENCE if faces is None else self._least_on_rails(fit, corners)):
                return True
        self._failed.append((corners, faces))
        return False

    def _least_on_rails(self, fit: Fit | None, corners: Corners) -> float:
        """The evidence that is asked for where rails lead: least where it lies just as they say."""
        if fit is None:
            return _LEAST_ON_RAILS
        away = np.linalg.norm(fit.corners.mean(axis=0) - corners.mean(axis=0))
        mm = np.sqrt(cv2.contourArea(corners.astype(np.float32)) / np.prod(self._patterns.card_mm))
        return _LEAST_JUST_THERE if away < _JUST_THERE_MM * mm else _LEAST_ON_RAILS

    def _fitted(self, fit: Fit, worth_naming: float, *, is_size_known: bool) -> Fit | None:
        """The card that lies about there, laid on and named in turns as long as that makes it surer."""
        best: Fit | None = None
        for _ in range(_ROUNDS):
            slid = self._patterns.slid(self._half, fit.corners, fit.face, is_size_known=is_size_known)
            pattern = self._patterns.likeness(self._half, slid, fit.face)
            if pattern < worth_naming:
                break
            named = self._named(slid)
            if best is not None and _evidence(named) < _evidence(best) + _BETTER:
                break
            best = fit = named
            if _evidence(named) >= _SURE or named.likeness < WORTH_A_TRY:
                break
        return best

    def _named(self, corners: Corners) -> Fit:
        """The face that lies at just these corners."""
        fits = self._namings(corners, _AS_SEEN)
        if any(self._looks.ways_on):
            fits.sort(key=lambda fit: -fit.likeness - _PATTERN_COUNTS * fit.pattern)
            for fit in fits[1:]:
                first = fits[0]
                is_close = np.abs(fit.corners - first.corners).max() < _SAME_PX and fit.pattern > first.pattern - _CLOSE
                if is_close and self._patterns.is_rather(self._whole, fit.corners, fit.face, first.face):
                    fits[0] = fit._replace(likeness=max(fit.likeness, first.likeness))
            return fits[0]
        # Printings of a deck may mirror its symbols. Rails cannot: a left bend would be a right one.
        return max(fits + self._namings(corners, _MIRRORED), key=_evidence)

    def _namings(self, corners: Corners, order: list[int]) -> list[Fit]:
        """The face that is named there, and if that is not clear those which come close."""
        named = self._looks.namer.name(self._whole, corners[order])
        is_clear = named.likeness >= _WHOLLY and named.likeness >= named.next_likeness + _CLEAR_LEAD
        namings = (named,) if is_clear else (named, *named.rivals)
        # The namer finds the place again, and what hides a part of the card may mislead it: the given one may be right.
        fits = []
        for one in namings:
            given = np.roll(corners[order], 2 * one.turned, axis=0)
            pattern, place = max(
                ((self._patterns.likeness(self._half, place, one.face), place) for place in (one.corners, given)),
                key=lambda judged: judged[0],
            )
            fits.append(Fit(one.face, place[order], one.likeness, one.likeness - one.next_likeness, pattern))
        if not is_clear:
            face, place, pattern = self._patterns.most_alike(self._half, corners[order])
            # The namer sees little in a haze. Of cards with rails the pattern then says more, of others their colours.
            far_better = _FAR_BETTER_RAILS if any(self._looks.ways_on) else _FAR_BETTER
            if pattern > max(fit.pattern for fit in fits) + far_better:
                fits.append(Fit(face, place[order], named.likeness, 0.0, pattern))
        return fits

    def _is_added(self, fit: Fit | None, least: float) -> bool:
        """Adds a card that is sure enough, and of a card's size; whether it was."""
        if fit is None or fit.face >= len(self._looks.ways_on):  # its back
            return False
        if fit.likeness < LEAST_LIKENESS or _evidence(fit) < least or not _is_card_shaped(fit.corners):
            return False
        if fit.likeness < _WHOLLY and not self._has_card_size(fit.corners, _SIZE_SPREAD):
            return False
        return self._settle(fit)

    def _settle(self, fit: Fit) -> bool:
        """Adds a card, unless one that is known or fits better lies there; those that fit worse there have to go."""
        rivals = [other for other in self.found if _overlap(fit.corners, other.corners) > _LARGEST_OVERLAP]
        if any(fit.likeness <= other.likeness or _is_one_of(other, self._known) for other in rivals):
            return False
        self.found[:] = [*(kept for kept in self.found if not _is_one_of(kept, rivals)), fit]
        return True


def _evidence(fit: Fit) -> float:
    return fit.likeness + fit.pattern


def _is_card_shaped(corners: Corners) -> bool:
    """Whether alignment has not run away: convex, and its opposite sides of about one length."""
    if not cv2.isContourConvex(corners.astype(np.float32)):
        return False
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    opposite = np.maximum(sides[:2] / np.maximum(sides[2:], 1e-6), sides[2:] / np.maximum(sides[:2], 1e-6))
    return bool(sides.min() > 8 and opposite.max() < 1.35)


def _is_one_of(fit: Fit, fits: Sequence[Fit]) -> bool:
    """Whether it is among these, and not only like one of them."""
    return any(fit is other for other in fits)


def _are_same(fits: Sequence[Fit], others: Sequence[Fit]) -> bool:
    return len(fits) == len(others) and all(fit is other for fit, other in zip(fits, others, strict=True))


def _overlap(corners: Corners, others: Corners) -> float:
    """The share of a card that lies over another one."""
    outline = corners.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(outline, others.astype(np.float32))
    return float(common / max(cv2.contourArea(outline), 1.0))


def _halved(picture: Image) -> Image:
    return _resized(picture, 0.5)


def _resized(picture: Image, scale: float) -> Image:
    if scale == 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
