"""Laying faces over a picture: which face fits about a place, and where there it fits best."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Homography, Picture, Points
from vision.faces.card_shape import CardShape
from vision.faces.halves import Halves
from vision.faces.rails_on import FacesEachWay

FINE_PX_PER_MM: Final = 1.2
COARSE_PX_PER_MM: Final = 0.6
TINY_PX_PER_MM: Final = 0.3
_REACH_MM: Final = 11.0
"""How far off a place may be for its face still to be found."""
_REACH_ON_RAILS_MM: Final = 7.0
"""The same where rails say what can lie there."""
_SLIDING_MARGIN_MM: Final = 4.0
_COARSE_REACH_MM: Final = 6.0
_TURNS_DEG: Final = (0.0, -5.0, 5.0)
_LIKELIEST: Final = 2
_HOPELESS: Final = 0.2
_CLEAR: Final = 0.7
"""Where what a tiny picture tells is not between these, turning the face makes no difference."""
WORTH_A_TRY: Final = 0.25
"""Where a face is less alike than this, it does not lie."""
WORTH_A_TRY_ON_RAILS: Final = 0.2
_MEAN: Final = np.full((1, 3), 1 / 3)
_GRID: Final = (6, 4)
_FITS_BADLY: Final = 0.2
_MUCH_CONTRAST: Final = 0.6
_DIFFERENT: Final = 0.3
_HIDDEN: Final = 0.6
"""Of the brightness that is expected: what is darker hides the card."""
_WITHIN_A_PIXEL: Final = np.ones((3, 3), np.uint8)
_ECC_BLUR_PX: Final = 3
_ECC_ROUNDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 20, 1e-4)


class Fit(NamedTuple):
    """A face at a place: its index, its corners, how alike it looks (-1 to 1), and how much more alike than others.

    ``pattern`` is how alike what is lighter and darker than its surroundings is. ``others`` are the faces that may lie
    there as well. ``odds`` are those of each face that may, as logarithms, where spots have told them apart.
    Where that is told as it would be without noise, ``clearness`` is what it was divided by, else 1.
    """

    face: int
    corners: Corners
    likeness: float
    lead: float = 0.0
    pattern: float = 0.0
    others: tuple[int, ...] = ()
    odds: tuple[tuple[int, float], ...] = ()
    clearness: float = 1.0


class Motion(Enum):
    """How a face may move to its place: it slides and turns, grows as well, or is stretched and slanted too."""

    TURN = 1
    GROW = 2
    STRETCH = 3


class FacePatterns:
    """A deck's faces as patterns that light does not change: contrast against the surroundings, in each colour."""

    def __init__(self, faces: Sequence[Picture], shape: CardShape) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        self._shape, card_mm = shape, shape.card_mm
        coarse = [_shrunk(face, card_mm, COARSE_PX_PER_MM) for face in faces]
        fine = [_shrunk(face, card_mm, FINE_PX_PER_MM) for face in faces]
        self._fine = np.stack([_pattern(face, FINE_PX_PER_MM) for face in fine])
        self._brightness = [np.maximum(cv2.erode(face.max(axis=2), _WITHIN_A_PIXEL), 1) for face in fine]
        self._coarse = [_pattern(_lightened(face), COARSE_PX_PER_MM) for face in coarse]
        patterns = [_pattern(face, COARSE_PX_PER_MM) for face in coarse]
        shrunk = [_shrunk(face, card_mm, TINY_PX_PER_MM) for face in faces]
        tiny = [_grey(_pattern(_lightened(face), TINY_PX_PER_MM)) for face in shrunk]
        self._tiny_shape = tiny[0].shape
        upright = unit_rows(np.stack(tiny).reshape(len(tiny), -1))
        # Both ways up: that a whole card is turned makes its spots come in reverse order.
        self._tiny = np.ascontiguousarray(np.concatenate([upright, upright[:, ::-1]]).T)
        self._light = unit_rows(np.stack([_grey(pattern).ravel() for pattern in patterns]))
        self._coarse_parts = np.stack([_parts(pattern) for pattern in patterns])
        self._part_contrast = np.stack([_part_contrast(pattern) for pattern in patterns])

    def near(self, half: Picture, quarter: Picture, corners: Corners, faces: FacesEachWay | None = None) -> Fit:
        """The face that fits best within reach of a place, shifted and turned a little.

        ``half`` and ``quarter`` are the picture at half and quarter size. All faces are tried, unless it is said which
        can lie there, each way.
        """
        rough: list[Fit] = []
        likeliest: list[Fit] = []
        # Rails say well how a card lies turned; keypoints may be some degrees off, and then tiny patterns fit no more.
        for degrees in _TURNS_DEG if faces is None else _TURNS_DEG[:1]:
            rough += self._rough(quarter, self._shape.turned(corners, degrees), faces)
            likeliest = sorted(rough, key=lambda fit: -fit.likeness)[:_LIKELIEST]
            if not _HOPELESS < likeliest[0].likeness < _CLEAR:
                break
        if likeliest[0].likeness < (WORTH_A_TRY if faces is None else WORTH_A_TRY_ON_RAILS):
            return likeliest[0]
        best = self._shifted(half, likeliest[0])
        for fit in likeliest[1:] if best.likeness < _CLEAR else ():
            best = max(best, self._shifted(half, fit), key=lambda shifted: shifted.likeness)
        return best

    def _rough(self, quarter: Picture, corners: Corners, faces: FacesEachWay | None) -> list[Fit]:
        """The face that fits best at each way up, anywhere within reach, as far as a tiny picture tells."""
        to_picture = self._shape.homography(corners)
        reach_mm = _REACH_MM if faces is None else _REACH_ON_RAILS_MM
        crop = self._seen(quarter, to_picture, TINY_PX_PER_MM, reach_mm, 0.25)
        windows = np.lib.stride_tricks.sliding_window_view(_grey(crop), self._tiny_shape)
        places = windows.shape[:2]
        ways = np.split(self._tiny, 2, axis=1)
        seen = unit_rows(windows.reshape(places[0] * places[1], -1))
        found = []
        for turned, sought in enumerate(ways):
            which = range(sought.shape[1]) if faces is None else faces[turned]
            if not which:
                continue
            likeness = seen @ (sought if faces is None else sought[:, list(which)])
            place, face = divmod(int(likeness.argmax()), likeness.shape[1])
            shift = self._shift(divmod(place, places[1]), places, TINY_PX_PER_MM)
            moved = cv2.perspectiveTransform((self._shape.corners_mm + shift)[None], to_picture)[0]
            found.append(Fit(which[face], np.roll(moved, 2 * turned, axis=0), float(likeness[place, face])))
        return found

    def _shifted(self, half: Picture, fit: Fit) -> Fit:
        """The same face, shifted to where it fits best, and how well it does there."""
        to_picture = self._shape.homography(fit.corners)
        crop = self._seen(half, to_picture, COARSE_PX_PER_MM, _COARSE_REACH_MM, 0.5)
        likeness = cv2.matchTemplate(crop, self._coarse[fit.face], cv2.TM_CCOEFF_NORMED)
        _, highest, _, (column, row) = cv2.minMaxLoc(likeness)
        shift = self._shift((row, column), likeness.shape, COARSE_PX_PER_MM)
        moved = cv2.perspectiveTransform((self._shape.corners_mm + shift)[None], to_picture)[0]
        return Fit(fit.face, np.asarray(moved, dtype=np.float64), float(highest))

    @staticmethod
    def _shift(place: tuple[int, int], places: Sequence[int], px_per_mm: float) -> Points:
        """How far a window's place is from the middle of all places, x and y in mm."""
        row, column = (place[axis] - (places[axis] - 1) / 2 for axis in range(2))
        return np.array([column, row]) / px_per_mm

    def likeness(self, half: Picture, corners: Corners, face: int) -> float:
        """How well the middle one of the parts of just this face fits at just this place."""
        pattern = self._coarsely(half, corners)
        fits = (_parts(pattern) * self._coarse_parts[face]).sum(axis=1)
        # The middle one, not the mean: what Emma or a gleam hides fits by no means, and is less than half of a card.
        return _weighted_median(fits, self._part_contrast[face])

    def clearness(self, halves: Halves) -> float:
        """How much of the lightness that is seen at a place is no noise, 0 to 1: what a face is alike at most."""
        one, other = unit_rows(np.stack([self._lightness(half, halves.corners) for half in halves.pictures]))
        alike = max(float(one @ other), 0.0)
        # Both halves together have half the noise of each (the formula of Spearman and Brown).
        return float(np.sqrt(2 * alike / (1 + alike)))

    def likeness_in_noise(self, half: Picture, corners: Corners, face: int) -> float:
        """How well just this face fits at just this place, all of it at once and without tints, as these are noisier.

        Less sure than ``likeness`` where parts are hidden.
        """
        return float((unit_rows(self._lightness(half, corners)[None]) @ self._light[face]).item())

    def most_alike(self, half: Picture, corners: Corners) -> tuple[int, Corners, float]:
        """The face that fits best at just this place, either way up: its index, its corners and its likeness."""
        pattern = self._coarsely(half, corners)
        ways = np.stack([_parts(pattern), _parts(pattern[::-1, ::-1])])
        fits = np.einsum("wpv,fpv->wfp", ways, self._coarse_parts)
        turned, face = divmod(int(fits.mean(axis=2).argmax()), len(self._coarse_parts))
        likeness = _weighted_median(fits[turned, face], self._part_contrast[face])
        return face, np.roll(corners, 2 * turned, axis=0), likeness

    def is_rather(self, picture: Picture, corners: Corners, face: int, other: int) -> bool:
        """Whether what lies just there is rather this face than another, by the spots in which the two differ.

        ``picture`` is the whole picture. What is darker than both of them, as Emma, does not count.
        """
        card = self._cut(picture, self._shape.homography(corners), FINE_PX_PER_MM, 0.0, 1.0)
        one, two = self._fine[face], self._fine[other]
        # Photographs of faces are never cut out quite alike: there would be small differences everywhere.
        differ = np.maximum(_beyond(one, two), _beyond(two, one)) > _DIFFERENT
        lit = np.minimum(self._brightness[face], self._brightness[other])
        seen = card.max(axis=2)
        shown = seen > _HIDDEN * np.median(seen / lit) * lit
        off = _pattern(card, FINE_PX_PER_MM) - (one + two) / 2
        return bool((off * (one - two))[differ & shown[..., None]].sum() > 0)

    def slid(self, half: Picture, corners: Corners, face: int, motion: Motion) -> Corners:
        """The place near by where the face fits if it moves like this on the table.

        ``half`` is the picture at half size. The parts of the card that fit badly do not count. The same place comes
        back where the face fits nowhere.
        """
        to_picture = self._shape.homography(corners)
        crop = self._seen(half, to_picture, COARSE_PX_PER_MM, _SLIDING_MARGIN_MM, 0.5)
        margin = round(_SLIDING_MARGIN_MM * COARSE_PX_PER_MM)
        inner = crop[margin:-margin, margin:-margin]
        likeness = (_parts(inner) * self._coarse_parts[face]).sum(axis=1)
        fits = (likeness > min(_FITS_BADLY, float(np.median(likeness)))).reshape(_GRID).astype(np.uint8) * 255
        counts = cv2.resize(fits, inner.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        counts = np.asarray(cv2.copyMakeBorder(counts, margin, margin, margin, margin, cv2.BORDER_REPLICATE), np.uint8)
        pattern = _grey(self._coarse[face])
        start = np.array([[1, 0, margin], [0, 1, margin]], dtype=np.float32)
        kind = cv2.MOTION_EUCLIDEAN if motion is Motion.TURN else cv2.MOTION_AFFINE
        try:
            _, warp = cv2.findTransformECC(pattern, _grey(crop), start, kind, _ECC_ROUNDS, counts, _ECC_BLUR_PX)
        except cv2.error:  # nothing alike there
            return corners
        if motion is Motion.GROW:
            warp = _as_seen_from_above(np.asarray(warp, np.float64), pattern)
        height, width = pattern.shape
        outline = np.array([[(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)]])
        in_crop = cv2.transform(outline, np.asarray(warp, dtype=np.float64))[0]
        on_card = ((in_crop + 0.5 - margin) / (width, height) - 0.5) * self._shape.card_mm
        return np.asarray(cv2.perspectiveTransform(on_card[None], to_picture)[0], dtype=np.float64)

    def _lightness(self, half: Picture, corners: Corners) -> Floats32:
        """The coarse pattern of what lies at just this place without its tints, flat."""
        return _grey(self._coarsely(half, corners)).ravel()

    def _coarsely(self, half: Picture, corners: Corners) -> Floats32:
        """The coarse pattern of what lies at just this place, with all that stands on it."""
        card = self._cut(half, self._shape.homography(corners), COARSE_PX_PER_MM, 0.0, 0.5)
        return _pattern(card, COARSE_PX_PER_MM)

    def _seen(
        self, picture: Picture, to_picture: Homography, px_per_mm: float, margin_mm: float, scale: float
    ) -> Floats32:
        """The pattern, not of Emma, of what lies there; ``picture`` is at this scale of the whole."""
        card = self._cut(picture, to_picture, px_per_mm, margin_mm, scale)
        return _pattern(_lightened(card, round(margin_mm * px_per_mm)), px_per_mm)

    def _cut(
        self, picture: Picture, to_picture: Homography, px_per_mm: float, margin_mm: float, scale: float
    ) -> Picture:
        """The part of a picture (at this scale of the whole) where the card lies, upright, with a margin."""
        margin = round(margin_mm * px_per_mm)
        step_x, step_y = self._steps_mm(px_per_mm)
        left, top = (
            -side / 2 - margin * step for side, step in zip(self._shape.card_mm, (step_x, step_y), strict=True)
        )
        to_card = np.array([[step_x, 0, left + step_x / 2], [0, step_y, top + step_y / 2], [0, 0, 1]])
        to_scaled = np.array([[scale, 0, scale / 2 - 0.5], [0, scale, scale / 2 - 0.5], [0, 0, 1]])
        matrix = to_scaled @ to_picture @ to_card
        width, height = (size + 2 * margin for size in _size_px(self._shape.card_mm, px_per_mm))
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(picture, matrix, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE)
        )

    def _steps_mm(self, px_per_mm: float) -> tuple[float, float]:
        """How far apart a face's pixels lie across and down, in mm, when it has a whole number of them."""
        width, height = _size_px(self._shape.card_mm, px_per_mm)
        return self._shape.card_mm[0] / width, self._shape.card_mm[1] / height


