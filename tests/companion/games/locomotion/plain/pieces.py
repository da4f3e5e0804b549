"""LMAT2: the three pieces of rail as data, and where their dots and tracks are once they are laid."""

from __future__ import annotations

from typing import Final

Dot = tuple[int, int]
"""A cell, x to the right and y down. There is one dot in it, so it is the dot's name too."""
Side = str
"""N, E, S or W."""
Passage = str
"""A track through a dot: the two sides that it joins, in the order of the alphabet: "EW", "SW"."""
Lie = frozenset[Passage]
Laid = tuple[Dot, Side]
"""Where a piece lies: its first cell, and the heading of its straight track."""

SIDES: Final = "NESW"
STEP_TO: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

PIECES: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    # Cell by cell along the heading, the tracks in it: b(ack), f(ront), r(ight) and l(eft), seen along the heading
    "T": (("bf",), ("bf", "br"), ("bf",)),  # the arc joins the side towards the first cell with the right long side
    "X": (("bf",), ("bf", "lr", "br", "fl"), ("bf",)),  # turned by half it looks the same, and so does D
    "D": (("bf", "fr"), ("bf", "bl")),
}


def opposite(side: Side) -> Side:
    return SIDES[(SIDES.index(side) + 2) % 4]


def beyond(dot: Dot, side: Side) -> Dot:
    """The cell on the other side of a side."""
    return dot[0] + STEP_TO[side][0], dot[1] + STEP_TO[side][1]


def side_towards(dot: Dot, other: Dot) -> Side:
    """The side that a cell shares with a cell beside it."""
    return next(side for side in SIDES if beyond(dot, side) == other)


def turned(relative: str, heading: Side) -> Side:
    """Which side b, f, r or l is on a piece that lies along a heading."""
    return SIDES[(SIDES.index(heading) + "frbl".index(relative)) % 4]


def tracks_of(shape: str, laid: Laid) -> dict[Dot, Lie]:
    """The dots of a piece that is laid, from the first to the last, and all passages of each."""
    cell, heading = laid
    tracks = {}
    for relative_tracks in PIECES[shape]:
        sides = [sorted(turned(relative, heading) for relative in track) for track in relative_tracks]
        tracks[cell] = frozenset("".join(pair) for pair in sides)
        cell = beyond(cell, heading)
    return tracks
