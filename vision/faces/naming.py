"""Names the card that lies at a known place: which face it is, which way up, and how sure that is.

A card is looked at in three channels that lamps and cameras change little: how light a spot is, and its two tints, all
as logarithms relative to the card's own middle, so that lamps only add something that changes smoothly over the card.
Of the faces that look alike in a tiny picture, the one is chosen that leaves least unexplained in a finer one. No spot
counts for more than a few times the picture's own noise: what hides a part of the card (a locomotive, a hand, gloss)
weighs the same against all faces, and the spots in which they differ decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats, Floats32, Homography, Indices, Numbers, Picture, Points
from vision.faces.rails_on import FacesEachWay

PX_PER_MM: Final = 1.2
WHOLLY: Final = 0.8
"""From this likeness on nothing hides a card."""
_HALF_PX_PER_MM: Final = 0.6
_TINY_PX_PER_MM: Final = 0.3
_MARGIN_MM: Final = 5.0
_BORDER_MM: Final = 1.2
"""At a card's border its neighbours may show, and what is round."""
_SMOOTH_PX: Final = 0.7
_AROUND_MM: Final = 8.0
"""How far a spot's surroundings reach in the tiny picture."""
_DARKEST: Final = 0.3
"""Of the card's brightness; what is darker than this looks much the same to all cameras."""
_TRUST: Final = np.array([1.0, 0.7, 0.7], dtype=np.float32)
"""How much each channel counts; tints differ more between cameras."""
_LIGHT_AND_TINTS: Final = np.array([[1 / 3, 1 / 3, 1 / 3], [0, -1, 1], [1, -0.5, -0.5]]) * _TRUST[:, None]
_ALL: Final = np.ones(3, dtype=np.float32)
_CANDIDATES: Final = 6
_FINALISTS: Final = 3
_HOPELESS: Final = 0.22
"""What is less like any face than this at half size is not looked at in full: no card that counts starts so low."""
_NEARLY_EVEN: Final = 0.75
"""A card that is so much like itself turned round is looked at both ways with equal care."""
_PLAIN: Final = 0.85
"""What is so much like a face at half size, and others leave this much more unexplained, is looked at in full alone."""
_FAR_WORSE: Final = 3.0
_CLEAR_LEAD: Final = 0.03
_HIDDEN_TINY: Final = 0.6
_HIDDEN: Final = 0.5
"""From such a difference on a spot is hidden, and it does not matter by what."""
_STRENGTHS: Final = (0.35, 1.4)
"""How strong print appears, from faint in dim light to stronger than it was taught."""
_STRENGTH_DOUBT: Final = 0.2
_PLACE_DOUBT_PX: Final = 1.2
_NOISE: Final = 0.05
_NOISES: Final = 4.0
_ALIGNING_STEPS: Final = 3
_LIGHT_ROUNDS: Final = 4
_SPOTS_MM: Final = 2.6
"""How far apart spots lie that are enough to tell the lamp's light."""


class Naming(NamedTuple):
    """A card's face (its index), its corners from the upright face's top left on, and how sure that is.

    ``likeness`` is from -1 to 1, ``next_likeness`` that of the face which fits second best.
    """

    face: int
    corners: Corners
    turned: bool
    """Whether it lies the other way up than the corners that were given."""
    likeness: float
    next_likeness: float
    rivals: tuple[Naming, ...] = ()
    """The faces that were closest to it, where it is not clear."""

    @property
    def is_clear(self) -> bool:
        """Whether nothing hides the card, and no other face comes close."""
        return self.likeness >= WHOLLY and self.likeness >= self.next_likeness + _CLEAR_LEAD


class _Seen(NamedTuple):
    """What is seen of a card at these corners, as the corners say and turned, in full and at half size."""

    corners: Corners
    fines: tuple[Floats32, Floats32]
    halves: tuple[Floats32, Floats32]


class _Rough(NamedTuple):
    """A face, which way up and where (mm) it may lie, what it leaves unexplained at half size, and how alike it is."""

    face: int
    turned: bool
    warp: Homography
    cost: float
    likeness: float


