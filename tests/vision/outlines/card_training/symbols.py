"""Decks without rails: cards that show symbols in various numbers, colours and fillings, and how a camera sees them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Numbers, Picture

_PX_PER_MM: Final = 4.0
"""How large faces are drawn."""
_CARDS_MM: Final = ((63, 88), (57, 88), (56, 87), (70, 120), (88, 63), (70, 70))
_FILLINGS: Final = ("solid", "empty", "striped")
_SHADES: Final = 16
"""OpenCV draws with so many steps a px."""


class SymbolDeck(NamedTuple):
    """Its cards' size in mm, its faces, and one card of each as it is seen with its surroundings, with its corners."""

    card_mm: tuple[float, float]
    faces: list[Picture]
    seen: list[tuple[Picture, Corners]]


def symbol_deck(random: np.random.Generator, most: int) -> SymbolDeck:
    """A deck of so many faces at most."""
    card_mm = _CARDS_MM[random.integers(len(_CARDS_MM))]
    ground, colours = _colours(random, int(random.integers(1, 5)))
    shapes = [_outline(random) for _ in range(random.integers(1, 5))]
    fillings = random.permutation(_FILLINGS)[: random.integers(1, len(_FILLINGS) + 1)]
    every = list(product(range(1, int(random.integers(1, 5)) + 1), shapes, colours, fillings))
    chosen = random.permutation(len(every))[:most]
    stands, part, thin = random.random() < 0.5, random.uniform(0.5, 0.9), random.uniform(0.5, 1.2)
    faces = [_face(card_mm, ground, *every[index], stands=stands, part=part, thin=thin) for index in chosen]
    return SymbolDeck(card_mm, faces, [_seen(face, random) for face in faces])


def _colours(random: np.random.Generator, count: int) -> tuple[Numbers, list[Numbers]]:
    """A ground, and colours that differ from it and from one another."""
    ground = random.uniform(200, 255, 3) if random.random() < 0.7 else random.uniform(0, 255, 3)
    colours: list[Numbers] = []
    while len(colours) < count:
        colour = random.uniform(0, 255, 3)
        if all(np.abs(colour - other).max() > 70 for other in (ground, *colours)):
            colours.append(colour)
    return ground, colours


def _outline(random: np.random.Generator) -> Numbers:
    """The outline (n × 2, from -1 to 1) of an oval, of something with corners, a star, or something bent."""
    angles = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    kind = random.integers(4)
    if kind == 0:
        power = random.uniform(0.5, 1.2)
        x, y = (np.sign(f(angles)) * np.abs(f(angles)) ** power for f in (np.cos, np.sin))
    elif kind == 1:
        corners = random.integers(3, 7)
        turn = random.uniform(0, 2 * math.pi)
        far = math.cos(math.pi / corners) / np.cos((angles + turn) % (2 * math.pi / corners) - math.pi / corners)
        x, y = far * np.cos(angles), far * np.sin(angles)
    elif kind == 2:
        far = 1 - random.uniform(0.2, 0.5) * (1 + np.cos(random.integers(3, 8) * angles)) / 2
        x, y = far * np.cos(angles), far * np.sin(angles)
    else:
        x, y = np.cos(angles), np.sin(angles) * random.uniform(0.5, 0.8)
        y = y + random.choice((-1, 1)) * random.uniform(0.3, 0.6) * np.sin(math.pi * x)
    outline = np.column_stack([x, y])
    return np.asarray(outline / np.abs(outline).max(axis=0))


def _face(
    card_mm: tuple[float, float],
    ground: Numbers,
    count: int,
    outline: Numbers,
    colour: Numbers,
    filling: str,
    *,
    stands: bool,
    part: float,
    thin: float,
) -> Picture:
    """Symbols one below another, or side by side if the card ``stands`` the other way."""
    width, height = (round(side * _PX_PER_MM) for side in card_mm)
    along, across = (width, height) if stands else (height, width)
    room = along / 4.4
    face = np.empty((height, width, 3), np.uint8)
    face[:] = ground.round()
    inside = np.zeros((height, width), np.uint8)
    line = max(round(thin * _PX_PER_MM), 1)
    for number in range(count):
        middle = along / 2 + (number - (count - 1) / 2) * room
        sides = outline * (part * across / 2.4, room / 2.5) + np.array([across / 2, middle])
        points = sides[:, ::-1] if stands else sides
        drawn = [(points * _SHADES).round().astype(np.int32)]
        if filling == "solid":
            cv2.fillPoly(inside, drawn, (255,), cv2.LINE_AA, 4)
        elif filling == "striped":
            filled = cv2.fillPoly(np.zeros_like(inside), drawn, (255,), cv2.LINE_AA, 4)
            stripes = (np.arange(width) // line % 2 == 0).astype(np.uint8)
            inside = np.maximum(inside, filled * stripes)
        cv2.polylines(inside, drawn, isClosed=True, color=(255,), thickness=line, lineType=cv2.LINE_AA, shift=4)
    share = inside[..., None] / 255
    return np.asarray(face * (1 - share) + colour * share, np.uint8)


def _seen(face: Picture, random: np.random.Generator) -> tuple[Picture, Corners]:
    """The card on a table of one colour, somewhat askew, as sharp as a camera above the table sees it."""
    height, width = face.shape[:2]
    px_per_mm = random.uniform(1.2, 3)
    size = np.array([width, height]) * px_per_mm / _PX_PER_MM
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size - 0.5
    corners = corners + random.normal(0, 0.03 * size.mean(), (4, 2)) + 0.2 * size
    to_picture = cv2.getPerspectiveTransform(
        np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5),
        corners.astype(np.float32),
    )
    soft = cv2.GaussianBlur(face, (0, 0), 0.45 * _PX_PER_MM / px_per_mm)
    table = tuple(random.uniform(0, 255, 3).tolist())
    wide, high = (1.4 * size).astype(int).tolist()
    seen = cv2.warpPerspective(soft, to_picture, (wide, high), flags=cv2.INTER_AREA, borderValue=table)
    return np.asarray(seen, np.uint8), corners


def shrunk(faces: Sequence[Picture], size: tuple[int, int]) -> list[Picture]:
    """The faces at this width and height."""
    return [np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8) for face in faces]
