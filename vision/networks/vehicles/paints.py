"""Colours of vehicles: which px of a picture show which of them in whatever light, and what light that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Flags, Floats, Floats32
from vision.networks.grid.grid_picture import GAMMA
from vision.networks.pieces.piece_look import USUAL_LIGHT
from vision.networks.vehicles.standing_room import Room
from vision.networks.vehicles.vehicle_shapes import Kind
from vision.watching.network_reading import Cell, SeenPaint

_SHADES: Final = (0.35, 1.6)
"""How much darker a side away from the lamp may be than the light around, and how much lighter one towards it."""
_UNLIKE: Final = 0.12
"""How far off a paint is seen, as a share of its light: of the paint, of what is mirrored in it, and of neighbours."""
_DARK: Final = 0.012
"""As a share of the brightest paint's light: less has no colour, as what is around is mirrored in it."""
_LEAST_LIGHT: Final = 0.006
"""In parts of white."""
_NEAREST: Final = 8
"""So many cells around a dot tell of the light there: one may be in a shadow, or be taken for another."""
_WARMTHS: Final = np.linspace(-0.6, 0.6, 13)
"""How much redder and less blue a lamp's light is, as a logarithm."""
_WARMTH_SPREAD: Final = 0.3
_LIGHT_SPREAD: Final = 0.5
"""How much what they send back of the light differs between pieces of which nothing is known, as a logarithm."""
_WOODS: Final = np.geomspace(0.12, 0.75, 8)
_PRIOR: Final = 0.5
"""How much what lamps and woods are like tells, where 1 is what one vehicle tells."""
_TELLING: Final = 40
"""So many px of a vehicle tell the light."""
_ROOF_SPREAD: Final = 0.3
"""How much a roof's light differs from that of the pieces, as a logarithm."""
_AS_LIGHT: Final = 1.15
"""What is lighter than bare pieces by more is no piece."""
_LIKE: Final = 1.5
"""Px that are off a paint by fewer deviations look like it."""
_NOISE: Final = 0.01
"""Of a px of a grid picture, in parts of white."""
_SOME: Final = 100
"""So many px of a vehicle tell its paint."""
_KNOWN: Final = 0.15
"""So many px at least are of a known vehicle's paint: half of a locomotive is of others."""
_COLOURS: Final = 40
"""So many px tell what colours a table has: it may be chequered."""
_MOST_PX: Final = 300
"""So many tell how much it varies."""
_SAME_PAINT: Final = 1.5
"""Two vehicles of one paint look so unlike at most, in deviations."""
_TOLD_APART: Final = 1.0
"""Two paints have to look so unlike at least for the eye to tell them apart."""


Colour = tuple[int, int, int]
"""R, G, B."""


class Paints(NamedTuple):
    """The numbers of some colours, and the light that each paint sends back (k × 3)."""

    numbers: tuple[int, ...]
    light: Floats

    @classmethod
    def of(cls, colours: Mapping[int, Colour]) -> Paints:
        """Those of colours (R, G, B) by their numbers."""
        numbers = tuple(sorted(colours))
        return cls(numbers, np.array([paint_light(colours[number]) for number in numbers]).reshape(-1, 3))


def paint_light(colour: Colour) -> Floats:
    """What a colour (R, G, B) sends back of white light, as B, G, R."""
    return np.asarray((np.array(colour[::-1]) / 255) ** GAMMA)


def colour_of(light: Floats) -> Colour:
    """The colour (R, G, B) that sends back so much of white light (B, G, R); above 255 where it is more than white."""
    blue, green, red = (int(part) for part in np.round(255 * np.maximum(light, 0) ** (1 / GAMMA)))
    return red, green, blue


