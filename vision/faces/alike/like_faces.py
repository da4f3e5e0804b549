"""Tells faces apart that are alike but for a numeral, by nothing but the spots in which they differ.

Over a whole card noise, light and a millimetre's doubt of its place outweigh what a small numeral differs by. So the
card is laid onto the face that it was taken for, as finely as pictures show it, and of each two faces that are much
alike only the spots count in which they differ, each where it fits best near there. How it is laid on is the same for
both: what they have in common says where the card lies, and nothing about which of them it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, cached_property, reduce
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Flags, Floats32, Picture, Points
from vision.faces.alike.fine_print import PX_PER_MM, SMOOTH_PX, log_light, log_tints, raised, shrunk, softened
from vision.faces.alike.laid_card import REACH_PX, DifferingPart, LaidCard, squared_doubt
from vision.faces.alike.places import BEYOND_PX, NEARLY_AS_ALIKE, RIM_MM, Places
from vision.faces.face_patterns import unit_rows
from vision.faces.upright_cards import UprightCards

_SURROUNDINGS_MM: Final = 3.0
"""What is printed is finer than this, what lamps do is wider."""
_WIDE_MM: Final = 15.0
_ALIKE: Final = 0.35
"""The correlation from which on two faces may be taken for one another; those most like the card are compared.

