"""Tells faces apart that are alike but for a numeral, by nothing but the spots in which they differ.

Over a whole card noise, light and a millimetre's doubt of its place outweigh what a small numeral differs by. So the
card is laid onto the face that it was taken for, as finely as pictures show it, and of each two faces that are much
alike only the spots count in which they differ, each where it fits best near there. How it is laid on is the same for
both: what they have in common says where the card lies, and nothing about which of them it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Flags, Floats32, Mask, Picture, Points
from vision.faces.alignment import unit_rows
from vision.faces.laid_card import REACH_PX, DifferingPart, LaidCard, squared_doubt
from vision.faces.upright_cards import UprightCards

PX_PER_MM: Final = 2.0
"""A numeral 3.5 mm high has strokes of about half a millimetre: a pixel of this size shows them."""
_SMOOTH_PX: Final = 0.6
_SURROUNDINGS_MM: Final = 3.0
"""What is printed is finer than this, what lamps do is wider."""
_WIDE_MM: Final = 15.0
_RIM_MM: Final = 2.0
"""So near to the border of a card neighbours and shadows show."""
_MARGIN_MM: Final = 6.0
"""So far off is a card that was laid on a sleeper beside where it lies."""
_NEAR: Final = np.ones((5, 5), np.uint8)
_SCALES: Final = (0.92, 0.96, 1.0, 1.04, 1.08)
_TURNS_DEG: Final = (-2.0, 0.0, 2.0)
_DIFFERENT_MM: Final = 1.5
_NEARLY_AS_ALIKE: Final = 0.15
_MOST_PLACES: Final = 3
_ALIKE: Final = 0.35
"""The correlation from which on two faces may be taken for one another; those most like the card are compared.