def paint_seen(light: Floats32, lamp: Floats) -> Floats:
    """What most px of a vehicle (n × 3) send back of a lamp's light (3), however its sides are shaded.

    Signs and what lies around have other colours: the largest part counts that is of one colour.
    """
    own = light / np.maximum(lamp, _LEAST_LIGHT)
    some = own[:: max(1, len(own) // _SOME)]
    is_like = unlikeness(some.astype(np.float32), some.astype(np.float64), np.ones(3), _NOISE) < _LIKE
    return np.asarray(np.median(some[is_like[:, is_like.sum(axis=0).argmax()]], axis=0), np.float64)


def unlikeness(light: Floats32, paints: Floats, lamp: Floats, noise: float) -> Floats32:
    """How little each pixel's light (n × 3) looks like each paint (k × 3) in a lamp's light (3), in deviations (n × k).

    However dark or light it is, as far as shades go. ``noise`` is the standard deviation of a pixel, in parts of white.
    """
    seen = (paints * lamp).astype(np.float32)
    shade = np.clip((light @ seen.T) / np.maximum((seen**2).sum(axis=1), 1e-9), *_SHADES)
    brightest = seen.max(axis=1)
    least = np.float32(noise**2 + (_DARK * seen.max()) ** 2)
    off = np.zeros_like(shade)
    for part, one in zip(light.T, seen.T, strict=True):
        off += (part[:, None] - shade * one) ** 2 / ((shade * (_UNLIKE / 2 * (one + brightest))) ** 2 + least)
    return np.asarray(np.sqrt(off / 3), np.float32)


def noise_of(light: Floats32) -> float:
    """About the standard deviation of a px of a grid picture's light (h × w × 3), by chance."""
    across = light[::4, 1:-1:4] - (light[::4, :-2:4] + light[::4, 2::4]) / 2
    return float(1.48 * np.median(np.abs(across)) / np.sqrt(1.5))


def unlike_all(cells: Floats32, usual: Floats32) -> Floats:
    """What share of each cell's px (n × px × 3) looks otherwise than nearly all px of the usual cells (m × px × 3)."""
    if not len(usual):
        return np.zeros(len(cells))
    px = usual.reshape(-1, 3)
    px = px[:: -(-len(px) // _MOST_PX)]
    some = px[:: -(-len(px) // _COLOURS)].astype(np.float64)
    limit = np.percentile(unlikeness(px, some, np.ones(3), _NOISE).min(axis=1), 95)
    off = unlikeness(cells.reshape(-1, 3), some, np.ones(3), _NOISE).min(axis=1).reshape(cells.shape[:2])
    return np.asarray((off > limit).mean(axis=1), np.float64)


def lamps_by_print(at: Floats, lamps: Floats, dots: Floats) -> Floats:
    """The light at dots (n × 2): of white, in parts of white (n × 3).

    ``lamps`` (m × 3) is the light of cells whose print is known, ``at`` (m × 2); raises ValueError where there is none.
    """
    if not len(at):
        raise ValueError("No cell tells of the light.")
    apart = sum((dots[:, None, axis] - at[None, :, axis]) ** 2 for axis in (0, 1))
    nearest = np.argpartition(apart, min(_NEAREST, len(at)) - 1, axis=1)[:, :_NEAREST]
    return np.asarray(np.median(lamps[nearest], axis=1))


def lamp_by_paints(light: Floats32, bare: Floats, rooms: Sequence[Room], paints: Paints, noise: float) -> Floats:
    """The light (3) in which most of what stands on dots looks like one of the paints.

    ``light`` is a grid picture's, ``bare`` (3) what empty pieces send back; ``rooms`` are those of dots that are not
    empty. Most of a vehicle is its roof, which has as much light as the pieces. ``noise`` is that of a px.
    """
    parts = [light[room.rows, room.columns] for room in rooms]
    parts = [part[:: max(1, len(part) // _TELLING)] for part in parts]
    parts = [part[~is_bare(part, bare, noise)] for part in parts]
    parts = [part for part in parts if len(part)]
    px, starts = np.concatenate([np.zeros((0, 3), np.float32), *parts]), np.cumsum([0, *map(len, parts)])

    def lamp(place: tuple[int, int]) -> Floats:
        return np.asarray(bare.mean() / _WOODS[place[0]] * np.exp(_WARMTHS[place[1]] * np.array((-1.0, 0.0, 0.6))))

    def worth(place: tuple[int, int]) -> float:
        wood, warmth = np.log(_WOODS[place[0]] / USUAL_LIGHT) / _LIGHT_SPREAD, _WARMTHS[place[1]] / _WARMTH_SPREAD
        likely = _PRIOR * float(np.exp(-(wood**2 + warmth**2) / 2))
        if not parts or not len(paints.numbers):
            return likely
        seen = paints.light * lamp(place)
        shade = np.log(np.maximum((px @ seen.T) / np.maximum((seen**2).sum(axis=1), 1e-9), 1e-3))
        off = np.hypot(unlikeness(px, paints.light, lamp(place), noise), shade / _ROOF_SPREAD)
        alike = np.add.reduceat(np.clip(1 - off / (2 * _LIKE), 0, 1), starts[:-1], axis=0).max(axis=1)
        return likely + float((alike / np.diff(starts)).sum())

    # Every second one, and then those around the best.
    wood, warmth = max(product(range(0, len(_WOODS), 2), range(0, len(_WARMTHS), 2)), key=worth)
    woods = range(max(wood - 1, 0), min(wood + 2, len(_WOODS)))
    warmths = range(max(warmth - 1, 0), min(warmth + 2, len(_WARMTHS)))
    return lamp(max(product(woods, warmths), key=worth))


def usual_lamp(bare: Floats) -> Floats:
    """The white light (3) in which pieces of which nothing is known send back what is seen of empty ones (3)."""
    return np.full(3, bare.mean() / USUAL_LIGHT)


def is_bare(light: Floats32, bare: Floats, noise: float) -> Flags:
    """Which px (n × 3) look like what pieces are made of (3), in the same light or in a shadow."""
    strength = (light @ bare) / max(float(bare @ bare), 1e-9)
    off = unlikeness(light, bare[None], np.ones(3), noise)[:, 0]
    return np.asarray((off < _LIKE) & (strength < _AS_LIGHT))


class Learnt(NamedTuple):
    """The people's own colours by their numbers, and what does not fit: two numbers that look alike, dots that differ.

    ``odd`` are the dots on which a wagon looks like one of another number, and not like any of its own.
    """

    colours: Mapping[int, Colour]
    alike: tuple[int, int] | None
    odd: tuple[Cell, ...]


def learnt(seen: Mapping[Cell, Colour], standing: Mapping[Cell, Kind]) -> Learnt:
    """The colours by what is seen on dots (R, G, B), and by what people say that stands there.

    Wagons tell more than locomotives, most of which have other colours as well.
    """
    groups: dict[int, list[Cell]] = {}
    numbers_of_wagons = {kind.colour for kind in standing.values() if not kind.is_locomotive}
    for dot, kind in sorted(standing.items()):
        if not kind.is_locomotive or kind.colour not in numbers_of_wagons:
            groups.setdefault(kind.colour, []).append(dot)
    usual = {
        number: np.median([paint_light(seen[dot]) for dot in dots], axis=0) for number, dots in sorted(groups.items())
    }
    lights = {number: [paint_light(seen[dot]) for dot in dots] for number, dots in groups.items()}
    odd = tuple(
        dot
        for number, dots in groups.items()
        for at, dot in enumerate(dots)
        if _is_odd(lights[number][at], [*lights[number][:at], *lights[number][at + 1 :]], usual, number)
    )
    pairs = {pair: _apart(usual[pair[0]], usual[pair[1]]) for pair in combinations(usual, 2)}
    nearest = min(pairs, key=lambda pair: pairs[pair], default=None)
    alike = nearest if nearest is not None and pairs[nearest] < _TOLD_APART else None
    colours = {number: colour_of(light) for number, light in usual.items()}
    return Learnt(colours, alike, odd)


def _is_odd(light: Floats, same: Sequence[Floats], usual: Mapping[int, Floats], number: int) -> bool:
    """Whether a paint is unlike all others that should be the ``same``, and like that of another number."""
    others = [other for each, other in usual.items() if each != number]
    is_unlike = bool(same) and min(_apart(light, other) for other in same) > _SAME_PAINT
    return is_unlike and any(_apart(light, other) < _TOLD_APART for other in others)


def _apart(one: Floats, other: Floats) -> float:
    """How unlike two paints are whichever of them is seen, in deviations."""
    offs = [
        float(unlikeness(here[None].astype(np.float32), there[None], np.ones(3), _NOISE)[0, 0])
        for here, there in ((one, other), (other, one))
    ]
    return min(offs)


class SeenPlace(NamedTuple):
    """A dot on which something stands, its room, the lamp (3) there, and the one in which its colour is told."""

    dot: Cell
    room: Room
    lamp: Floats
    white: Floats


def paints_seen(light: Floats32, places: Sequence[SeenPlace], paints: Paints) -> tuple[SeenPaint, ...]:
    """The paints of what stands at places in a grid picture's light (h × w × 3)."""
    found = []
    for dot, room, lamp, white in places:
        px = light[room.rows, room.columns]
        if not len(px):
            continue
        shares = (unlikeness(px, paints.light, lamp, _NOISE) < _LIKE).mean(axis=0)
        found.append(SeenPaint(dot, colour_of(paint_seen(px, white)), bool(shares.max(initial=0.0) > _KNOWN)))
    return tuple(found)