Where nothing but a numeral tells values apart they have 0.9, and faces with other rails up to 0.46; where all faces of
a deck share a strong ground, any two may have 0.9. What is less alike than this, the looks of the whole card tell.
"""
_MOST_ALIKE: Final = 9
_BEYOND_NOISE: Final = 3.0
"""In standard deviations: a spot differs for sure, among some ten thousand of a card."""
_LEAST_SPOTS: Final = 6
"""Fewer together differ by chance, or where faces were cut out otherwise; a stroke 3.5 mm high has 7."""
_AROUND_MM: Final = 1.0
"""How far around spots that differ belongs to them: a shape is told by where its ink ends, too."""
_MOST_PARTS: Final = 12
_ROUNDS_MORE: Final = 2
_BLURS_PX: Final = (0.0, 0.7, 1.0, 1.4, 2.0, -0.7, -1.0, -1.4)
"""How much softer a card may be seen than its face was when it was taught, or sharper."""
_HIDDEN: Final = 0.45
"""What is so much lighter or darker (the logarithm) than every face that it may be is hidden by something."""
_HIDING_MM: Final = 5.0
_BESIDE_MM: Final = 0.5
"""So far around what hides a card its outline may be off. What juts out farther, and its shadow, is unlike every face:
to leave out 3 mm for them made 12 more of 179 cards unclear, and kept no wrong name off."""
_A_LITTLE: Final = 0.1


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
        self._places = Places(self._size)
        self._margin, self._inner = self._places.margin, self._places.inner
        self._on_card = np.pad(self._inner, BEYOND_PX)
        self._differences: dict[tuple[int, tuple[_Rival, ...]], list[DifferingPart]] = {}
        self._between: dict[tuple[_Rival, _Rival], Floats32] = {}

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
        card = self._cards.cut(picture, corners, self._margin)
        light, tints = log_light(card), log_tints(card)
        covered = self._covered(corners, hidden_px)
        named = _Rival(face, turned=False)
        rivals = [named, *self._alike[face]]
        if among is not None:
            rivals = [rival for rival in rivals if rival.face in among]
        if among is not None and face not in among:  # what it was taken for is no help then
            rivals = [_Rival(other, turned) for other in among for turned in (False, True)]
        if len({rival.face for rival in rivals}) < 2 and (not rivals or rivals[0].face == face):
            return None
        as_given = self._places.as_given
        bare = self._bare(light, covered, as_given, rivals)
        all_bare = np.pad(bare, self._margin - BEYOND_PX, constant_values=True)
        fine = raised(light, _SURROUNDINGS_MM, all_bare)
        places = self._places.of(fine, self._prints[face, ..., 0], all_bare) if rivals[0] == named else [as_given]
        likeness = self._likeness(fine, places, bare, rivals)
        order = np.argsort(-likeness[:, 1:].max(axis=0))[:_MOST_ALIKE]
        rivals = [rivals[0], *(rivals[1 + index] for index in order)]
        least = likeness.max() - NEARLY_AS_ALIKE
        places = [place for place, alike in zip(places, likeness.max(axis=1), strict=True) if alike >= least]
        found = []
        for to_card in places:
            shown = self._bare(light, covered, to_card, rivals)
            laid_on = self._places.laid_on
            printed = self._print(laid_on(light, to_card), laid_on(tints, to_card), self._on_card & shown)
            found.append(self._told_there(printed, shown, rivals, named))
        return max(found, key=lambda one: one[1])[0]

    def _told_there(self, card: Floats32, shown: Flags, rivals: Sequence[_Rival], named: _Rival) -> tuple[Told, float]:
        """Which of the rivals is likeliest on a card laid on so, and how alike (-1 to 1) it is to what shows."""
        edge, more = BEYOND_PX - REACH_PX, slice(BEYOND_PX, -BEYOND_PX)
        bare = shown[more, more]
        softer = self._softer(card[more, more, 0], bare, self._face(rivals[0])[..., 0])
        if softer < 0:
            card = softened(card, -softer)
        first = softened(self._face(rivals[0]), softer)
        layers = [
            LaidCard(card[edge:-edge, edge:-edge, layer], bare, first[..., layer], self._inner)
            for layer in range(first.shape[2])
        ]
        for index, rival in enumerate(rivals):
            face = softened(self._registered(rivals[0], rival), softer)
            for layer, laid in enumerate(layers):
                laid.add(index, face[..., layer])
        numbered = list(enumerate(rivals))

        @cache
        def ahead(one: int, other: int) -> float:
            if one > other:
                return -ahead(other, one)
            return sum(
                laid.odds(one, other, self._parts(layer, rivals[0], rivals[one], rivals[other]))
                for layer, laid in enumerate(layers)
            )

        def least_ahead(one: int) -> float:
            return min((ahead(one, index) for index, _ in numbered if index != one), default=0.0)

        # Mostly one face is ahead of each other one, and then hardly any have to be compared among themselves.
        best = reduce(lambda one, other: other if ahead(other, one) > 0 else one, range(len(rivals)))
        if least_ahead(best) < 0:
            best = max(range(len(rivals)), key=least_ahead)
        likeliest = rivals[best]
        behind = [Rival(*rival, ahead(best, index)) for index, rival in numbered if rival.face != likeliest.face]
        lead = min((rival.behind for rival in behind), default=0.0)
        is_named = likeliest.face == named.face or named not in rivals
        told = Told(*likeliest, lead, np.inf if is_named else ahead(best, rivals.index(named)), tuple(behind))
        seen, print_there = unit_rows(
            np.stack([side[bare & self._inner] for side in (card[more, more, 0], self._face(likeliest)[..., 0])])
        )
        return told, float(seen @ print_there)

    def _softer(self, card: Floats32, bare: Flags, face: Floats32) -> float:
        """By how much the card is seen softer than the face was (px of a Gaussian blur), or sharper, if negative."""
        counted = bare & self._inner
        alike = {}
        for blur in _BLURS_PX:
            rows = unit_rows(np.stack([softened(card, -blur)[counted], softened(face, blur)[counted]]))
            alike[blur] = float(rows[0] @ rows[1])
        return max(alike, key=lambda blur: alike[blur])

    @cached_property
    def _prints(self) -> Floats32:
        """How much lighter, bluer and redder what is printed on each face is than what is around it."""
        small = [shrunk(face, self._size) for face in self._faces]
        return np.stack([self._print(log_light(face), log_tints(face), self._inner) for face in small])

    @cached_property
    def _wide(self) -> Floats32:
        """How much lighter it is than wider surroundings: large things show."""
        lights = [log_light(shrunk(face, self._size)) for face in self._faces]
        return np.stack([raised(light, _WIDE_MM, self._inner) for light in lights])

    def _print(self, light: Floats32, tints: Floats32, within: Flags) -> Floats32:
        """What is printed there: how light it is beside what is near, and how it is tinted beside what is wider."""
        # A lamp's light changes from spot to spot, its tint hardly does: so whole shields have one.
        return np.dstack([raised(light, _SURROUNDINGS_MM, within), raised(tints, _WIDE_MM, within)])

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
        upright = np.stack([self._smooth(face) for face in self._prints[..., 0]])
        return unit_rows(np.concatenate([upright, upright[:, ::-1]]))

    def _smooth(self, fine: Floats32) -> Floats32:
        """What a card's looks are but for a doubt of place of half a millimetre, which would hide what is thin."""
        rim = round(RIM_MM * PX_PER_MM)
        return np.asarray(cv2.GaussianBlur(fine, (0, 0), PX_PER_MM / 2)[rim:-rim:2, rim:-rim:2].ravel(), np.float32)

    def _likeness(self, fine: Floats32, places: Sequence[Floats32], bare: Flags, rivals: Sequence[_Rival]) -> Floats32:
        """How alike (-1 to 1) the card is at each of the places to each of the rivals, where it is bare."""
        inside = slice(BEYOND_PX, -BEYOND_PX)
        shown = self._smooth(bare[inside, inside].astype(np.float32))
        rows = self._smoothed[[rival.face + rival.turned * len(self._faces) for rival in rivals]]
        seen = [self._smooth(self._places.laid_on(fine, place)[inside, inside]) for place in places]
        return np.asarray(unit_rows(shown * np.stack(seen)) @ unit_rows(shown * rows).T, np.float32)

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

    def _bare(self, light: Floats32, covered: Floats32, to_card: Floats32, rivals: Sequence[_Rival]) -> Flags:
        """Which spots of a card that lies there, with what is beyond its border, neither Emma nor a gleam hides."""
        laid_on = self._places.laid_on
        return self._shown(laid_on(light, to_card), rivals) & (laid_on(covered, to_card) < _A_LITTLE)

    def _shown(self, light: Floats32, rivals: Sequence[_Rival]) -> Flags:
        """Which spots of the card, with its margin, nothing hides: one at least of the faces explains them."""
        seen = raised(light, _WIDE_MM, self._on_card)[BEYOND_PX:-BEYOND_PX, BEYOND_PX:-BEYOND_PX]
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
        return np.asarray(np.pad(hidden, BEYOND_PX, mode="edge") == 0)

    def _parts(self, layer: int, taken_for: _Rival, one: _Rival, other: _Rival) -> list[DifferingPart]:
        """Where two faces, laid onto a third, differ by more than noise does, the plainest parts first."""
        key = layer, (taken_for, *sorted((one, other)))
        if key not in self._differences:
            sides = [self._registered(taken_for, rival)[..., layer] for rival in (one, other)]
            self._differences[key] = self._differing(*sides)
        return self._differences[key]

    def _registered(self, taken_for: _Rival, rival: _Rival) -> Floats32:
        """A face laid onto one that it is like: rails that both have would differ along all their length otherwise."""
        if taken_for == rival:
            return self._face(rival)
        if (taken_for, rival) not in self._between:
            self._between[taken_for, rival] = self._places.between(
                self._face(taken_for)[..., 0], self._face(rival)[..., 0]
            )
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        place = self._between[taken_for, rival]
        laid = cv2.warpAffine(self._face(rival), place, self._size, flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(laid, np.float32)

    def _differing(self, one: Floats32, other: Floats32) -> list[DifferingPart]:
        rim, around = round(RIM_MM * PX_PER_MM), round(_AROUND_MM * PX_PER_MM)
        off = np.abs(cv2.GaussianBlur(one - other, (0, 0), SMOOTH_PX))[rim:-rim, rim:-rim]
        noise = 1.4826 * float(np.median(off))
        doubt = np.maximum(squared_doubt(one), squared_doubt(other))[rim:-rim, rim:-rim]
        differ = np.pad((off > _BEYOND_NOISE * np.sqrt(noise**2 + doubt)).astype(np.uint8), rim)
        near = cv2.dilate(differ, np.ones((around + 1, around + 1), np.uint8))
        count, labels, boxes, _ = cv2.connectedComponentsWithStats(near)
        # What a part tells: how far apart the faces are there, all in all.
        told = np.bincount(labels.ravel(), ((one - other) ** 2 * differ).ravel(), count)
        told[np.bincount(labels.ravel(), differ.ravel(), count) < _LEAST_SPOTS] = 0
        parts = []
        for part in np.argsort(-told)[:_MOST_PARTS]:
            if not part or not told[part]:
                continue
            left, top, width, height = (int(side) for side in boxes[part][:4])
            rows, columns = slice(top, top + height), slice(left, left + width)
            parts.append(DifferingPart(top, left, np.asarray(labels[rows, columns] == part), float(told[part])))
        return parts

    def _face(self, rival: _Rival) -> Floats32:
        face = self._prints[rival.face]
        return np.asarray(face[::-1, ::-1] if rival.turned else face)