class _Level:
    """All faces at one size, and what is needed to compare a card with them.

    What is compared is kept as faces × 3 channels × spots: that is how the sums over channels and spots are fast.
    """

    def __init__(self, faces: Floats32, card_mm: tuple[float, float], px_per_mm: float) -> None:
        """``faces`` are the faces' looks, larger."""
        self.px_per_mm = px_per_mm
        self.size = (round(card_mm[0] * px_per_mm), round(card_mm[1] * px_per_mm))
        shrunk = [cv2.resize(face, self.size, interpolation=cv2.INTER_AREA) for face in faces]
        terms = _smooth_terms(self.size)
        even = [_even(np.asarray(face, dtype=np.float32), terms) for face in shrunk]
        self._prints = np.stack([_by_channel(face) for face in even])
        self._doubts = np.stack([_place_doubt(face).ravel() for face in even])
        self._terms = _by_channel(terms)
        self.margin = round(_MARGIN_MM * px_per_mm)
        px, middle = 1 / px_per_mm, 0.5 / px_per_mm
        self._to_mm = np.array([[px, 0, middle], [0, px, middle], [0, 0, 1]])
        self._to_crop = np.array([[1, 0, self.margin], [0, 1, self.margin], [0, 0, 1]]) @ np.linalg.inv(self._to_mm)
        border = max(1, round(_BORDER_MM * px_per_mm))
        inner = np.zeros(self.size[::-1], dtype=np.float32)
        inner[border:-border, border:-border] = 1
        self.inner = inner.ravel()
        step = max(1, round(px_per_mm * _SPOTS_MM))
        self._some = self._spots(step // 2, step)
        self._every_other = self._spots(0, 2)
        self._some_prints = self._prints.take(self._some, axis=2)
        self._some_terms = self._terms.take(self._some, axis=1)
        products = self._some_terms[:, None] * self._some_terms
        self._products = np.ascontiguousarray(products.reshape(-1, len(self._some)).T)

    def _spots(self, start: int, step: int) -> Indices:
        """The spots of each so many rows and columns."""
        spots = np.arange(self.size[0] * self.size[1]).reshape(self.size[::-1])
        return spots[start::step, start::step].ravel()

    @property
    def outline(self) -> Corners:
        """The card's corners in px of the crop without its margin."""
        width, height = self.size
        return np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])

    def warped(self, crop: Floats32, warp_mm: Homography) -> Floats32:
        """The card in a crop with a margin, where a homography in mm from its top left corner says that it is."""
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        warp_px = self._to_crop @ warp_mm @ self._to_mm
        return np.asarray(
            cv2.warpPerspective(crop, warp_px, self.size, flags=how, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32
        )

    def compared(
        self, cards: Sequence[Floats32], faces: Sequence[int], shown: Floats32 | None = None
    ) -> tuple[Floats32, Floats32]:
        """How much each face leaves unexplained of a card's looks (one for each), and how alike it is, -1 to 1.

        ``shown`` (one for each × spots, 0 or 1) tells which spots nothing hides; the others do not count.
        """
        looks = np.stack([_by_channel(card) for card in cards])
        which = list(faces)
        inner = self.inner[None] if shown is None else self.inner * shown
        parts, strength = self._light(looks.take(self._some, axis=2), which, inner.take(self._some, axis=1))
        own = self._prints[which] * strength[:, None, None]
        seen = looks - (parts.reshape(-1, len(self._terms)) @ self._terms).reshape(looks.shape)
        squares = (seen - own) ** 2
        noise = 2.2 * _middle(squares.take(self._every_other, axis=2), 2).min(axis=0) + _NOISE**2
        own *= own
        doubt = self._doubts[which].max(axis=0) * _TRUST[:, None] ** 2 + _STRENGTH_DOUBT**2 * own.max(axis=0)
        unexplained = np.minimum((squares / (noise[:, None] + doubt)).sum(axis=1), _NOISES**2)
        most = (_HIDDEN * strength[:, None]) ** 2
        rest = np.minimum(squares.sum(axis=1), most)
        both = np.minimum(own.sum(axis=1), most) + np.minimum((seen * seen).sum(axis=1), most)
        cost, apart, whole = (
            np.einsum("fs,fs->f", part, np.broadcast_to(inner, part.shape)) for part in (unexplained, rest, both)
        )
        return cost / np.maximum(inner.sum(axis=1), 1e-6), 1 - apart / np.maximum(whole, 1e-6)

    def _light(self, some: Floats32, faces: list[int], inner: Floats32) -> tuple[Floats32, Floats32]:
        """What the lamp adds smoothly to some of the looks (faces × channels × terms), and how strong each print is.

        ``inner`` (1 or faces × spots): how much each spot counts.
        """
        prints, terms = self._some_prints[faces], self._some_terms
        count, spots = len(faces), len(self._some)
        weight = np.broadcast_to(inner, (count, spots)).copy()
        strength = np.full(count, 0.8, dtype=np.float32)
        energy = (prints * prints).sum(axis=1)
        parts = np.zeros((count, 3, len(terms)), dtype=np.float32)
        for _ in range(_LIGHT_ROUNDS):
            square = (weight @ self._products).reshape(count, len(terms), len(terms))
            square += 1e-3 * np.eye(len(terms), dtype=np.float32)
            goal = (some - strength[:, None, None] * prints) * weight[:, None]
            right = (goal.reshape(-1, spots) @ terms.T).reshape(count, 3, -1)
            parts = np.linalg.solve(square, right.swapaxes(1, 2)).swapaxes(1, 2)
            rest = some - (parts.reshape(-1, len(terms)) @ terms).reshape(some.shape)
            common = ((rest * prints).sum(axis=1) * weight).sum(axis=1)
            strength = (common / ((energy * weight).sum(axis=1) + 1e-6)).clip(*_STRENGTHS)
            rest -= strength[:, None, None] * prints
            off = (rest * rest).sum(axis=1)
            weight = inner / (1 + off / (2.0 * _middle(off[:, ::2], 1)[:, None] + 0.01)) ** 2
        return parts, strength


class FaceNamer:
    """Tells a deck's faces apart."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        self.card_mm = card_mm
        size = (round(card_mm[0] * PX_PER_MM), round(card_mm[1] * PX_PER_MM))
        looks = np.stack([_looks(np.asarray(cv2.resize(f, size, interpolation=cv2.INTER_AREA)), 0) for f in faces])
        self._fine = _Level(looks, card_mm, PX_PER_MM)
        self._half = _Level(looks, card_mm, _HALF_PX_PER_MM)
        self._tiny_size = (round(card_mm[0] * _TINY_PX_PER_MM), round(card_mm[1] * _TINY_PX_PER_MM))
        self._tiny = np.stack([self._tiny_looks(face) for face in looks])
        self._shifts = [_Shifts(np.ascontiguousarray(face[..., 0]), self._half) for face in looks]

    def name(self, picture: Picture, corners: Corners) -> Naming:
        """The face that lies at these corners (px, to 2 mm), either way up; the corners come back exact.

        Corners in reverse order look at the card in a mirror, as the pictures of webcams often do. Where no card lies,
        the likeness is hardly ever above 0.3; where most of one shows, hardly ever below 0.4.
        """
        card = self._seen(picture, corners)
        rough = self._roughly(card)
        first, second = rough[:2]
        if max(one.likeness for one in rough) < _HOPELESS:
            others = max((one.likeness for one in rough if one.face != first.face), default=-1.0)
            found = np.roll(corners, 2 * first.turned, axis=0)
            return Naming(first.face, found, first.turned, first.likeness, others)
        if first.likeness > _PLAIN and second.cost > _FAR_WORSE * first.cost:
            (named,) = self._finally(card, [first], rough)
            if named.is_clear:
                return named
        named, *rivals = self._finally(card, rough[:_FINALISTS], rough)
        return self._right_way_up(card, named, rough)._replace(rivals=tuple(rivals))

    def _seen(self, picture: Picture, corners: Corners) -> _Seen:
        fine, half = self._crops(picture, corners)
        return _Seen(corners, (fine, fine[::-1, ::-1].copy()), (half, half[::-1, ::-1].copy()))

    def _roughly(self, card: _Seen) -> list[_Rough]:
        """The likeliest faces at half size, the best first."""
        margin = self._fine.margin
        candidates = self._likeliest(card.fines[0][margin:-margin, margin:-margin])
        face, turned = candidates[0]
        warp = self._aligned(card.halves[turned], face, np.eye(3))
        warps = (self._turned(warp), warp) if turned else (warp, self._turned(warp))
        ways = [self._half.warped(half, warp) for half, warp in zip(card.halves, warps, strict=True)]
        seen = [ways[turned] for _, turned in candidates]
        costs, likeness = self._half.compared(seen, [face for face, _ in candidates])
        rough = [
            _Rough(face, turned, warps[turned], float(cost), float(alike))
            for (face, turned), cost, alike in zip(candidates, costs, likeness, strict=True)
        ]
        return sorted(rough, key=lambda one: one.cost)

    def _right_way_up(self, card: _Seen, named: Naming, rough: Sequence[_Rough]) -> Naming:
        """The same face the other way up if that is likelier, where the card is much like itself turned round.

        Aligned the wrong way round it may lie so askew that its right way looked no better.
        """
        mine = [one for one in rough if one.face == named.face]
        if len(mine) < 2 or mine[1].likeness < _NEARLY_EVEN:
            return named
        ways = [one._replace(warp=self._aligned(card.halves[one.turned], one.face, np.eye(3))) for one in mine]
        first, _ = self._finally(card, ways, rough)
        return first if first.turned != named.turned else named

    def _finally(self, card: _Seen, finalists: Sequence[_Rough], rough: Sequence[_Rough]) -> list[Naming]:
        """How alike the finalists of these faces are in full, the likeliest first."""
        exact = [self._aligned(card.halves[one.turned], one.face, one.warp) for one in finalists]
        seen = [self._fine.warped(card.fines[one.turned], warp) for one, warp in zip(finalists, exact, strict=True)]
        costs, likeness = self._fine.compared(seen, [one.face for one in finalists])
        both = [(one.face, float(alike)) for one, alike in zip(finalists, likeness, strict=True)]
        both += [(one.face, one.likeness) for one in rough]
        namings = []
        for index in np.argsort(costs * (1 - likeness)):
            face, turned = finalists[index][:2]
            others = max((alike for other, alike in both if other != face), default=-1.0)
            found = self._moved(np.roll(card.corners, 2 * turned, axis=0), exact[index])
            namings.append(Naming(face, found, turned, float(likeness[index]), others))
        return namings

    def likeness_of_what_shows(
        self, picture: Picture, corners: Corners, faces: Sequence[int], hidden_px: Points
    ) -> Floats32:
        """How alike (-1 to 1) each of these faces is to what shows of a card, turned as the corners say (px, to 2 mm).

        ``hidden_px`` (n × 2) is the convex outline of what hides the rest of it.
        """
        level, margin = self._fine, self._fine.margin
        crop, half = self._crops(picture, corners)
        to_crop = cv2.getPerspectiveTransform(corners.astype(np.float32), (level.outline + margin).astype(np.float32))
        outline = cv2.perspectiveTransform(hidden_px[None].astype(np.float64), to_crop)[0]
        mask = np.ones(crop.shape[:2], dtype=np.float32)
        cv2.fillConvexPoly(mask, outline.round().astype(np.int32), (0,))
        warps = [self._aligned(half, face, np.eye(3)) for face in faces]
        shown = np.stack([level.warped(mask, warp).ravel().round() for warp in warps])
        _, likeness = level.compared([level.warped(crop, warp) for warp in warps], faces, shown)
        return likeness

    def promise(self, picture: Picture, corners: Corners, faces: FacesEachWay | None = None) -> float:
        """How much (up to 1) the likeliest of all faces, or of these, is alike from afar, either way up.

        Far cheaper than a name, and far less sure: it tells where to ask for one.
        """
        tiny = self._tiny_looks(_looks(self._cut(picture, corners, self._half, 0), 0))
        if faces is None:
            return self._promised(np.stack([tiny, tiny[::-1]]), self._tiny)
        ways = zip((tiny, tiny[::-1]), faces, strict=True)
        return max(self._promised(card[None], self._tiny[list(some)]) for card, some in ways if some)

    @staticmethod
    def _promised(cards: Floats32, sought: Floats32) -> float:
        """How much the likeliest of these tiny faces is alike one of these tiny pictures of a card."""
        costs, strength = _unexplained(cards, sought)
        own = strength[..., None] ** 2 * (sought**2 @ _ALL)
        seen = np.minimum(cards[0] ** 2 @ _ALL, _HIDDEN_TINY**2).sum()
        both = np.minimum(own, _HIDDEN_TINY**2).sum(axis=2) + seen
        return float((1 - costs / np.maximum(both, 1e-6)).max())

    def _crops(self, picture: Picture, corners: Corners) -> tuple[Floats32, Floats32]:
        """The looks of the card there in full and at half size, both with their margins."""
        fine = _looks(self._cut(picture, corners, self._fine, self._fine.margin), self._fine.margin)
        size = tuple(side + 2 * self._half.margin for side in self._half.size)
        return fine, np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), dtype=np.float32)

    def _cut(self, picture: Picture, corners: Corners, level: _Level, margin: int) -> Picture:
        """The card as seen straight from above, with a margin."""
        px_per_mm = np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (self.card_mm[0] * self.card_mm[1]))
        reach = 0.2 * np.ptp(corners, axis=0)
        left, top = np.floor(corners.min(axis=0) - reach).astype(int).clip(0)
        right, bottom = np.ceil(corners.max(axis=0) + reach).astype(int).clip(0) + 1
        part, scale = picture[top:bottom, left:right], 1.0
        size = (level.size[0] + 2 * margin, level.size[1] + 2 * margin)
        if not part.size:
            return np.zeros((size[1], size[0], 3), np.uint8)
        if px_per_mm > 2 * level.px_per_mm:  # detail finer than the crop's would turn into noise
            scale = 1.5 * level.px_per_mm / float(px_per_mm)
            part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        seen = (corners - (left, top) + 0.5) * scale - 0.5
        goal = (level.outline + margin).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(goal, seen.astype(np.float32))
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(part, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def _tiny_looks(self, looks: Floats32) -> Floats32:
        """A tiny picture's spots × 3."""
        tiny = np.asarray(cv2.resize(looks, self._tiny_size, interpolation=cv2.INTER_AREA), dtype=np.float32)
        radius = round(_AROUND_MM * _TINY_PX_PER_MM)
        around = cv2.blur(tiny[..., 0].clip(-0.3, 0.3), (2 * radius + 1, 2 * radius + 1))
        tiny[..., 0] -= np.asarray(around, dtype=np.float32)
        return tiny.reshape(-1, 3)

    def _likeliest(self, looks: Floats32) -> list[tuple[int, bool]]:
        """The faces, and which way up, that a tiny picture leaves."""
        tiny = self._tiny_looks(looks)
        costs, _ = _unexplained(np.stack([tiny, tiny[::-1]]), self._tiny)
        order = np.argsort(costs.ravel())[:_CANDIDATES]
        return [(int(index % len(self._tiny)), bool(index >= len(self._tiny))) for index in order]

    def _aligned(self, crop: Floats32, face: int, warp_mm: Homography) -> Homography:
        """A homography in mm from the upright face to the card in a half-size crop, from a rough one on."""
        warp = warp_mm
        light = np.ascontiguousarray(crop[..., 0])
        for _ in range(_ALIGNING_STEPS):
            warp = warp @ self._shifts[face].towards(self._half.warped(light, warp))
            warp /= warp[2, 2]
        width, height = self.card_mm
        outline = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], dtype=np.float64)
        moved = cv2.perspectiveTransform(outline, warp) - outline
        return warp if np.abs(moved).max() < _MARGIN_MM else warp_mm

    def _turned(self, warp_mm: Homography) -> Homography:
        """The same homography for the card and its crop turned by 180 degrees."""
        half_turn = np.array([[-1, 0, self.card_mm[0]], [0, -1, self.card_mm[1]], [0, 0, 1]])
        turned = half_turn @ warp_mm @ half_turn
        return np.asarray(turned / turned[2, 2])

    def _moved(self, corners: Corners, warp_mm: Homography) -> Corners:
        """The corners in the picture of the card where it was found in the crop."""
        width, height = self.card_mm
        outline = np.array([(0, 0), (width, 0), (width, height), (0, height)])
        to_picture = cv2.getPerspectiveTransform(outline.astype(np.float32), corners.astype(np.float32))
        both = np.asarray(to_picture, dtype=np.float64) @ warp_mm
        return np.asarray(cv2.perspectiveTransform(outline[None].astype(np.float64), both)[0])


