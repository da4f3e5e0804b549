"""Where paper ends: outside of a card a photograph shows the bare table, or its shadow; inside it need not.

What is printed along the edge may be clearer than the edge itself, but it does not look like the table at that very
place. All is compared along straight sides.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Flags, FloatPicture, Floats, Floats32, Indices, Points

STEP_MM: Final = 0.25
OFFSETS_MM: Final = np.arange(-4.0, 9.0 + STEP_MM / 2, STEP_MM)
"""Where a picture is looked at across a side: mm outwards. Beyond the widest margin there must be bare table."""
EDGES_MM: Final = np.arange(-2.5, 6.0 + STEP_MM / 2, STEP_MM)
"""Where the edge may be: printed frames are up to 6 mm within it, shadows end up to 2.5 mm outside of it."""
_ALONG: Final = np.linspace(0.1, 0.9, 64)
"""Where a side is looked at, in parts of its length: corners are round."""
_BARE: Final = 8
"""So many of the outermost offsets are bare table in any case."""
_FINE_MM: Final = np.arange(OFFSETS_MM[0] - 2.0, EDGES_MM[-1] + STEP_MM, STEP_MM / 2) + STEP_MM / 4
"""Small pieces across a side, each of which is card or table."""
_INK: Final = 0.5
_INK_SPREAD: Final = 0.3
"""How bright prints are in linear light, and how different."""
_INK_MM: Final = 2.0
"""How far apart two places of a print are that have not much to do with each other."""
_INK_AT_FINE: Final = _INK_SPREAD**2 * np.exp(-np.abs(_FINE_MM[:, None] - _FINE_MM) / _INK_MM)
_UNEXPLAINED: Final = 0.015
"""Of the light there is, what these thoughts about shadows and lenses do not explain; 0.01 and 0.035 do worse."""
_SHARPER: Final = 0.2
"""How much sharper or less sharp edges are than is thought; if it were known, bright cards on dark stripes would have
two best places for each edge, half a millimetre apart."""
_SHADOW: Final = 0.25
_SHADOW_MM: Final = 2.5
"""Of the table's light, what lacks right beside a card, and how far out that fades. Measured in each session it is
worse: where an edge is taken for too far out, its shadow is taken for too faint, and the other way round."""
_DARKER: Final = 0.1
"""Of the table's light, how much more or less may lack there."""
_CONTACT_MM: Final = 0.7
"""How far out that goes."""
_INSIDE_MM: Final = -1.0
"""From here on inwards a profile shows the card alone."""
_OUTSIDE_MM: Final = 4.0
"""So far outside of an edge the table must be known to tell it."""
_INDEPENDENT_ALONG: Final = 0.1
"""The part of samples along a side that have nothing to do with each other: prints and tables have patterns."""


class Profiles(NamedTuple):
    """Pictures across sides (… × offsets × 3, linear light): of cards, of the bare table there, and how they vary.

    The variances along a side: of the card's picture, of both together, of the table.
    """

    samples: int
    seen: Floats
    bare: Floats
    own: Floats
    shared: Floats
    tables: Floats

    def chosen(self, which: int | Flags | Indices) -> Profiles:
        """Some, by the first axis."""
        return Profiles(self.samples, *(values[which] for values in self[1:]))


def side_places(card_mm: tuple[float, float], side: int) -> Points:
    """Where a side is looked at: places along it × offsets × (x, y), mm around the card's middle."""
    across, down = card_mm[0] / 2, card_mm[1] / 2
    corners = np.array([(-across, -down), (across, -down), (across, down), (-across, down)])
    start, reach = corners[side], corners[(side + 1) % 4] - corners[side]
    outward = np.array([reach[1], -reach[0]]) / np.linalg.norm(reach)
    return np.asarray(start + _ALONG[:, None, None] * reach + OFFSETS_MM[:, None] * outward)


def known_part(known: Floats32, places: Points) -> Floats:
    """Which part of the table just outside of both halves of a side (2) was seen."""
    outside = _taken(known, places[:, (OFFSETS_MM >= 0) & (OFFSETS_MM <= _OUTSIDE_MM)])
    return np.asarray(outside.reshape(2, -1).mean(axis=1), float)


