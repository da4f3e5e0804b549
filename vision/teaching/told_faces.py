"""A new face read beside those of its deck that a person has confirmed so far: its rails, its value, which way up.

What is not clear by odds is left open: a person tells it, and what follows is clearer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Picture
from vision.cards import Edge, Kind, Port
from vision.teaching.even_faces import even_face, turned_round
from vision.teaching.face_names import ordered_ports
from vision.teaching.rails.rail_ends import rail_ends
from vision.teaching.taught_faces import unlikeness
from vision.teaching.values.face_blocks import block_distances, without_shade
from vision.teaching.values.face_evidence import Named, evidence, least_noise

_CLEAR_PORTS: Final = 3.0
"""Rails are clear where any others are less likely by this (natural logarithm of 20). Of 360 faces of 15 decks for
building .978 were, and all of them right."""
_CLEAR_VALUE: Final = 3.0
"""The same for values. Of 1,012 faces of 22 decks for building 573 were then offered one, 3 of them a wrong one; with
2.0 it was 638 and 6, with 1.5 677 and 13."""
_LOOKED_AT: Final = 6
"""So many told faces are looked at with the new one for its rails: it takes a thirtieth of a second for each."""
_SNAP_MM: Final = 3.0
"""Rails seen so near to where told ones leave leave there."""
_OPPOSITE: Final = 1.0
"""So much rarer (a logarithm) rails leave where told ones do so by the opposite edge alone, as cards join on."""
_ELSEWHERE: Final = 3.0
"""So much rarer than there they leave by an edge elsewhere."""
_UNTOLD: Final = 1e-4
"""So probable is at least what the networks hold for impossible."""
_BEND_UPWARDS: Final = 4.0
"""So much rarer (a logarithm) a bend goes from the top of an upright face, if none is told to."""
_TURNED: Final = 0.1
"""So many cards are laid upside down."""
_LOOKS: Final = 40.0
"""How much what is on the faces counts beside the edges: so often the mean logarithm of how much more the new face
differs one way up. Of 360 faces for building, 45 of them turned, 356 were told to lie as they did; with 15, 352."""
_FLOOR: Final = 0.1
"""In parts of the usual distance of two faces: what cannot be told from noise."""
_NOTHING: Final = 1e-6
"""What is added to squares of Lab lest faces that are all alike divide by nothing."""
_KIND_LOOKS: Final = 0.02
"""How much a block counts that tells whether tracks are broken: what disturbs one does so with many."""
_BROKEN: Final = 0.15
"""So many faces with rails are broken."""
_TWICE: Final = 0.25
"""So much rarer than others is a face with rails, kind and value of one that is told."""
_TOLD: Final = 0.3
"""How much it counts that values explain a block of the told faces. With 1 a thirtieth fewer values were told."""
_MOST_GAINED: Final = 5.0
"""No block tells more (a logarithm) of the new face: in one of hundreds any two faces are alike by chance. Without such
a limit, values of decks for building were wrong whose odds were beyond all doubt."""
_VALUES: Final = frozenset({1, 2, 3, 4})
_ANOTHER: Final = 0
"""A value that nobody has shown yet."""


class ToldFace(NamedTuple):
    """A face as a person has confirmed it: its cut-out (BGR, upright), where its rails leave, its value and kind."""

    cut_out: Picture
    ports: tuple[Port, ...]
    value: int
    kind: Kind

    @property
    def named(self) -> Named:
        """What it is told to be."""
        return Named(ordered_ports(self.ports), self.kind is Kind.BROKEN, self.value)


class FaceGuess(NamedTuple):
    """What a cut-out seems to show."""

    ports: tuple[Port, ...]
    """Of the upright face: none or two, in the order S, W, E, N."""
    are_ports_clear: bool
    value: int | None
    """None where it cannot be told (yet)."""
    is_turned: bool
    same: int | None
    """Index of the told face that this seems to be once more."""
    places: Mapping[Edge, float]
    """Where (mm from its middle) rails leave by each edge of the upright face, if they do."""


class _Way(NamedTuple):
    """How the rails of a face leave it, were it upright, and whether it is not."""

    ports: tuple[Port, ...]
    is_turned: bool


def guess_face(cut_out: Picture, told: Sequence[ToldFace], card_mm: tuple[float, float]) -> FaceGuess:
    """What a cut-out (BGR, its top on top or at the bottom) seems to show, beside the faces told so far."""
    distances = _distances(cut_out, told, card_mm)
    seen = _seen(cut_out, told, card_mm)
    odds = _by_looks(_ways(seen, told, card_mm), distances)
    best = max(odds, key=lambda way: odds[way])
    own = [odd for way, odd in odds.items() if way.ports == best.ports]
    rest = [odd for way, odd in odds.items() if way.ports != best.ports]
    are_clear = bool(np.logaddexp.reduce(own) - np.logaddexp.reduce(rest) >= _CLEAR_PORTS)
    value = _value(distances[best.is_turned], told, best.ports)
    same = _same(cut_out, told, best.ports, value)
    upright = _upright(seen, is_turned=best.is_turned)
    likely = {edge: max(_places(upright[edge], edge, told, card_mm), key=itemgetter(1))[0] for edge in Edge}
    places = {edge: port.offset_mm for edge, port in likely.items()}
    return FaceGuess(best.ports, are_clear, value, best.is_turned, same, places)


def _distances(cut_out: Picture, told: Sequence[ToldFace], card_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    """How different the told faces and the new one, the last, are in each block: as it lies, and turned round."""
    faces = [even_face(one, card_mm) for one in (*(face.cut_out for face in told), cut_out, turned_round(cut_out))]
    each = block_distances(np.stack([without_shade(face) for face in faces]))
    as_it_lies, turned = ([*range(len(told)), len(told) + way] for way in range(2))
    return each[:, as_it_lies][:, :, as_it_lies], each[:, turned][:, :, turned]


def _seen(cut_out: Picture, told: Sequence[ToldFace], card_mm: tuple[float, float]) -> dict[Edge, Floats]:
    """How probable it is that rails leave the new face within each mm of each edge."""
    looked_at = [told[number].cut_out for number in _various(told)]
    return {edge: seen[0] for edge, seen in rail_ends([cut_out, *looked_at], card_mm).items()}


def _various(told: Sequence[ToldFace]) -> list[int]:
    """The last ones told of each way of rails in turn: the more these differ, the clearer are all."""
    before: Counter[tuple[Port, ...]] = Counter()
    turns = []
    for number in reversed(range(len(told))):
        ports = told[number].named.ports
        turns.append((before[ports], -number))
        before[ports] += 1
    return [-number for _, number in sorted(turns)[:_LOOKED_AT]]


def _ways(seen: Mapping[Edge, Floats], told: Sequence[ToldFace], card_mm: tuple[float, float]) -> dict[_Way, float]:
    """Ways that the rails of the new face may take, and how likely by what is seen at the edges (logarithms)."""
    counts = Counter(face.named.ports for face in told)
    ways = {}
    for is_turned in (False, True):
        upright = _upright(seen, is_turned=is_turned)
        places = {edge: dict(_places(upright[edge], edge, told, card_mm)) for edge in Edge}
        none = {edge: float(np.log(max(1 - upright[edge].sum(), _UNTOLD))) for edge in Edge}
        for ports in {*counts, *_likeliest(places)}:
            ends = {port.edge: port for port in ports}
            likely = sum(places[edge].get(ends[edge], np.log(_UNTOLD)) if edge in ends else none[edge] for edge in Edge)
            likely += float(np.log((counts[ports] + 1) / (len(told) + 1)))
            likely += float(np.log(_TURNED if is_turned else 1 - _TURNED))
            if ports not in counts and ends.keys() & {Edge.E, Edge.W} and Edge.N in ends:
                likely -= _BEND_UPWARDS
            ways[_Way(ports, is_turned)] = float(likely)
    return ways


def _upright(seen: Mapping[Edge, Floats], *, is_turned: bool) -> Mapping[Edge, Floats]:
    """The same as if the face lay upright."""
    return {edge: seen[edge.opposite][::-1] for edge in Edge} if is_turned else seen


def _places(
    probable: Floats, edge: Edge, told: Sequence[ToldFace], card_mm: tuple[float, float]
) -> Iterator[tuple[Port, float]]:
    """Where rails may leave by an edge, and how likely: as told ones do, there or opposite, or where most is seen."""
    side = card_mm[0] if edge in {Edge.N, Edge.S} else card_mm[1]
    middles = (np.arange(len(probable)) + 0.5) / len(probable) * side - side / 2
    ports = {port for face in told for port in face.ports}
    here = {port.offset_mm for port in ports if port.edge is edge}
    opposite = {port.offset_mm for port in ports if port.edge is edge.opposite} - here
    peak = round(float(middles[np.convolve(probable, np.ones(3), "same").argmax()]), 1) or 0.0  # no -0.0
    elsewhere = {peak} if all(abs(peak - offset) > _SNAP_MM for offset in here | opposite) else set()
    for offsets, rarer in ((here, 0.0), (opposite, _OPPOSITE), (elsewhere, _ELSEWHERE if here else 0.0)):
        for offset in offsets:
            about = float(probable[np.abs(middles - offset) <= _SNAP_MM].sum())
            yield Port(edge, offset), float(np.log(max(about, _UNTOLD))) - rarer


def _likeliest(places: Mapping[Edge, Mapping[Port, float]]) -> Iterator[tuple[Port, ...]]:
    """None, or two ends by any two edges."""
    yield ()
    for edges in combinations(Edge, 2):
        yield ordered_ports(max(places[edge], key=lambda port: places[port.edge][port]) for edge in edges)


def _by_looks(odds: Mapping[_Way, float], distances: tuple[Floats, Floats]) -> dict[_Way, float]:
    """How likely these ways are if all that is on the faces also tells whether the new one is turned."""
    as_it_lies, turned = (each[:, -1, :-1] for each in distances)
    if not as_it_lies.size:
        return dict(odds)
    floor = _FLOOR * float(np.median((as_it_lies + turned).mean(axis=0) / 2)) + _NOTHING
    tells = _LOOKS * float(np.log((as_it_lies + floor) / (turned + floor)).mean())
    return {way: likely + (tells if way.is_turned else 0.0) for way, likely in odds.items()}


def _value(distances: Floats, told: Sequence[ToldFace], ports: tuple[Port, ...]) -> int | None:
    """The value of the new face with these rails, if it is clear."""
    if not told:
        return None
    named = [face.named for face in told]
    shown = sorted({face.value for face in told})
    values = shown if len(shown) == len(_VALUES) else [*shown, _ANOTHER]
    new = [Named(ports, is_broken, value) for value, is_broken in product(values, (False, True) if ports else (False,))]
    noise = least_noise(distances)
    before = evidence(distances[:, :-1, :-1], [named], noise)
    after = evidence(distances, [[*named, one] for one in new], noise)
    already = before.with_values - before.without_values
    gained = after.with_values - after.without_values - already
    # Values may be told by any one of the blocks, most probably by one that does so on the told faces.
    odds = np.logaddexp.reduce(_TOLD * already + np.minimum(gained, _MOST_GAINED), axis=0)
    odds += _KIND_LOOKS * after.without_values.sum(axis=0)
    odds += [_usually(one, named, len(shown)) for one in new]
    each = np.logaddexp.reduce(odds.reshape(len(values), -1), axis=1)
    best = int(each.argmax())
    if len(each) > 1 and each[best] - np.logaddexp.reduce(np.delete(each, best)) < _CLEAR_VALUE:
        return None
    if values[best] != _ANOTHER:
        return values[best]
    left = set(_VALUES) - set(shown)
    return left.pop() if len(left) == 1 else None


def _usually(new: Named, named: Sequence[Named], shown: int) -> float:
    """How usual (a logarithm) such a face is, after those that are told and show so many values."""
    share = len(_VALUES) - shown if new.value == _ANOTHER else 1
    kind = _BROKEN if new.is_broken else 1 - _BROKEN
    return float(np.log(share * kind * (_TWICE if new in named else 1)))


def _same(cut_out: Picture, told: Sequence[ToldFace], ports: tuple[Port, ...], value: int | None) -> int | None:
    """Which of the told faces with these rails, and this value if it is clear, the new one is once more."""
    alike = {
        number: unlikeness(face.cut_out, cut_out)
        for number, face in enumerate(told)
        if face.named.ports == ports and value in {None, face.value}
    }
    alike = {number: unlike for number, unlike in alike.items() if not unlike.is_enough}
    return min(alike, key=lambda number: alike[number]) if alike else None