class _Shifts:
    """How a face's light would change by moving it a little, in each way that a flat card can move."""

    def __init__(self, light: Floats32, level: _Level) -> None:
        self._level = level
        shrunk = cv2.resize(light, level.size, interpolation=cv2.INTER_AREA)
        smooth = np.asarray(cv2.GaussianBlur(shrunk, (0, 0), 0.8), dtype=np.float32)
        down, across = np.gradient(smooth)
        height, width = smooth.shape
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
        x, y = (columns + 0.5) / width - 0.5, (rows + 0.5) / height - 0.5
        tilt = across * x * width + down * y * height
        moves = [across * x, across * y, across, down * x, down * y, down, -tilt * x, -tilt * y]
        light_terms = [smooth, np.ones_like(x), x, y]
        self._ways = np.stack([*moves, *light_terms]).reshape(12, -1).astype(np.float32)
        stiffness = 1e-3 * float((self._ways[:8] ** 2).sum()) / 8
        self._stiffness = np.diag([stiffness] * 8 + [1e-6] * 4)
        self._smooth = smooth.ravel()
        self._inner = level.inner

    def towards(self, seen: Floats32) -> Homography:
        """The homography (mm, from the top left corner) that moves the face a step towards where it is seen."""
        goal = np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.8), dtype=np.float32).ravel()
        rest = goal - _middle(goal[::3], 0) - 0.8 * self._smooth
        weight = self._inner / (1 + (rest / 0.2) ** 2)
        weighted = self._ways * weight
        square = (weighted @ self._ways.T).astype(np.float64) + self._stiffness
        parts = np.linalg.solve(square, weighted @ goal)
        return self._homography(-parts[:8] / max(parts[8], 0.3))

    def _homography(self, move: Floats) -> Homography:
        """A motion in px at the level's size (of unit coordinates from the middle) as a homography in mm."""
        width, height = (side / self._level.px_per_mm for side in self._level.size)
        px = 1 / self._level.px_per_mm
        to_unit = np.array([[1 / width, 0, -0.5], [0, 1 / height, -0.5], [0, 0, 1]])
        moved = np.array([[width, 0, width / 2], [0, height, height / 2], [0, 0, 1.0]])
        moved[0] += move[0:3] * px
        moved[1] += move[3:6] * px
        moved[2, :2] += move[6:8]
        moved[:2, :2] += 0.5 * np.outer([width, height], move[6:8])
        return np.asarray(moved @ to_unit)