Where nothing but a numeral tells values apart they have 0.9, and faces with other rails up to 0.46; where all faces of
a deck share a strong ground, any two may have 0.9. What is less alike than this, the looks of the whole card tell.
"""
_MOST_ALIKE: Final = 9
_BEYOND_NOISE: Final = 3.0
"""In standard deviations: a spot differs for sure, among some ten thousand of a card."""
_AROUND_MM: Final = 1.0
"""How far around spots that differ belongs to them: a shape is told by where its ink ends, too."""
_MOST_PARTS: Final = 12
_ROUNDS_MORE: Final = 2
_BLURS_PX: Final = (0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, -0.5, -0.75, -1.0, -1.25, -1.5)
"""How much softer a card may be seen than its face was when it was taught, or sharper."""
_REACH_PX: Final = 4
"""What is kept of a card beyond its border."""
_HIDDEN: Final = 0.45
"""What is so much lighter or darker (the logarithm) than every face that it may be is hidden by something."""
_HIDING_MM: Final = 5.0
_BESIDE_MM: Final = 3.0
"""So far around what hides a card its shadow lies, and what juts out of it."""
_A_LITTLE: Final = 0.1
_RUNS_AWAY_MM: Final = 3.5
_ROUNDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 12, 1e-3)
_ECC_BLUR_PX: Final = 3
_CUT_OUT_MM: Final = 3.0
"""So far the same spot of two faces may be off at most: more is another print."""


class Rival(NamedTuple):
    """A face that may lie there, whether it does so the other way up, and how far it is behind the likeliest one.

    That is the logarithm of the odds.
    """

    face: int
    turned: bool
    behind: float


class Told(NamedTuple):
    """The likeliest of the faces that are much alike, whether it lies the other way up, and by how much it leads.

    ``lead`` is that over the one that comes next, ``ahead`` over the one that the card was taken for (infinite if it is
    that), both the logarithm of the odds. Where what tells two faces apart is hidden there is no lead. ``rivals`` are
    all the others.
    """

    face: int
    turned: bool
    lead: float
    ahead: float
    rivals: tuple[Rival, ...]


class _Rival(NamedTuple):
    """A face that may lie there, and whether it does so the other way up."""

    face: int
    turned: bool


class LikeFaces:
    """Knows of each face of a deck which others are much alike, and where they differ."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        self._faces = faces
        self._cards = UprightCards(card_mm, PX_PER_MM)
        self._size = self._cards.size
        self._margin = round(_MARGIN_MM * PX_PER_MM)
        rim = round(_RIM_MM * PX_PER_MM)
        self._inner = np.zeros(self._size[::-1], bool)
        self._inner[rim:-rim, rim:-rim] = True
        self._on_card = np.pad(self._inner, _REACH_PX)
        self._differences: dict[tuple[_Rival, ...], list[DifferingPart]] = {}
        self._laid_on_others: dict[tuple[_Rival, _Rival], Floats32] = {}

    def told(
        self,
        picture: Picture,
        corners: Corners,
        face: int,
        among: Collection[int] | None = None,
        hidden_px: Points | None = None,
    ) -> Told | None:
        """Which face lies at these corners (px, to 2 mm) that was taken for this one; None if it has none like it.

        ``picture`` is the whole picture (h × w × 3, B, G, R). With ``among`` it can be one of these only, and with
        ``hidden_px`` (n × 2, convex) something hides that part of the picture.
        """
        first = told = self._told_from(picture, corners, face, among, hidden_px)
        taken_for = face
        # Laid on as what it was taken for, it may only be seen that it is another one, whose like differ elsewhere.
        for _ in range(_ROUNDS_MORE):
            if first is None or told is None or told.turned or told.face == taken_for:
                break
            taken_for = told.face
            told = self._told_from(picture, corners, taken_for, among, hidden_px)
        if first is None or told is None:
            return first
        return told._replace(ahead=np.inf if told.face == face else first.ahead)

    def _told_from(
        self,
        picture: Picture,
        corners: Corners,
        face: int,
        among: Collection[int] | None,
        hidden_px: Points | None,
    ) -> Told | None:
        """The same, by those that are like this one only."""
        light = self._seen(picture, corners)
        covered = self._covered(corners, hidden_px)
        named = _Rival(face, turned=False)
        rivals = [named, *self._alike[face]]
        if among is not None:
            rivals = [rival for rival in rivals if rival.face in among]
        if among is not None and face not in among:  # what it was taken for is no help then
            rivals = [_Rival(other, turned) for other in among for turned in (False, True)]
        if len({rival.face for rival in rivals}) < 2 and (not rivals or rivals[0].face == face):
            return None
        as_given = self._as_given
        bare = self._shown(self._laid_on(light, as_given), rivals) & (self._laid_on(covered, as_given) < _A_LITTLE)
        fine = _raised(light, _SURROUNDINGS_MM, np.pad(bare, self._margin - _REACH_PX, constant_values=True))
        places = self._places(fine, face, bare) if rivals[0] == named else [as_given]
        if len(rivals) > _MOST_ALIKE:
            rivals = self._likeliest(fine, places[0], bare, rivals)
        found = []
        for to_card in places:
            shown = self._shown(self._laid_on(light, to_card), rivals) & (self._laid_on(covered, to_card) < _A_LITTLE)
            printed = _raised(self._laid_on(light, to_card), _SURROUNDINGS_MM, self._on_card & shown)
            found.append(self._told_there(printed, shown, rivals, named))
        return max(found, key=lambda one: one[1])[0]

    def _told_there(self, card: Floats32, shown: Flags, rivals: Sequence[_Rival], named: _Rival) -> tuple[Told, float]:
        """Which of the rivals is likeliest on a card laid on so, and how alike (-1 to 1) it is to what shows."""
        edge, more = _REACH_PX - REACH_PX, slice(_REACH_PX, -_REACH_PX)
        bare = shown[more, more]
        softer = self._softer(card[more, more], bare, self._face(rivals[0]))
        if softer < 0:
            card = _soft(card, -softer)
        laid = LaidCard(card[edge:-edge, edge:-edge], bare, _soft(self._face(rivals[0]), softer), self._inner)
        for index, rival in enumerate(rivals):
            laid.add(index, _soft(self._registered(rivals[0], rival), softer))
        numbered = list(enumerate(rivals))

        def ahead(one: int, other: int) -> float:
            return laid.odds(one, other, self._parts(rivals[0], rivals[one], rivals[other]))

        def least_ahead(one: int) -> float:
            return min((ahead(one, index) for index, _ in numbered if index != one), default=0.0)

        best = max(range(len(rivals)), key=least_ahead)
        likeliest = rivals[best]
        behind = [Rival(*rival, ahead(best, index)) for index, rival in numbered if rival.face != likeliest.face]
        lead = min((rival.behind for rival in behind), default=0.0)
        is_named = likeliest.face == named.face or named not in rivals
        told = Told(*likeliest, lead, np.inf if is_named else ahead(best, rivals.index(named)), tuple(behind))
        seen, print_there = unit_rows(
            np.stack([side[bare & self._inner] for side in (card[more, more], self._face(likeliest))])
        )
        return told, float(seen @ print_there)

    def _softer(self, card: Floats32, bare: Flags, face: Floats32) -> float:
        """By how much the card is seen softer than the face was (px of a Gaussian blur), or sharper, if negative."""
        counted = bare & self._inner
        alike = {}
        for blur in _BLURS_PX:
            rows = unit_rows(np.stack([_soft(card, -blur)[counted], _soft(face, blur)[counted]]))
            alike[blur] = float(rows[0] @ rows[1])
        return max(alike, key=lambda blur: alike[blur])

    @cached_property
    def _fine(self) -> Floats32:
        """How much lighter or darker what is printed on each face is than what is beside it."""
        return self._raised_faces(_SURROUNDINGS_MM)

    @cached_property
    def _wide(self) -> Floats32:
        """The same beside wider surroundings: large things show."""
        return self._raised_faces(_WIDE_MM)

    def _raised_faces(self, surroundings_mm: float) -> Floats32:
        lights = [_light(_shrunk(face, self._size)) for face in self._faces]
        return np.stack([_raised(light, surroundings_mm, self._inner) for light in lights])

    @cached_property
    def _alike(self) -> list[list[_Rival]]:
        """Of each face those that are much alike, the most alike first."""
        rows, count = self._smoothed, len(self._faces)
        found = []
        for index, likeness in enumerate(rows[:count] @ rows.T):
            order = [int(other) for other in np.argsort(-likeness) if likeness[other] > _ALIKE and other != index]
            found.append([_Rival(other % count, other >= count) for other in order])
        return found

    @cached_property
    def _smoothed(self) -> Floats32:
        """All faces, and then all the other way up, as rows that can be compared by multiplying them."""
        upright = np.stack([self._smooth(face) for face in self._fine])
        return unit_rows(np.concatenate([upright, upright[:, ::-1]]))

    def _smooth(self, fine: Floats32) -> Floats32:
        """What a card's looks are but for a doubt of place of half a millimetre, which would hide what is thin."""
        rim = round(_RIM_MM * PX_PER_MM)
        return np.asarray(cv2.GaussianBlur(fine, (0, 0), PX_PER_MM / 2)[rim:-rim:2, rim:-rim:2].ravel(), np.float32)

    def _likeliest(self, fine: Floats32, to_card: Floats32, bare: Flags, rivals: Sequence[_Rival]) -> list[_Rival]:
        """The rivals that are most like the card, where it is bare, the one that it was laid on as first."""
        inside = slice(_REACH_PX, -_REACH_PX)
        shown = self._smooth(bare[inside, inside].astype(np.float32))
        rows = self._smoothed[[rival.face + rival.turned * len(self._faces) for rival in rivals]]
        seen = self._smooth(self._laid_on(fine, to_card)[inside, inside])
        likeness = unit_rows(shown * rows) @ (shown * seen)
        first, *others = rivals
        order = sorted(range(len(others)), key=lambda index: -float(likeness[1 + index]))
        return [first, *(others[index] for index in order[:_MOST_ALIKE])]

    def _seen(self, picture: Picture, corners: Corners) -> Floats32:
        """The logarithm of the brightness there, upright, with a margin."""
        return _light(self._cards.cut(picture, corners, self._margin))

    def _covered(self, corners: Corners, hidden_px: Points | None) -> Floats32:
        """What is hidden of the card (0 or 1), upright, with a margin."""
        width, height = (side + 2 * self._margin for side in self._size)
        covered = np.zeros((height, width), np.float32)
        if hidden_px is not None:
            goal = (self._cards.outline + self._margin).astype(np.float32)
            to_card = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
            outline = cv2.perspectiveTransform(hidden_px[None].astype(np.float64), to_card)[0]
            cv2.fillConvexPoly(covered, outline.round().astype(np.int32), (1,))
            around = 2 * round(_BESIDE_MM * PX_PER_MM) + 1
            covered = np.asarray(cv2.dilate(covered, np.ones((around, around), np.uint8)), np.float32)
        return covered

    def _places(self, fine: Floats32, face: int, bare: Flags) -> list[Floats32]:
        """Where the face may lie in what was cut out: affine matrices (2 × 3) from the face's pixels.

        On plain ground it may as well lie a sleeper or two farther along its rails.
        """
        margin = self._margin
        mask = np.pad(bare, margin - _REACH_PX, constant_values=True).astype(np.uint8)
        fine = fine * mask
        starts = self._starts(cv2.resize(fine, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), face)
        return [self._aligned(fine, face, mask, start) for start in starts]

    def _starts(self, seen: cv2.typing.MatLike, face: int) -> list[Floats32]:
        """About where the face may lie in what was cut out, halved: where it was read, and the likeliest other places.

        Corners that were read badly make a card larger or smaller, or turn it a little.
        """
        rim = round(_RIM_MM * PX_PER_MM / 2)
        small = cv2.resize(self._fine[face], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        inner = small[rim:-rim, rim:-rim]
        middle = (np.array(seen.shape[1::-1]) - 1) / 2
        found: list[tuple[float, Floats32]] = []
        for scale, turn_deg in product(_SCALES, _TURNS_DEG):
            turned = cv2.getRotationMatrix2D(middle.tolist(), turn_deg, scale)
            there = cv2.warpAffine(seen, turned, seen.shape[1::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
            likeness = cv2.matchTemplate(there[rim:-rim, rim:-rim], inner, cv2.TM_CCOEFF_NORMED)
            tops = likeness == cv2.dilate(likeness, _NEAR)
            tops[[0, -1]] = tops[:, [0, -1]] = False  # at the end of its reach it has found something else
            for y, x in np.argwhere(tops):
                place = turned.copy()
                place[:, 2] += turned[:, :2] @ (x, y)
                # From halved pixels to whole ones, whose middles lie a quarter of a pixel elsewhere.
                place[:, 2] = 2 * place[:, 2] + 0.5 - 0.5 * place[:, :2].sum(axis=1)
                found.append((float(likeness[y, x]), place.astype(np.float32)))
        found.sort(key=lambda one: -one[0])
        starts = [self._as_given]
        for alike, place in found:
            if alike < found[0][0] - _NEARLY_AS_ALIKE or len(starts) == _MOST_PLACES:
                break
            if all(self._apart_px(place, other) > _DIFFERENT_MM * PX_PER_MM for other in starts):
                starts.append(place)
        return starts

    def _apart_px(self, one: Floats32, other: Floats32) -> float:
        """How far a corner of a card is off if it lies at one of two places rather than at the other."""
        width, height = self._size
        outline = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)], np.float32)
        return float(np.abs(outline @ (one - other).T).max())

    def _aligned(self, fine: Floats32, face: int, mask: Mask, start: Floats32) -> Floats32:
        """Where exactly the face lies in what was cut out, about there."""
        rim = round(_RIM_MM * PX_PER_MM)
        inner = self._fine[face][rim:-rim, rim:-rim]
        try:
            _, moved = cv2.findTransformECC(
                self._fine[face], fine, start.copy(), cv2.MOTION_AFFINE, _ROUNDS, 255 * mask, _ECC_BLUR_PX
            )
        except cv2.error:  # nothing alike there
            return start
        found = np.asarray(moved, np.float32)
        if self._apart_px(found, start) > _RUNS_AWAY_MM * PX_PER_MM:
            return start
        # On a bent card, or where little shows, it may end at a worse place than it began.
        inside = slice(rim + _REACH_PX, -rim - _REACH_PX)
        places = [self._laid_on(fine, place)[inside, inside].ravel() for place in (start, found)]
        before, after, sought = unit_rows(np.stack([*places, inner.ravel()]))
        return np.asarray(found if after @ sought > before @ sought else start, np.float32)

    @property
    def _as_given(self) -> Floats32:
        """The matrix of a card that lies just where it was read."""
        return np.array([[1, 0, self._margin], [0, 1, self._margin]], np.float32)

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
        seen = _raised(light, _WIDE_MM, self._on_card)[_REACH_PX:-_REACH_PX, _REACH_PX:-_REACH_PX]
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

    def _parts(self, taken_for: _Rival, one: _Rival, other: _Rival) -> list[DifferingPart]:
        """Where two faces, laid onto a third, differ by more than noise does, the plainest parts first."""
        key = taken_for, *sorted((one, other))
        if key not in self._differences:
            self._differences[key] = self._differing(*(self._registered(taken_for, rival) for rival in (one, other)))
        return self._differences[key]

    def _registered(self, taken_for: _Rival, rival: _Rival) -> Floats32:
        """A face laid onto one that it is like: each was cut out to a part of a millimetre only.

        Otherwise rails that both have would differ along all their length, by chance.
        """
        if taken_for == rival:
            return self._face(rival)
        if (taken_for, rival) not in self._laid_on_others:
            face, start = self._face(rival), np.eye(2, 3, dtype=np.float32)
            try:
                _, found = cv2.findTransformECC(
                    self._face(taken_for),
                    face,
                    start.copy(),
                    cv2.MOTION_AFFINE,
                    _ROUNDS,
                    np.full(face.shape, 255, np.uint8),
                    _ECC_BLUR_PX,
                )
            except cv2.error:  # they have nothing in common
                found = start
            if self._apart_px(np.asarray(found, np.float32), start) > _CUT_OUT_MM * PX_PER_MM:
                found = start
            how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            laid = cv2.warpAffine(face, found, self._size, flags=how, borderMode=cv2.BORDER_REPLICATE)
            self._laid_on_others[taken_for, rival] = np.asarray(laid, np.float32)
        return self._laid_on_others[taken_for, rival]

    def _differing(self, one: Floats32, other: Floats32) -> list[DifferingPart]:
        rim, around = round(_RIM_MM * PX_PER_MM), round(_AROUND_MM * PX_PER_MM)
        off = np.abs(cv2.GaussianBlur(one - other, (0, 0), _SMOOTH_PX))[rim:-rim, rim:-rim]
        noise = 1.4826 * float(np.median(off))
        doubt = np.maximum(squared_doubt(one), squared_doubt(other))[rim:-rim, rim:-rim]
        differ = np.pad((off > _BEYOND_NOISE * np.sqrt(noise**2 + doubt)).astype(np.uint8), rim)
        near = cv2.dilate(differ, np.ones((around + 1, around + 1), np.uint8))
        count, labels, boxes, _ = cv2.connectedComponentsWithStats(near)
        # What a part tells: how far apart the faces are there, all in all.
        told = np.bincount(labels.ravel(), ((one - other) ** 2 * differ).ravel(), count)
        parts = []
        for part in np.argsort(-told)[:_MOST_PARTS]:
            if not part or not told[part]:
                continue
            left, top, width, height = (int(side) for side in boxes[part][:4])
            rows, columns = slice(top, top + height), slice(left, left + width)
            parts.append(DifferingPart(top, left, np.asarray(labels[rows, columns] == part), float(told[part])))
        return parts

    def _face(self, rival: _Rival) -> Floats32:
        face = self._fine[rival.face]
        return np.asarray(face[::-1, ::-1] if rival.turned else face)


def _soft(light: Floats32, blur_px: float) -> Floats32:
    """The same as a less sharp picture shows it; as it is if there is no blur."""
    if blur_px <= 0:
        return light
    return np.asarray(cv2.GaussianBlur(light, (0, 0), blur_px), np.float32)


def _shrunk(face: Picture, size: tuple[int, int]) -> Picture:
    small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), _SMOOTH_PX), np.uint8)


def _light(picture: cv2.typing.MatLike) -> Floats32:
    """The logarithm of the brightness, where what is nearly black is all the same."""
    return np.asarray(np.log(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32) + 8.0), np.float32)


def _raised(light: Floats32, surroundings_mm: float, within: Flags | None = None) -> Floats32:
    """How much lighter or darker a spot is than its surroundings, of which only those count that lie within.

    What lies beside a card would make a halo around its border, in which a numeral may be.
    """
    sigma = surroundings_mm * PX_PER_MM
    if within is None:
        return np.asarray(light - cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
    counted = within.astype(np.float32)
    around = cv2.GaussianBlur(light * counted, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
    weight = np.maximum(cv2.GaussianBlur(counted, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT), 1e-3)
    return np.asarray(counted * (light - around / weight), np.float32)
