"""A whole deck read from nothing but its faces: which way up they are, their rails, kinds and values.

What is not beyond doubt is told as such: people confirm it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Picture
from vision.cards import Edge, Face, Kind, Port
from vision.teaching.even_faces import even_face, turned_round
from vision.teaching.face_names import FaceNames, edges_of, find_shapes, turned_ports
from vision.teaching.faces_together import laid_together
from vision.teaching.rails.rail_ports import LEAST_FACES, FaceRails, find_rails
from vision.teaching.taught_faces import unlikeness
from vision.teaching.values.face_blocks import block_distances, without_shade
from vision.teaching.values.value_groups import ValueGroups, find_value_groups
from vision.teaching.values.value_names import name_values
from vision.teaching.ways_up import WaysUp, find_ways_up

_BROKEN: Final = 1.4
"""One of two faces with the same rails and value is broken where its track differs from those of other values so much
more than the other's does."""
_MOST_DIFFERENT: Final = 12
"""Blocks that a broken track fills at least, half overlapping ones of 5 mm."""
_OTHER_FACES: Final = 0.4
"""Quantile of the distances to other faces: up to half of those with the same rails may be broken as well."""


class Doubt(StrEnum):
    """What of a face is not sure."""

    RAILS = "rails"
    VALUE = "value"
    NUMBER = "number"
    """Which of the values 1 to 4 its group has."""
    KIND = "kind"
    TWICE = "twice"
    WAY_UP = "way-up"


class ReadFace(NamedTuple):
    """What a cut-out shows, whether it lies upside down, and what of that is doubtful."""

    face: Face
    is_turned: bool
    doubts: frozenset[Doubt]


class _Reading(NamedTuple):
    rails: FaceRails
    group: int
    kind: Kind
    doubts: frozenset[Doubt]


def read_faces(cut_outs: Sequence[Picture], card_mm: tuple[float, float]) -> tuple[ReadFace, ...]:
    """The face of each cut-out (BGR, its top on top or at the bottom), in their order; each has an id of its own.

    Raises ValueError for fewer than five.
    """
    if len(cut_outs) < LEAST_FACES:
        msg = f"{len(cut_outs)} faces do not tell what they have in common; give {LEAST_FACES} or more."
        raise ValueError(msg)
    ways = find_ways_up(cut_outs, card_mm)
    pictures = [turned_round(one) if turn else one for one, turn in zip(cut_outs, ways.is_turned, strict=True)]
    rails = find_rails(pictures, card_mm)
    faces = list(rails.faces)
    is_turned = ways.is_turned.copy()
    if rails.is_clear and _is_session_turned(faces):
        pictures = [turned_round(one) for one in pictures]
        faces = [_turned(one) for one in faces]
        is_turned = ~is_turned
    sets = _alike(faces)
    names = FaceNames(find_shapes({ports: len(some) for ports, some in sets.items()}), card_mm)
    pictures, groups = _grouped(pictures, list(sets.values()), card_mm)
    named = name_values(pictures, groups.groups, groups.gains, card_mm)
    kinds, doubtful_kinds = _kinds(pictures, list(sets.values()), groups.groups, faces, card_mm)
    twice = _twice(pictures, list(sets.values()), groups.groups)
    read = []
    for number, one in enumerate(faces):
        value = named.values[groups.groups[number]]
        doubts = {
            Doubt.RAILS: not (one.is_clear and rails.is_clear),
            Doubt.VALUE: not groups.are_clear[number] or not rails.is_clear,
            Doubt.NUMBER: not named.is_clear,
            Doubt.KIND: number in doubtful_kinds,
            Doubt.TWICE: number in twice,
            Doubt.WAY_UP: not rails.is_clear or _is_way_up_doubtful(ways, number, one),
        }
        face = names.face(value, kinds[number], one.ports)
        read.append(
            ReadFace(face, bool(is_turned[number]), frozenset(doubt for doubt, holds in doubts.items() if holds))
        )
    return tuple(read)