def _as_seen_from_above(warp: Homography, pattern: Floats32) -> Homography:
    """Of the warps (2 × 3) that turn, shift and grow the one that fits a pattern most nearly as this one does.

    Rails that run straight on look the same however long they are: a warp that may stretch them does so by chance. How
    well the pattern tells each of its parameters says what such a stretch counts (least squares with its gradients).
    """
    down, across = np.gradient(pattern.astype(np.float64))
    rows, columns = np.mgrid[: pattern.shape[0], : pattern.shape[1]]
    middle = (np.array(pattern.shape[::-1]) - 1) / 2
    x, y = columns - middle[0], rows - middle[1]
    slopes = np.stack([across * x, across * y, across, down * x, down * y, down]).reshape(6, -1)
    told = slopes @ slopes.T
    # Its parameters around the middle of the pattern; a turn and a size are (a, b): a x - b y and b x + a y.
    freely = np.array([*warp[0, :2], warp[0] @ (*middle, 1), *warp[1, :2], warp[1] @ (*middle, 1)])
    ways = np.array([[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]], dtype=float)
    a, b, *shift = np.linalg.lstsq(ways.T @ told @ ways, ways.T @ told @ freely, rcond=None)[0]
    linear = np.array([[a, -b], [b, a]])
    return np.column_stack([linear, shift - linear @ middle])


