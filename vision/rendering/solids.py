"""Things that stand up from the table: Emma, hands, mugs. Built from flat polygons, drawn from far to near."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats32, Points
from vision.cards import Pose
from vision.rendering.camera import Camera
from vision.rendering.scene import Block, Coin, Emma, EmmaLook, Hand, Mug
from vision.rendering.shapes import Polygon, ball, box, darker, disc, moved, ring, tube

_SUPERSAMPLING = 3
_SHIFT = 4


class Drawn(NamedTuple):
    """Solids as they appear in a part of the picture.

    ``left`` and ``top`` say which part; ``colour`` (h × w × 3, linear light, B, G, R) is multiplied with ``cover``
    (h × w, 0 to 1), how much of each pixel they fill.
    """

    left: int
    top: int
    colour: FloatPicture
    cover: Floats32


def emma_solid(emma: Emma, ground_mm: float = 0.3) -> list[Polygon]:
    """A small locomotive, 36 mm long, 15 mm wide and 22 mm high, her front towards the top of her pose.

    Or what people put in her place, which is shorter.
    """
    return list(moved(_built(emma.look), emma.pose, ground_mm))


@lru_cache(maxsize=4)  # she is the same in all pictures of a game: only where she stands changes
def _built(look: EmmaLook) -> tuple[Polygon, ...]:
    makes = {
        "engine": _engine,
        "board": _board,
        "folded": _folded,
        "pawn": _pawn,
        "meeple": _meeple,
        "disc": _disc_of_metal,
    }
    return tuple(part._replace(corners=part.corners * look.scale) for part in makes[look.make](look))


def _engine(look: EmmaLook) -> Iterator[Polygon]:
    """With frame, cab, boiler, chimney, dome and wheels."""
    body, grey = look.body, look.wheels
    red, green, blue = body
    dark = (min(255, red + 10), min(255, green + 10), min(255, blue + 11))
    yield from box((0, 0, 2.5), (13, 34, 3), dark)
    yield from box((0, 10.5, 9.5), (14.5, 12, 13), body)
    yield from box((0, 10.5, 16.8), (15.5, 13.5, 1.6), grey)
    yield from tube((0, 4.5, 9.5), (0, -15, 9.5), 5.2, 5.2, body)
    yield from tube((0, -15, 9.5), (0, -16.2, 9.5), 4.4, 3.6, grey)
    yield from tube((0, -10.5, 14), (0, -10.5, 21), 2.0, 2.9, dark)
    yield from tube((0, -2, 14), (0, -2, 16.4), 2.6, 1.6, look.dome)
    yield from box((0, -17.4, 3.4), (12, 1.6, 3.6), look.buffer)
    for side in (-6.6, 6.6):
        for along in (-11, -3, 6, 13):
            yield from tube((side, along, 3.4), (side * 1.06, along, 3.4), 3.3, 3.3, grey)


def _board(look: EmmaLook) -> Iterator[Polygon]:
    """The outline of a locomotive, sawn from a board 11 mm thick."""
    yield from box((0, 0, 5.5), (11, 34, 11), look.body)
    yield from box((0, 10.5, 15), (11, 13, 8), look.body)
    yield from box((0, -11, 14.5), (11, 5, 7), look.body)
    yield from box((0, -1.5, 12.2), (11, 5, 2.4), look.body)


def _folded(look: EmmaLook) -> Iterator[Polygon]:
    """A low boiler, a high cab and a square chimney of paper, with wheels and windows printed on it."""
    yield from box((0, -6.5, 7), (15, 23, 14), look.body)
    yield from box((0, 11.5, 11), (15, 13, 22), look.body)
    yield from box((0, -12.5, 18), (4.5, 4.5, 8), look.body)
    yield from box((0, -18.1, 4), (13, 0.2, 4), look.buffer)
    yield from box((0, 11.5, 22.1), (11, 9, 0.2), look.wheels)
    yield from box((0, -4, 14.1), (10, 5, 0.2), look.dome)
    for side in (-7.6, 7.6):
        yield from box((side, 11.5, 16), (0.2, 7, 6), look.dome)
        for along in (-12, -1, 10):
            yield from tube((side, along, 4.5), (side * 1.01, along, 4.5), 4.2, 4.2, look.wheels)


def _pawn(look: EmmaLook) -> Iterator[Polygon]:
    """A cylinder of turned wood."""
    yield from tube((0, 0, 0), (0, 0, 18), 8, 8, look.body)


def _meeple(look: EmmaLook) -> Iterator[Polygon]:
    """A little man who stands, sawn from a board 8 mm thick."""
    for side in (-4.5, 4.5):
        yield from box((side, 0, 3), (6, 8, 6), look.body)
    yield from box((0, 0, 8), (10, 8, 4), look.body)
    yield from box((0, 0, 11.5), (18, 8, 3), look.body)
    yield from tube((0, -4, 15), (0, 4, 15), 3.6, 3.6, look.body)


def _disc_of_metal(look: EmmaLook) -> Iterator[Polygon]:
    """As flat as a coin, with a rim."""
    yield from tube((0, 0, 0), (0, 0, 2), 12, 12, look.body, sides=28)
    yield from ring(2.05, 12 * 0.82, 12 * 0.74, darker(look.body))


def mug_solid(mug: Mug) -> list[Polygon]:
    """A mug with its drink and handle."""
    radius, height = mug.radius_mm, mug.height_mm
    drink = height - 8
    parts = [
        *tube((0, 0, 0), (0, 0, height), radius * 0.93, radius, mug.colour, sides=40, closed=False),
        *ring(height, radius, radius * 0.9, mug.colour),
        *disc(drink, radius * 0.9, mug.drink),
    ]
    handle = [
        (radius + 14 * math.sin(angle), 0, height / 2 + 26 * math.cos(angle)) for angle in np.linspace(0, 3.14, 7)
    ]
    for start, end in pairwise(handle):
        parts += tube(start, end, 5, 5, mug.colour, sides=8)
    return list(moved(parts, Pose(*mug.centre_mm, 35), 0))


def coin_solid(coin: Coin) -> list[Polygon]:
    """A coin."""
    parts = [
        *tube((0, 0, 0), (0, 0, 1.8), coin.radius_mm, coin.radius_mm, coin.colour, sides=28),
        *ring(1.85, coin.radius_mm * 0.82, coin.radius_mm * 0.74, darker(coin.colour)),
    ]
    return list(moved(parts, Pose(*coin.centre_mm), 0))


def block_solid(block: Block) -> list[Polygon]:
    """A box-shaped thing."""
    return list(moved(box((0, 0, block.size_mm[2] / 2), block.size_mm, block.colour), block.pose, 0))


def hand_solid(hand: Hand) -> list[Polygon]:
    """A hand that reaches down to the table, and its arm."""
    up = hand.height_mm
    knuckle = up + 14
    fingers = [(-30, 22, -0.45), (-15, 4, -0.16), (0, 0, 0.0), (14, 5, 0.15), (26, 17, 0.30)]
    parts: list[Polygon] = []
    for index, (side, back, lean) in enumerate(fingers):
        root = (side * 0.62, 62 + (10 if index in {0, 4} else 0), knuckle)
        middle = (side * hand.spread * 0.9 + 10 * lean, 30 + back * 0.8, knuckle + 3)
        tip = (side * hand.spread, back, max(4.0, up * 0.35))
        parts += tube(root, middle, 9.5, 8.5, hand.skin, sides=14)
        parts += tube(middle, tip, 8.5, 6.0, hand.skin, sides=14)
        parts += ball(middle, 8.5, hand.skin)
        parts += ball(tip, 6.0, hand.skin)
        parts += ball(root, 10, hand.skin)
    for side in (-16, 0, 15):
        parts += tube((side, 64, knuckle), (side * 0.7, 108, knuckle + 6), 15, 17, hand.skin, sides=16)
    parts += tube((0, 100, knuckle + 4), (0, 165, knuckle + 24), 26, 25, hand.skin, sides=22)
    parts += tube((0, 160, knuckle + 22), (0, 620, knuckle + 120), 33, 48, hand.sleeve, sides=26)
    return list(moved(parts, Pose(*hand.tip_mm, hand.arm_from_deg + 180), 0))


def draw_solids(polygons: Sequence[Polygon], camera: Camera, lamp_mm: Points, ambient: float) -> Drawn | None:
    """The solids as the camera sees them, lit by a lamp at a point of the world; None if out of sight."""
    visible = _facing(polygons, camera)
    if not visible:
        return None
    outlines = _projected([polygon.corners for polygon in visible], camera)
    part = _part(outlines, camera.size)
    if part is None:
        return None
    left, top, right, bottom = part
    scale = _SUPERSAMPLING
    colour = np.zeros(((bottom - top) * scale, (right - left) * scale, 3), dtype=np.float32)
    cover = np.zeros(colour.shape[:2], dtype=np.float32)
    shades = _shades(visible, lamp_mm, ambient)
    for outline, shade in zip(outlines, shades, strict=True):
        # Pixel centres lie at whole numbers; of the finer picture's too.
        corners = np.round(((outline - (left, top) + 0.5) * scale - 0.5) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(colour, corners, shade, cv2.LINE_8, _SHIFT)
        cv2.fillConvexPoly(cover, corners, (1.0,), cv2.LINE_8, _SHIFT)
    size = (right - left, bottom - top)
    return Drawn(
        left,
        top,
        np.asarray(cv2.resize(colour, size, interpolation=cv2.INTER_AREA), dtype=np.float32),
        np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), dtype=np.float32),
    )


def shadow_outlines(polygons: Sequence[Polygon], lamp_mm: Points, camera: Camera) -> list[Points]:
    """Where the polygons' shadows fall on the table, as outlines in the picture (px)."""
    floors = []
    for polygon in polygons:
        corners = polygon.corners
        reach = lamp_mm[2] / (lamp_mm[2] - np.minimum(corners[:, 2], -0.01))
        floor = lamp_mm + reach[:, None] * (corners - lamp_mm)
        floor[:, 2] = 0
        floors.append(floor)
    return _projected(floors, camera) if floors else []