def side_profiles(picture: FloatPicture, table: FloatPicture, places: Points, table_places: Points) -> Profiles:
    """The profiles of both halves of a side (2 × offsets × 3), at the same places of two pictures (px)."""
    seen, bare = _taken(picture, places), _taken(table, table_places)
    far_seen, far_bare = seen[:, -_BARE:], bare[:, -_BARE:]
    gain = (far_seen * far_bare).sum(axis=(0, 1)) / np.maximum((far_bare**2).sum(axis=(0, 1)), 1e-9)
    halves = [values.reshape(2, -1, *values.shape[1:]) for values in (seen, bare * gain)]
    means = [values.mean(axis=1) for values in halves]
    one, two = (values - mean[:, None] for values, mean in zip(halves, means, strict=True))
    return Profiles(len(_ALONG) // 2, *means, *((a * b).mean(axis=1) for a, b in ((one, one), (one, two), (two, two))))


def stacked(profiles: list[Profiles]) -> Profiles:
    """Several as one, along a new first axis."""
    return Profiles(profiles[0].samples, *(np.stack(values) for values in list(zip(*profiles, strict=True))[1:]))


def noise_of(profiles: Profiles) -> Floats:
    """The variance (3) of single samples where there is bare table."""
    apart = profiles.own - 2 * profiles.shared + profiles.tables
    return np.asarray(apart[..., -_BARE:, :].mean(axis=tuple(range(apart.ndim - 1))))


class EdgeFinder:
    """Finds edges in profiles of a session."""

    def __init__(self, profiles: Profiles, px_per_mm: float) -> None:
        """``profiles`` are usual ones of the session, ``px_per_mm`` tells how fine the pictures are."""
        light = np.maximum(profiles.bare, profiles.seen).reshape(-1, 3).mean(axis=0)
        apart = (profiles.seen - profiles.bare)[..., OFFSETS_MM <= _INSIDE_MM, :].reshape(-1, 3)
        self._variance = noise_of(profiles)
        self._unexplained = (_UNEXPLAINED * light) ** 2
        self._sharper = _SHARPER**2 * (apart**2).mean(axis=0)
        self._darker = (_DARKER * profiles.bare.reshape(-1, 3).mean(axis=0)) ** 2
        self._independent = min(1.0, STEP_MM * px_per_mm)
        """The part of samples across an edge that do not show the same pixels."""

    def likelihoods(self, profiles: Profiles, blur_mm: float) -> Floats:
        """For each of EDGES_MM how likely (a logarithm) such profiles (… × offsets × 3) are (… × edges).

        ``blur_mm`` is the standard deviation of what the camera does to an edge. Prints are anything, seen so: light
        and dark, and more alike the nearer two places are.
        """
        through_lens = np.exp(-0.5 * ((OFFSETS_MM[:, None] - _FINE_MM) / blur_mm) ** 2)
        through_lens *= (_FINE_MM[1] - _FINE_MM[0]) / (blur_mm * np.sqrt(2 * np.pi))
        outwards = OFFSETS_MM - EDGES_MM[:, None]  # edges × offsets, as all that follows
        on_card = through_lens * (EDGES_MM[:, None] > _FINE_MM)[:, None]
        inside = on_card.sum(axis=2)
        lit = (1 - inside) * (1 - _SHADOW * np.clip(1 - outwards / _SHADOW_MM, 0, 1))
        # How an edge changes if it is sharper than is thought, and if the shadow beside it is darker.
        sharper = outwards / blur_mm * np.exp(-0.5 * (outwards / blur_mm) ** 2) / np.sqrt(2 * np.pi)
        darker = (1 - inside) * np.exp(-np.maximum(outwards, 0) / _CONTACT_MM)
        ink = on_card @ _INK_AT_FINE @ on_card.swapaxes(1, 2)
        sharpness, darkness = _products(sharper), _products(darker)
        noise = self._variance / (profiles.samples * self._independent) + self._unexplained
        total = self._varying(profiles, inside, lit)
        for colour in range(3):
            seen, bare = (values[..., None, :, colour] for values in (profiles.seen, profiles.bare))
            left = seen - (lit * bare + inside * _INK)  # … × edges × offsets
            expected = ink + noise[colour] * np.eye(len(OFFSETS_MM))
            expected += self._sharper[colour] * sharpness + self._darker[colour] * darkness
            root = np.linalg.cholesky(expected)
            flat = left.reshape(-1, *left.shape[-2:]).transpose(1, 2, 0)
            whitened = np.linalg.inv(root) @ flat  # edges × offsets × all profiles
            total -= 0.5 * (whitened**2).sum(axis=1).T.reshape(total.shape)
            total -= np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
        return total

    def _varying(self, profiles: Profiles, inside: Floats, lit: Floats) -> Floats:
        """How likely it is that along the sides the pictures vary so: with the table, or as prints do."""
        part = lit[..., None]
        own, shared, tables = (values[..., None, :, :] for values in (profiles.own, profiles.shared, profiles.tables))
        varying = own - 2 * part * shared + part**2 * tables
        expected = part**2 * (self._variance + (2 * _UNEXPLAINED) ** 2 * tables)
        expected = expected + inside[..., None] ** 2 * (0.5 * _INK_SPREAD) ** 2
        count = _INDEPENDENT_ALONG * self._independent * profiles.samples
        return np.asarray(-0.5 * count * (np.log(expected) + varying / expected).sum(axis=(-2, -1)))


def _products(values: Floats) -> Floats:
    """The products of each two of the last axis."""
    return np.asarray(values[..., :, None] * values[..., None, :])


def tops(likelihoods: Floats) -> tuple[Floats, Floats]:
    """The likeliest of EDGES_MM (… × edges) to a part of a step, and how sure each is: 0 at either end."""
    best = likelihoods.argmax(axis=-1)
    inner = best.clip(1, len(EDGES_MM) - 2)
    left, middle, right = (
        np.take_along_axis(likelihoods, (inner + way)[..., None], axis=-1)[..., 0] for way in (-1, 0, 1)
    )
    bend = np.where(best == inner, np.maximum(2 * middle - left - right, 0.0), 0.0)
    places = EDGES_MM[inner] + STEP_MM * np.clip(0.5 * (right - left) / np.maximum(bend, 1e-12), -1, 1)
    return np.where(bend > 0, places, EDGES_MM[best]), bend


def _taken(picture: FloatPicture | Floats32, places: Points) -> Floats32:
    across, down = (places[..., axis].astype(np.float32) for axis in (0, 1))
    return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
