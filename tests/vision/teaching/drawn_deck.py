"""A deck drawn with a few lines, as cut out of photographs: noisy, a little off, in uneven light."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Picture
from vision.cards import Edge, Face, Kind, Port

CARD_MM = (63.0, 88.0)
PX_PER_MM = 3
SIZE = (189, 264)
_ENDS = {Edge.N: (94, 0), Edge.S: (94, 263), Edge.W: (0, 150), Edge.E: (188, 150)}
"""E and W leave 6 mm below the middle."""
PORTS = {Edge.N: Port(Edge.N), Edge.S: Port(Edge.S), Edge.W: Port(Edge.W, 6.0), Edge.E: Port(Edge.E, 6.0)}
SHAPES = {
    "straight": (Edge.S, Edge.N),
    "left": (Edge.S, Edge.W),
    "right": (Edge.S, Edge.E),
    "across": (Edge.W, Edge.E),
}


def faces() -> list[Face]:
    """Four values of each shape, two of them once more as broken ones, and four without rails."""
    made = [
        Face(f"track-{value}-{shape}", value, Kind.TRACK, 1, tuple(PORTS[edge] for edge in edges), shape)
        for shape, edges in SHAPES.items()
        for value in range(1, 5)
    ]
    for value, shape in ((1, "left"), (2, "right")):
        ports = tuple(PORTS[edge] for edge in SHAPES[shape])
        made.append(Face(f"broken-{value}", value, Kind.BROKEN, 1, ports, shape))
    return made + [Face(f"chaos-{value}", value, Kind.CHAOS, 1) for value in range(1, 5)]


def cut_out(face: Face, seed: int) -> Picture:
    """The face as a photograph shows it."""
    random = np.random.default_rng(seed)
    card = np.full((*SIZE[::-1], 3), (170, 215, 205), np.uint8)
    if face.ports:
        (first, last) = (port.edge for port in face.ports)
        if {first, last} & {Edge.N, Edge.S} and {first, last} & {Edge.E, Edge.W}:
            middle = (94, 150)
        else:
            middle = tuple(int(side) for side in (np.add(_ENDS[first], _ENDS[last]) // 2))
        line = np.array([_ENDS[first], middle, _ENDS[last]], np.int32)
        cv2.polylines(card, [line], isClosed=False, color=(60, 60, 70), thickness=24)
        cv2.polylines(card, [line], isClosed=False, color=(150, 170, 190), thickness=14)
    else:
        for spot in np.random.default_rng(1).integers((40, 100), (150, 200), (14, 2)):
            cv2.circle(card, (int(spot[0]), int(spot[1])), 9, (90, 110, 120), -1)
    if face.kind is Kind.BROKEN:
        cv2.circle(card, (94, 190), 20, (40, 40, 220), -1)
    cv2.putText(card, str(face.value), (14, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (30, 30, 120), 5, cv2.LINE_AA)
    off = np.array([[1, 0, random.normal(0, 0.7)], [0, 1, random.normal(0, 0.7)]])
    seen = cv2.warpAffine(card, off, SIZE, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    light = np.linspace(random.uniform(0.85, 1), random.uniform(0.85, 1), SIZE[0], dtype=np.float32)[None, :, None]
    seen = cv2.GaussianBlur(seen * light, (0, 0), 1.0) + random.normal(0, 4, seen.shape)
    return np.asarray(seen.clip(0, 255), np.uint8)


def cut_outs() -> list[Picture]:
    """Of all faces, in their order."""
    return [cut_out(face, seed) for seed, face in enumerate(faces())]