def _projected(outlines: Sequence[Points], camera: Camera) -> list[Points]:
    """Outlines of the world (each n × 3, mm) in the picture (n × 2, px), all in one go: there are thousands."""
    ends = np.cumsum([len(outline) for outline in outlines])[:-1]
    return np.split(camera.project(np.concatenate(outlines)), ends)


def _middles(polygons: Sequence[Polygon]) -> Points:
    """The middle of each polygon's corners (n × 3, mm)."""
    counts = np.array([len(polygon.corners) for polygon in polygons])
    sums = np.add.reduceat(np.concatenate([polygon.corners for polygon in polygons]), np.cumsum(counts) - counts)
    return np.asarray(sums / counts[:, None])


def _facing(polygons: Sequence[Polygon], camera: Camera) -> list[Polygon]:
    """Those that show their outer side, the farthest first."""
    away = _middles(polygons) - camera.position
    normals = np.array([polygon.normal for polygon in polygons])
    facing = np.einsum("ij,ij->i", away, normals) < 0
    for index, polygon in enumerate(polygons):
        if polygon.bearer is not None:
            away[index] = polygon.bearer - camera.position
    order = np.argsort(-np.einsum("ij,ij->i", away, away))
    return [polygons[index] for index in order if facing[index]]


def _part(outlines: Sequence[Points], size: tuple[int, int]) -> tuple[int, int, int, int] | None:
    everything = np.concatenate(outlines)
    left, top = np.maximum(np.floor(everything.min(axis=0)).astype(int) - 2, 0)
    right, bottom = np.minimum(np.ceil(everything.max(axis=0)).astype(int) + 3, size)
    return None if left >= right or top >= bottom else (int(left), int(top), int(right), int(bottom))


def _shades(polygons: Sequence[Polygon], lamp_mm: Points, ambient: float) -> list[list[float]]:
    """How each polygon looks in this light: blue, green, red."""
    to_lamp = lamp_mm - _middles(polygons)
    normals = np.array([polygon.normal for polygon in polygons])
    direct = np.maximum(0.0, np.einsum("ij,ij->i", normals, to_lamp) / np.linalg.norm(to_lamp, axis=1))
    light = ambient * (0.65 - 0.35 * normals[:, 2]) + (1 - ambient) * direct
    colours = (np.array([polygon.colour[::-1] for polygon in polygons]) / 255) ** 2.2
    shades: list[list[float]] = (light[:, None] * colours).tolist()
    return shades