def _size_px(card_mm: tuple[float, float], px_per_mm: float) -> tuple[int, int]:
    """A card's width and height in px, about; a whole number for each part of the grid."""
    rows, columns = _GRID
    return columns * round(card_mm[0] * px_per_mm / columns), rows * round(card_mm[1] * px_per_mm / rows)


def _shrunk(face: Picture, card_mm: tuple[float, float], px_per_mm: float) -> Picture:
    return np.asarray(cv2.resize(face, _size_px(card_mm, px_per_mm), interpolation=cv2.INTER_AREA))


def _lightened(card: Picture, margin: int = 0) -> Floats32:
    """A card with a margin (px), where all that is much darker than most of the card is made lighter.

    Emma is black: else her contrast with the card would outdo all that is printed there. Faces are lightened likewise.
    """
    blue, green, red = cv2.split(card)
    brightness = np.maximum(cv2.max(cv2.max(blue, green), red), 1)
    height, width = brightness.shape
    inner = brightness[margin : height - margin, margin : width - margin].ravel()
    least = _HIDDEN * float(np.partition(inner, len(inner) // 2)[len(inner) // 2])
    lighter = np.maximum(np.float32(least) / brightness, 1)
    return np.asarray(card * lighter[..., None], dtype=np.float32)


def _pattern(picture: Picture | Floats32, px_per_mm: float) -> Floats32:
    """What is lighter or darker than its surroundings, in each colour, where contrast is weak as where it is strong."""
    values = np.asarray(picture, dtype=np.float32)
    contrast = values - cv2.GaussianBlur(values, (0, 0), 5 * px_per_mm)
    strength = cv2.GaussianBlur(contrast * contrast, (0, 0), 8 * px_per_mm)
    return np.asarray(contrast / np.sqrt(strength + 25), dtype=np.float32)


def _grey(pattern: Floats32) -> Floats32:
    """The mean of a pattern's colours."""
    return np.asarray(cv2.transform(pattern, _MEAN), dtype=np.float32)


def _beyond(pattern: Floats32, other: Floats32) -> Floats32:
    """How far each spot of a pattern is from what the other one has within a pixel of it."""
    lowest, highest = cv2.erode(other, _WITHIN_A_PIXEL), cv2.dilate(other, _WITHIN_A_PIXEL)
    return np.asarray(np.abs(pattern - np.clip(pattern, lowest, highest)), dtype=np.float32)


def _cut_up(pattern: Floats32) -> Floats32:
    """The values (parts × n) in each part of a grid."""
    (rows, columns), (height, width) = _GRID, pattern.shape[:2]
    cut = pattern.reshape(rows, height // rows, columns, width // columns, -1).swapaxes(1, 2)
    return cut.reshape(rows * columns, -1)


def _parts(pattern: Floats32) -> Floats32:
    """A pattern cut into a grid of parts, each flat and of length one."""
    return unit_rows(_cut_up(pattern))


def _part_contrast(pattern: Floats32) -> Floats32:
    """How much there is to see in each part, as shares of one; an empty one tells nothing."""
    contrast = _cut_up(pattern).std(axis=1)
    contrast = np.minimum(contrast, _MUCH_CONTRAST * np.median(contrast))
    return np.asarray(contrast / max(float(contrast.sum()), 1e-6), dtype=np.float32)


def _weighted_median(values: Floats32, weights: Floats32) -> float:
    order = np.argsort(values)
    half = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    return float(values[order[min(half, len(order) - 1)]])


def unit_rows(rows: Floats32) -> Floats32:
    """Each row flat (its mean 0) and of length one: their products are correlations."""
    flat = rows - rows.mean(axis=1, keepdims=True)
    lengths = np.sqrt(np.einsum("rv,rv->r", flat, flat))[:, None]
    return np.asarray(flat / np.maximum(lengths, 1e-6), dtype=np.float32)
