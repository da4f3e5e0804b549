"""Cut-outs checked against the faces that they are taken for: which way up they are, and whether their rails fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Picture
from vision.cards import Edge, Face, Port
from vision.teaching.even_faces import turned_round
from vision.teaching.rails.rail_ports import LEAST_FACES, DeckRails, find_rails
from vision.teaching.ways_up import find_ways_up

LEAST_AGREEING: Final = 0.5
"""Of the faces with clear rails, what must have those declared, one way up or the other: otherwise the eye is wrong,
or hardly any photograph is in its place, and no single face can be told."""
_SAME_PLACE_MM: Final = 3.0
"""Ports this near are the same; those of decks with several places on an edge are 10 mm apart."""


class Check(NamedTuple):
    """Whether a cut-out is upside down, and the edges that its rails are clearly seen to leave by, if others."""

    is_turned: bool
    other_edges: tuple[Edge, ...] | None = None


class DeckCheck(NamedTuple):
    """A check for each cut-out, in their order; without clear rails it only tells which lie otherwise than most."""

    faces: tuple[Check, ...]
    has_clear_rails: bool
    is_in_order: bool
    """Whether enough faces have the rails declared."""


def check_faces(cut_outs: Sequence[Picture], faces: Sequence[Face], card_mm: tuple[float, float]) -> DeckCheck:
    """Compares cut-outs (BGR, each with its top on top or at the bottom) with the faces that they should be."""
    known = [face.has_rails or not face.is_track for face in faces]
    if len(cut_outs) < LEAST_FACES:
        return DeckCheck((Check(is_turned=False),) * len(cut_outs), has_clear_rails=False, is_in_order=True)
    ways = find_ways_up(cut_outs, card_mm)
    pictures = [turned_round(one) if turn else one for one, turn in zip(cut_outs, ways.is_turned, strict=True)]
    rails = find_rails(pictures, card_mm)
    is_session_turned = _lie_turned(rails, faces)
    compared = _compared(rails, faces, turned=is_session_turned)
    clear = [can_tell and rails.is_clear and seen.is_clear for can_tell, seen in zip(known, rails.faces, strict=True)]
    wrong = [fits is False and is_clear for fits, is_clear in zip(compared, clear, strict=True)]
    is_in_order = sum(wrong) <= (1 - LEAST_AGREEING) * max(1, sum(clear))
    checks = []
    for number, face in enumerate(rails.faces):
        edges = tuple(port.edge.opposite if is_session_turned else port.edge for port in face.ports)
        is_turned = bool(ways.is_turned[number]) != is_session_turned
        checks.append(Check(is_turned, edges if wrong[number] and is_in_order else None))
    return DeckCheck(tuple(checks), rails.is_clear, is_in_order)


def _lie_turned(rails: DeckRails, faces: Sequence[Face]) -> bool:
    """Whether faces that all lie the same way up lie upside down, by all that their edges tell of rails.

    That tells it even where no rails are clear: of 103 decks for building, two of them so, photographed by another
    camera, it was right on all, by 60 and more (a logarithm).
    """
    crossed = np.array([[any(port.edge is edge for port in face.ports) for edge in Edge] for face in faces])
    upright, upside_down = (float(rails.leaving[np.roll(crossed, turn, axis=1)].sum()) for turn in (0, 2))
    return upside_down > upright


def _compared(rails: DeckRails, faces: Sequence[Face], *, turned: bool) -> list[bool | None]:
    """Whether faces have the rails declared; None where those would be elsewhere on an edge than most."""
    usual = _usual_places(rails)
    fitting: list[bool | None] = []
    for seen, face in zip(rails.faces, faces, strict=True):
        ports = [_turned_port(port) for port in face.ports] if turned else list(face.ports)
        elsewhere = any(abs(port.offset_mm - usual.get(port.edge, port.offset_mm)) > _SAME_PLACE_MM for port in ports)
        edges = {port.edge for port in seen.ports}
        fits = edges == {port.edge for port in ports}
        fitting.append(None if elsewhere else fits)
    return fitting


def _usual_places(rails: DeckRails) -> dict[Edge, float]:
    places: dict[Edge, list[float]] = {}
    for face in rails.faces:
        for port in face.ports:
            places.setdefault(port.edge, []).append(port.offset_mm)
    return {edge: float(np.median(offsets)) for edge, offsets in places.items()}


def _turned_port(port: Port) -> Port:
    return Port(port.edge.opposite, -port.offset_mm)
