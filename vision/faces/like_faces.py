"""Tells faces apart that are alike but for a numeral, by nothing but the spots in which they differ.

Over a whole card noise, light and a millimetre's doubt of its place outweigh what a small numeral differs by. So the
card is laid onto the face that it was taken for, as finely as pictures show it, and of each two faces that are much
alike only the spots count in which they differ, each where it fits best near there. How it is laid on is the same for
both: what they have in common says where the card lies, and nothing about which of them it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Flags, Floats32, Picture
from vision.faces.alignment import unit_rows
from vision.faces.upright_cards import UprightCards

PX_PER_MM: Final = 2.0
"""A numeral 3.5 mm high has strokes of about half a millimetre: a pixel of this size shows them."""
_SMOOTH_PX: Final = 0.6
_SURROUNDINGS_MM: Final = 3.0
"""What is printed is finer than this, what lamps do is wider."""
_WIDE_MM: Final = 15.0
_RIM_MM: Final = 2.0
"""So near to the border of a card neighbours and shadows show."""
_MARGIN_MM: Final = 3.0
_ALIKE: Final = 0.35
"""The correlation from which on two faces may be taken for one another; the most alike are compared.

Where nothing but a numeral tells values apart they have 0.9, and faces with other rails up to 0.46; where all faces of
a deck share a strong ground, any two may have 0.9. What is less alike than this, the looks of the whole card tell.
"""
_MOST_ALIKE: Final = 9
_BEYOND_NOISE: Final = 4.0
"""In standard deviations: a spot differs for sure, among some ten thousand of a card."""
_AROUND_MM: Final = 1.0
"""How far around spots that differ belongs to them: a shape is told by where its ink ends, too."""
_MOST_PATCHES: Final = 8
_LITTLE: Final = 0.1
"""A part that tells less than this beside the plainest one is noise, or where faces were cut out otherwise."""
_TIE: Final = 1.0
"""What noise makes: the one that is more alike on the whole stays."""
_MOSTLY: Final = 0.8
_REACH_PX: Final = 4
"""So far a part may lie from where it is looked for: cards are read, and faces cut out, to about a millimetre."""
_HIDDEN: Final = 0.45
"""What is so much lighter or darker (the logarithm) than every face that it may be is hidden by something."""
_HIDING_MM: Final = 5.0
_RUNS_AWAY_MM: Final = 3.5
_ROUNDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 12, 1e-3)
_ECC_BLUR_PX: Final = 3
_FARTHEST: Final = 0.99


class Told(NamedTuple):
    """The likeliest of the faces that are much alike, whether it lies the other way up, and by how much it leads.

    ``lead`` is that over the one that comes next, ``ahead`` over the one that the card was taken for (infinite if it is
    that), both in standard deviations, as if each spot had noise of its own. Where what tells two faces apart is
    hidden there is no lead.
    """

    face: int
    turned: bool
    lead: float
    ahead: float


class _Rival(NamedTuple):
    """A face that may lie there, and whether it does so the other way up."""

    face: int
    turned: bool


class _Patch(NamedTuple):
    """A part of a card (its top left spot) in which two faces differ, and what each of them has there."""

    row: int
    column: int
    one: Floats32
    other: Floats32


class LikeFaces:
    """Knows of each face of a deck which others are much alike, and where they differ."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        self._faces = faces
        self._cards = UprightCards(card_mm, PX_PER_MM)
        self._size = self._cards.size
        self._margin = round(_MARGIN_MM * PX_PER_MM)
        self._differences: dict[tuple[_Rival, _Rival], list[_Patch]] = {}

    def told(self, picture: Picture, corners: Corners, face: int, among: Collection[int] | None = None) -> Told | None:
        """Which face lies at these corners (px, to 2 mm) that was taken for this one; None if it has none like it.

        ``picture`` is the whole picture (h × w × 3, B, G, R). With ``among`` it can be one of these only.
        """
        named = _Rival(face, turned=False)
        rivals = [named, *self._alike[face]]
        if among is not None:
            rivals = [rival for rival in rivals if rival.face in among]
        if among is not None and face not in among:  # what it was taken for is no help then
            rivals = [_Rival(other, turned) for other in among for turned in (False, True)]
        if len({rival.face for rival in rivals}) < 2 and (not rivals or rivals[0].face == face):
            return None
        light = self._seen(picture, corners)
        fine = _raised(light, _SURROUNDINGS_MM)
        as_given = np.array([[1, 0, self._margin], [0, 1, self._margin]], np.float32)
        bare = self._shown(self._laid_on(light, as_given), rivals)
        to_card = self._aligned(fine, face, bare) if rivals[0] == named else as_given
        card, shown = self._laid_on(fine, to_card), self._shown(self._laid_on(light, to_card), rivals)
        best = rivals[0]
        for rival in rivals[1:]:
            if self._ahead(card, shown, best, rival) < -_TIE:
                best = rival
        lead = self._lead(card, shown, best, rivals)
        if lead < -_TIE:  # it has beaten all that came after it, but not the one that it beat another for
            leads = [self._lead(card, shown, rival, rivals) for rival in rivals]
            lead, best = max(zip(leads, rivals, strict=True), key=lambda one: one[0])
        ahead = self._ahead(card, shown, best, named) if named in rivals else np.inf
        return Told(best.face, best.turned, lead, ahead)

    def _lead(self, card: Floats32, shown: Flags, one: _Rival, rivals: Sequence[_Rival]) -> float:
        """By how much a face is ahead of the one among the others that comes nearest to it."""
        return min((self._ahead(card, shown, one, rival) for rival in rivals if rival.face != one.face), default=0.0)

    @cached_property
    def _fine(self) -> Floats32:
        """How much lighter or darker what is printed on each face is than what is beside it."""
        return self._raised_faces(_SURROUNDINGS_MM)

    @cached_property
    def _wide(self) -> Floats32:
        """The same beside wider surroundings: large things show."""
        return self._raised_faces(_WIDE_MM)

    def _raised_faces(self, surroundings_mm: float) -> Floats32:
        return np.stack([_raised(_light(_shrunk(face, self._size)), surroundings_mm) for face in self._faces])

    @cached_property
    def _alike(self) -> list[list[_Rival]]:
        """Of each face those that are much alike, the most alike first."""
        rim = round(_RIM_MM * PX_PER_MM)
        # Smoothed, or half a millimetre between two cut-outs would make two pictures of one line quite different.
        rows = [cv2.GaussianBlur(face, (0, 0), PX_PER_MM / 2)[rim:-rim:2, rim:-rim:2].ravel() for face in self._fine]
        upright = unit_rows(np.stack(rows))
        alike = np.concatenate([upright @ upright.T, upright @ upright[:, ::-1].T], axis=1)
        found = []
        for index, likeness in enumerate(alike):
            order = [int(other) for other in np.argsort(-likeness) if likeness[other] > _ALIKE and other != index]
            rivals = [_Rival(other % len(rows), other >= len(rows)) for other in order[:_MOST_ALIKE]]
            found.append(rivals)
        return found

    def _seen(self, picture: Picture, corners: Corners) -> Floats32:
        """The logarithm of the brightness there, upright, with a margin."""
        return _light(self._cards.cut(picture, corners, self._margin))

    def _aligned(self, fine: Floats32, face: int, bare: Flags) -> Floats32:
        """Where the face lies in what was cut out: an affine matrix (2 × 3) from the face's pixels."""
        rim, margin = round(_RIM_MM * PX_PER_MM), self._margin
        inner = self._fine[face][rim:-rim, rim:-rim]
        mask = np.pad(bare, margin - _REACH_PX, constant_values=True).astype(np.uint8)
        fine = fine * mask
        likeness = cv2.matchTemplate(fine[rim:-rim, rim:-rim], inner, cv2.TM_CCOEFF_NORMED)
        _, _, _, (x, y) = cv2.minMaxLoc(likeness)
        start = np.array([[1, 0, x], [0, 1, y]], np.float32)
        if not 0 < x < 2 * margin or not 0 < y < 2 * margin:  # at the end of its reach it has found something else
            start = np.array([[1, 0, margin], [0, 1, margin]], np.float32)
        try:
            _, moved = cv2.findTransformECC(
                self._fine[face], fine, start.copy(), cv2.MOTION_AFFINE, _ROUNDS, 255 * mask, _ECC_BLUR_PX
            )
        except cv2.error:  # nothing alike there
            return start
        found = np.asarray(moved, np.float32)
        width, height = self._size
        outline = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)], np.float32)
        if np.abs(outline @ (found - start).T).max() > _RUNS_AWAY_MM * PX_PER_MM:
            return start
        # On a bent card, or where little shows, it may end at a worse place than it began.
        inside = slice(rim + _REACH_PX, -rim - _REACH_PX)
        places = [self._laid_on(fine, place)[inside, inside].ravel() for place in (start, found)]
        before, after, sought = unit_rows(np.stack([*places, inner.ravel()]))
        return np.asarray(found if after @ sought > before @ sought else start, np.float32)

    def _laid_on(self, seen: Floats32, to_card: Floats32) -> Floats32:
        """The card as the face lies, with the margin that shifting needs."""
        width, height = (side + 2 * _REACH_PX for side in self._size)
        matrix = to_card.copy()
        matrix[:, 2] -= to_card[:, :2] @ np.array([_REACH_PX, _REACH_PX], np.float32)
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        card = cv2.warpAffine(seen, matrix, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(card, np.float32)

    def _shown(self, light: Floats32, rivals: Sequence[_Rival]) -> Flags:
        """Which spots of the card, with its margin, nothing hides: one at least of the faces explains them."""
        seen = _raised(light, _WIDE_MM)[_REACH_PX:-_REACH_PX, _REACH_PX:-_REACH_PX]
        off = np.full(seen.shape, np.inf, np.float32)
        for rival in rivals:
            face = self._wide[rival.face]
            off = np.minimum(off, np.abs(seen - (face[::-1, ::-1] if rival.turned else face)))
        hidden = (cv2.GaussianBlur(off, (0, 0), PX_PER_MM / 2) > _HIDDEN).astype(np.uint8)
        side = round(_HIDING_MM * PX_PER_MM)
        hidden = np.asarray(
            cv2.morphologyEx(hidden, cv2.MORPH_OPEN, np.ones((side // 2, side // 2), np.uint8)), np.uint8
        )
        hidden = np.asarray(cv2.dilate(hidden, np.ones((side // 2, side // 2), np.uint8)), np.uint8)
        return np.asarray(np.pad(hidden, _REACH_PX, mode="edge") == 0)

    def _ahead(self, card: Floats32, shown: Flags, one: _Rival, other: _Rival) -> float:
        """By how many standard deviations one face is likelier than another; negative where it is not."""
        if one.face == other.face:
            return np.inf
        ahead = 0.0
        for patch in self._patches(one, other):
            height, width = patch.one.shape
            rows, columns = (
                slice(start, start + side + 2 * _REACH_PX)
                for start, side in ((patch.row, height), (patch.column, width))
            )
            if np.count_nonzero(shown[rows, columns]) < _MOSTLY * shown[rows, columns].size:
                continue
            # Each finds its own best place: what is taught of it may lie otherwise than what is taught of the other.
            likeness = [
                float(cv2.matchTemplate(card[rows, columns], face, cv2.TM_CCOEFF_NORMED).max())
                for face in (patch.one, patch.other)
            ]
            one_alike, other_alike = np.arctanh(np.clip(likeness, -_FARTHEST, _FARTHEST))
            ahead += float(one_alike - other_alike) * np.sqrt(patch.one.size)
        return ahead

    def _patches(self, one: _Rival, other: _Rival) -> list[_Patch]:
        """Where two faces differ by more than noise does, the plainest parts first."""
        if (one, other) not in self._differences:
            self._differences[one, other] = self._differing(self._face(one), self._face(other))
        return self._differences[one, other]

    def _differing(self, one: Floats32, other: Floats32) -> list[_Patch]:
        rim, around = round(_RIM_MM * PX_PER_MM), round(_AROUND_MM * PX_PER_MM)
        off = np.abs(cv2.GaussianBlur(one - other, (0, 0), _SMOOTH_PX))[rim:-rim, rim:-rim]
        noise = 1.4826 * float(np.median(off))
        differ = np.pad((off > _BEYOND_NOISE * noise).astype(np.uint8), rim)
        near = cv2.dilate(differ, np.ones((around + 1, around + 1), np.uint8))
        count, labels, boxes, _ = cv2.connectedComponentsWithStats(near)
        # What a part tells: how far apart the faces are there, all in all.
        told = np.bincount(labels.ravel(), ((one - other) ** 2 * differ).ravel(), count)
        patches = []
        for part in np.argsort(-told)[:_MOST_PATCHES]:
            if not part or told[part] < _LITTLE * told[1:].max():
                continue
            left, top, width, height = (int(side) for side in boxes[part][:4])
            top, left = max(top - around, 0), max(left - around, 0)
            rows, columns = slice(top, top + height + 2 * around), slice(left, left + width + 2 * around)
            patches.append(_Patch(top, left, one[rows, columns], other[rows, columns]))
        return patches

    def _face(self, rival: _Rival) -> Floats32:
        face = self._fine[rival.face]
        return np.asarray(face[::-1, ::-1] if rival.turned else face)


def _shrunk(face: Picture, size: tuple[int, int]) -> Picture:
    small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), _SMOOTH_PX), np.uint8)


def _light(picture: cv2.typing.MatLike) -> Floats32:
    """The logarithm of the brightness, where what is nearly black is all the same."""
    return np.asarray(np.log(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32) + 8.0), np.float32)


def _raised(light: Floats32, surroundings_mm: float) -> Floats32:
    """How much lighter or darker a spot is than its surroundings."""
    return np.asarray(light - cv2.GaussianBlur(light, (0, 0), surroundings_mm * PX_PER_MM), np.float32)
