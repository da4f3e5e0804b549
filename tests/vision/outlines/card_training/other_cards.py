"""Cards of decks without rails: painted over those of a picture, so that networks learn what a card is on any deck."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from tests.vision.outlines.place_training.scenes import Example
from vision.arrays import Corners, Floats32

OTHER_CARDS: Final = 0.22
"""So many of the pictures have such cards."""
_FACE_PX: Final = (126, 176)
_WHOLLY_SEEN: Final = 0.97
"""What lies on a card is not painted over."""
_FEW_PX: Final = 4
_ROUND: Final = 0.06
"""The radius of the corners, as a part of the width."""


def with_other_cards(example: Example, random: np.random.Generator) -> Example:
    """The example with other faces on the cards that nothing hides, in the light that fell on them."""
    picture = example.picture.astype(np.float32)
    pale = random.uniform(190, 255) * random.uniform(0.9, 1, 3)
    ground = random.uniform(0, 255, 3) if random.random() < 0.3 else pale
    light = np.float32(random.uniform(0.5, 1.0))
    draw = _DRAWN[random.integers(len(_DRAWN))]
    for corners, seen in zip(example.cards, example.visible, strict=True):
        if seen >= _WHOLLY_SEEN:
            face = np.full((_FACE_PX[1], _FACE_PX[0], 3), ground, np.float32)
            draw(face, random)
            _lay_on(picture, corners, face * light, random)
    return example._replace(picture=np.clip(picture, 0, 255).astype(np.uint8))


def _draw_shapes(face: Floats32, random: np.random.Generator) -> None:
    """Some shapes of one kind below one another, in a frame or none."""
    height, width = face.shape[:2]
    ink = _ink(random)
    if random.random() < 0.4:
        inset, thick = int(random.integers(0, 10)), int(random.integers(1, 5))
        cv2.rectangle(face, (inset, inset), (width - 1 - inset, height - 1 - inset), ink, thick, cv2.LINE_AA)
    count, corners = int(random.integers(1, 5)), int(random.integers(3, 9))
    filled = -1 if random.random() < 0.5 else int(random.integers(2, 5))
    is_even = random.random() < 0.5
    for index in range(count):
        middle = np.array([width / 2, height * (index + 1) / (count + 1)])
        reach = np.array([width * random.uniform(0.2, 0.4), height / (count + 1) * random.uniform(0.3, 0.6)])
        angles = np.arange(36) / 36 if is_even else np.sort(random.uniform(0, 1, corners))
        around = middle + reach * np.column_stack([np.cos(2 * np.pi * angles), np.sin(2 * np.pi * angles)])
        outline = [around.round().astype(np.int32)]
        if filled < 0:
            cv2.fillPoly(face, outline, ink, cv2.LINE_AA)
        else:
            cv2.polylines(face, outline, isClosed=True, color=ink, thickness=filled, lineType=cv2.LINE_AA)


def _draw_picture(face: Floats32, random: np.random.Generator) -> None:
    """Colours that flow into one another, and shapes on them."""
    height, width = face.shape[:2]
    coarse = random.uniform(0, 255, (random.integers(3, 9), random.integers(3, 7), 3)).astype(np.float32)
    edge = int(random.integers(0, 14))
    inside = cv2.resize(coarse, (width - 2 * edge, height - 2 * edge), interpolation=cv2.INTER_CUBIC)
    face[edge : height - edge, edge : width - edge] = np.clip(inside, 0, 255)
    _draw_shapes(face, random)


def _draw_writing(face: Floats32, random: np.random.Generator) -> None:
    """Some lines of writing."""
    ink, size = _ink(random), random.uniform(0.4, 0.8)
    count = int(random.integers(3, 9))
    for index in range(count):
        word = "".join(chr(random.integers(65, 91)) for _ in range(random.integers(2, 9)))
        start = (int(random.integers(6, 30)), round(face.shape[0] * (index + 1) / (count + 1)))
        cv2.putText(face, word, start, cv2.FONT_HERSHEY_DUPLEX, size, ink, 1, cv2.LINE_AA)


def _ink(random: np.random.Generator) -> tuple[float, ...]:
    return tuple(random.uniform(0, 255 if random.random() < 0.6 else 60, 3).tolist())


_DRAWN: Final = (_draw_shapes, _draw_picture, _draw_writing)


def _lay_on(picture: Floats32, corners: Corners, face: Floats32, random: np.random.Generator) -> None:
    """Paints a face over a card of the picture, as bright from side to side as what was there."""
    left, top = np.maximum(corners.min(axis=0).astype(int) - 2, 0)
    right, bottom = np.minimum(corners.max(axis=0).astype(int) + 3, picture.shape[1::-1])
    if right - left < 4 or bottom - top < 4:
        return
    there = picture[top:bottom, left:right]
    height, width = face.shape[:2]
    goal = (corners - (left, top)).astype(np.float32)
    across = float(np.linalg.norm(goal[1] - goal[0]))
    blur = max(width / max(across, 1) / 2.5, 0.4) * random.uniform(0.8, 1.5)
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    to_picture = cv2.getPerspectiveTransform(outline, goal)
    shape = (int(right - left), int(bottom - top))
    soft = cv2.GaussianBlur(face, (0, 0), blur, borderType=cv2.BORDER_REPLICATE)
    laid = cv2.warpPerspective(soft, to_picture, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.GaussianBlur(_rounded(width, height), (0, 0), blur, borderType=cv2.BORDER_CONSTANT)
    covered = cv2.warpPerspective(cover, to_picture, shape, flags=cv2.INTER_LINEAR)[..., None]
    light = cv2.GaussianBlur(there.mean(axis=2), (0, 0), max(across / 3, 1))
    light = np.clip(light / max(float(light.mean()), 1.0), 0.75, 1.3)[..., None]
    noise = random.normal(0, random.uniform(0.5, 4), laid.shape)
    there += covered * (laid * light + noise - there)


def _rounded(width: int, height: int) -> Floats32:
    """1 on the face, and 0 beyond its round corners."""
    radius = round(_ROUND * width)
    cover = np.zeros((height, width), np.float32)
    cv2.rectangle(cover, (radius, 0), (width - 1 - radius, height - 1), 1.0, -1)
    cv2.rectangle(cover, (0, radius), (width - 1, height - 1 - radius), 1.0, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(cover, (x, y), radius, 1.0, -1, cv2.LINE_AA)
    return cover