def _looks(card: Picture, margin: int) -> Floats32:
    """Lightness and two tints (rows × columns × 3), each about 0 on most of the card."""
    values = cv2.GaussianBlur(card, (0, 0), _SMOOTH_PX).astype(np.float32)
    inner = slice(margin, values.shape[0] - margin, 2), slice(margin, values.shape[1] - margin, 2)
    middle = _middle(values[inner].reshape(-1, 3), 0) + 2.0
    looks = np.asarray(cv2.transform(np.log(values / middle + _DARKEST), _LIGHT_AND_TINTS), dtype=np.float32)
    looks -= _middle(looks[inner].reshape(-1, 3), 0)
    return looks


def _unexplained(cards: Floats32, faces: Floats32) -> tuple[Floats32, Floats32]:
    """What each face leaves unexplained of each card in tiny pictures (cards × faces), and how strong its print is."""
    flat = faces.reshape(len(faces), -1)
    strength = (cards.reshape(len(cards), -1) @ flat.T / ((flat**2).sum(axis=1) + 1e-6)).clip(*_STRENGTHS)
    away = cards[:, None] - strength[..., None, None] * faces
    return np.minimum((away * away) @ _ALL, _HIDDEN_TINY**2).sum(axis=2), strength


def _by_channel(looks: Floats32) -> Floats32:
    """Looks (rows × columns × channels) as channels × spots."""
    return np.ascontiguousarray(looks.reshape(-1, looks.shape[2]).T)