def _grouped(
    pictures: list[Picture], sets: Sequence[Sequence[int]], card_mm: tuple[float, float]
) -> tuple[list[Picture], ValueGroups]:
    """The faces grouped by their values, and so laid as these are clearest: as they were cut out, or together."""
    groups = find_value_groups(pictures, sets, card_mm)
    if all(groups.are_clear):
        return pictures, groups
    # What is alike may draw faces askew that differ in more than their values: it counts only where it makes clearer.
    laid = laid_together(pictures, sets, card_mm)
    anew = find_value_groups(laid, sets, card_mm)
    return (laid, anew) if sum(anew.are_clear) > sum(groups.are_clear) else (pictures, groups)


def _is_session_turned(faces: Sequence[FaceRails]) -> bool:
    """Whether bends lead to the top rather than to the bottom: all photographs are upside down then."""
    bends = [{port.edge for port in face.ports} for face in faces]
    bends = [edges for edges in bends if len(edges & {Edge.E, Edge.W}) == 1]
    return sum(Edge.N in edges for edges in bends) > sum(Edge.S in edges for edges in bends)


def _turned(rails: FaceRails) -> FaceRails:
    return rails._replace(ports=turned_ports(rails.ports))


def _alike(faces: Sequence[FaceRails]) -> dict[tuple[Port, ...], list[int]]:
    """The numbers of the faces whose rails leave at the same places."""
    sets: dict[tuple[Port, ...], list[int]] = {}
    for number, face in enumerate(faces):
        sets.setdefault(face.ports, []).append(number)
    return sets


def _is_way_up_doubtful(ways: WaysUp, number: int, rails: FaceRails) -> bool:
    edges = set(edges_of(rails.ports))
    if edges & {Edge.S, Edge.N} and edges & {Edge.E, Edge.W}:
        return Edge.N in edges  # a bend tells by itself, unless it contradicts all others
    return not ways.is_clear(number)


def _kinds(
    pictures: Sequence[Picture],
    sets: Sequence[Sequence[int]],
    groups: Sequence[int],
    faces: Sequence[FaceRails],
    card_mm: tuple[float, float],
) -> tuple[dict[int, Kind], set[int]]:
    """The kind of each face, and of which faces it is doubtful.

    Of two faces with the same rails and value one is broken: what breaks it is on no other of these.
    """
    kinds = {number: Kind.TRACK if face.ports else Kind.CHAOS for number, face in enumerate(faces)}
    doubtful: set[int] = set()
    marks = [without_shade(even_face(picture, card_mm)) for picture in pictures]
    for some in sets:
        if not faces[some[0]].ports:
            continue
        distances = None
        for group in range(4):
            same = [place for place, number in enumerate(some) if groups[number] == group]
            if len(same) < 2:
                continue
            if distances is None:
                distances = block_distances(np.stack([marks[number] for number in some]))
            others = [place for place in range(len(some)) if place not in same]
            apart = {place: _apart(distances, place, others) for place in same}
            away = sorted(((_strangeness(apart, place), place) for place in same), reverse=True)
            kinds[some[away[0][1]]] = Kind.BROKEN
            if len(same) > 2 or away[0][0] < _BROKEN * away[1][0]:
                doubtful.update(some[place] for place in same)
    return kinds, doubtful


def _apart(distances: Floats, face: int, others: Sequence[int]) -> Floats:
    """How different a face is from others with the same rails, in each block."""
    if not others:
        return np.zeros(len(distances))
    return np.asarray(np.quantile(distances[:, face][:, others], _OTHER_FACES, axis=1))


def _strangeness(apart: dict[int, Floats], face: int) -> float:
    """How much stranger a face is than those with its rails and value, where it is so most."""
    usual = np.min([other for place, other in apart.items() if place != face], axis=0)
    return float(np.sort(np.maximum(apart[face] - usual, 0))[-_MOST_DIFFERENT:].mean())


def _twice(pictures: Sequence[Picture], sets: Sequence[Sequence[int]], groups: Sequence[int]) -> set[int]:
    """The faces that look like one before them."""
    found = set()
    for some in sets:
        for place, number in enumerate(some):
            before = (other for other in some[:place] if groups[other] == groups[number])
            if any(not unlikeness(pictures[other], pictures[number]).is_enough for other in before):
                found.add(number)
    return found
