"""Where rails leave each face of a deck, told by two small networks from what lies along the faces' edges.

The first looks at one edge of one face. The second tells from what the first has seen there, on the whole deck and how
that varies: frames and grounds are the same on most faces, and what some have at a place and others have not are rails.
Both have learnt from decks that were drawn at random and photographed (``tests/vision/teaching/rail_training``), and
know none of those that they are asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Picture
from vision.cards import Edge

PX_PER_MM: Final = 2
DEPTH_PX: Final = 48
"""So deep into the card it looks: where rails run on they are told from what is drawn at an edge."""
CHANNELS: Final = 6
"""Of a strip: B, G, R, and how these differ from the mean of the deck."""
SEEN: Final = 48
"""So many values the first network sees in each mm of an edge."""
LEAST_SPREAD: Final = 0.01
"""How much they vary is so much more: the faces of a deck may all be alike."""
_LEAST_CONTRAST: Final = 0.02
"""What contrast a face is divided by is so much more: one that shows nothing stays flat."""
_COLOURS_EXCHANGED: Final = [2, 1, 0, 5, 4, 3]
_one_at_a_time: Final = Lock()


def rail_ends(cut_outs: Sequence[Picture], card_mm: tuple[float, float]) -> dict[Edge, Floats]:
    """How probable it is that rails leave each face within each mm of each edge (faces × mm), from its left or top on.

    ``cut_outs`` (B, G, R) lie all the same way up. What is missing to 1 in a row is how probable it is that none do.
    """
    faces = np.stack([shown(cut_out, card_mm) for cut_out in cut_outs])
    return {edge: _told(strips)[:, :-1] for edge, strips in strips_of(faces).items()}


def size_px(card_mm: tuple[float, float]) -> tuple[int, int]:
    """Width and height of a face as it is shown."""
    width, height = (PX_PER_MM * round(side) for side in card_mm)
    return width, height


def shown(cut_out: Picture, card_mm: tuple[float, float]) -> Floats32:
    """A face as it is shown (h × w × 3, 0 to 1)."""
    small = cv2.resize(cut_out, size_px(card_mm), interpolation=cv2.INTER_AREA)
    return np.asarray(small / np.float32(255), np.float32)


def strips_of(faces: Floats32) -> dict[Edge, Floats32]:
    """What lies along each edge of faces (n × h × w × 3), as the network is shown it: n × CHANNELS × DEPTH_PX × px.

    The edge is on top; from left to right it goes as offsets on it do, to the right or down.
    """
    mean, contrast = (measure(faces, axis=(1, 2, 3), keepdims=True) for measure in (np.mean, np.std))
    flat = ((faces - mean) / (contrast + _LEAST_CONTRAST)).transpose(0, 3, 1, 2)
    across = flat.swapaxes(2, 3)
    sides = {Edge.N: flat, Edge.E: across[:, :, ::-1], Edge.S: flat[:, :, ::-1], Edge.W: across}
    strips = {edge: _deep(side) for edge, side in sides.items()}
    return {
        edge: np.concatenate([strip, strip - strip.mean(axis=0)], axis=1, dtype=np.float32)
        for edge, strip in strips.items()
    }


def _deep(side: Floats32) -> Floats32:
    """What lies along the top of faces; of cards that are less deep the last row goes on."""
    missing = max(0, DEPTH_PX - side.shape[2])
    return np.pad(side[:, :, :DEPTH_PX], ((0, 0), (0, 0), (0, missing), (0, 0)), mode="edge")


@cache
def _network(name: str) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer((files(__package__) / f"{name}.onnx").read_bytes(), np.uint8))


def _told(strips: Floats32) -> Floats:
    """How probable each mm of these strips is, and that it is none of them (n × (mm + 1))."""
    # In a mirror, in other colours and as a negative rails are rails, too. Of 960 faces of 40 decks for building .969
    # were right by one look, .973 by the mean of four.
    mirrored = _odds(strips[..., ::-1])
    looks = [_odds(strips), np.concatenate([mirrored[:, -2::-1], mirrored[:, -1:]], axis=1)]
    looks += [_odds(strips[:, _COLOURS_EXCHANGED]), _odds(-strips)]
    odds = np.mean(looks, axis=0)
    return np.asarray(np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)))


def _odds(strips: Floats32) -> Floats:
    """The same as logarithms, as the networks tell it."""
    seen = _by("rails", strips)
    mean = np.broadcast_to(seen.mean(axis=0), seen.shape)
    spread = np.broadcast_to(np.sqrt(seen.var(axis=0) + LEAST_SPREAD**2), seen.shape)
    odds = _by("deck_rails", np.concatenate([seen, mean, spread], axis=1)).astype(np.float64)
    return np.asarray(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))


def _by(name: str, shown: Floats32) -> Floats32:
    """What a network says of each of these that it is shown."""
    with _one_at_a_time:
        network = _network(name)
        told = []
        for one in shown:
            network.setInput(np.ascontiguousarray(one[None]))
            told.append(network.forward()[0].copy())
    return np.stack(told)