def _place_doubt(looks: Floats32) -> Floats32:
    """The square by which a spot's looks may be off because edges lie off a little (rows × columns)."""
    down, across = np.gradient(looks, axis=(0, 1))
    return np.asarray((_PLACE_DOUBT_PX**2 * (down**2 + across**2)).mean(axis=2), dtype=np.float32)


def _even(looks: Floats32, terms: Floats32) -> Floats32:
    """The looks without what a lamp may have added."""
    flat_terms = terms.reshape(-1, terms.shape[2])
    parts, *_ = np.linalg.lstsq(flat_terms, looks.reshape(-1, 3), rcond=None)
    return np.asarray(looks - (flat_terms @ parts).reshape(looks.shape), dtype=np.float32)


def _smooth_terms(size: tuple[int, int]) -> Floats32:
    """What lamps can do over a card: rows × columns × 6 terms."""
    y, x = np.meshgrid(np.linspace(-1, 1, size[1]), np.linspace(-1, 1, size[0]), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=2).astype(np.float32)


def _middle(values: Numbers, axis: int) -> Floats32:
    """The upper median: numpy's own takes longer over a few hundred values than all the rest."""
    half = values.shape[axis] // 2
    return np.asarray(np.partition(values, half, axis=axis).take(half, axis=axis), dtype=np.float32)
