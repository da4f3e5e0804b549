"""The piece of rail that people have, told on a page cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.locomotion.artwork import editor
from companion.games.locomotion.rules import Dot, Passage, Piece
from companion.games.locomotion.rules.piece import MOST_CELLS, MOST_LENGTH, Track, reason_against
from companion.games.locomotion.settings import OWN


class PieceDraft:
    """The tracks of the piece as far as they are told, by cells; it lies heading east."""

    def __init__(self) -> None:
        self.tracks: Mapping[Dot, frozenset[Passage]] = {}

    @property
    def tools(self) -> tuple[str, ...]:
        """With which a page tells it (``Present.tools``)."""
        straight = sorted(editor.TRACKS, key=lambda name: editor.TRACKS[name][0].opposite is not editor.TRACKS[name][1])
        return (*straight, editor.TAKE)

    def facts(self) -> dict[str, Any]:
        """What a page shows (``Play.facts``)."""
        return editor.tracks_laid(self.tracks)

    def touch(self, tool: str, cell: Dot, to: Dot) -> bool:
        """A track is on a cell, or is not any more; straight ones run on to another cell. Says whether it can be."""
        if tool == editor.TAKE:
            told = cell in self.tracks
            self.tracks = {other: ways for other, ways in self.tracks.items() if other != cell}
            return told
        way = editor.TRACKS.get(tool)
        if way is None:
            return False
        cells = _between(cell, to) if way[0].opposite is way[1] else [cell]
        if (
            len({*self.tracks, *cells}) > MOST_CELLS
            or max(abs(length) for cell in cells for length in cell) > MOST_LENGTH
        ):
            return False
        if cells == [cell]:
            self._put(cell, self.tracks.get(cell, frozenset()) ^ {way})
        else:
            for each in cells:
                self._put(each, self.tracks.get(each, frozenset()) | {way})
        return True

    def _put(self, cell: Dot, ways: frozenset[Passage]) -> None:
        others = {other: known for other, known in self.tracks.items() if other != cell}
        self.tracks = {**others, cell: ways} if ways else others

    @property
    def piece(self) -> Piece | None:
        """The piece; None where there can be no such one."""
        if not self.tracks:
            return None
        first_x, first_y = min(self.tracks)
        cells = {(x - first_x, y - first_y): sorted(ways) for (x, y), ways in sorted(self.tracks.items())}
        tracks = [Track(cell, (first.name, second.name)) for cell, ways in cells.items() for first, second in ways]
        wide, high = (max(axis) - min(axis) for axis in zip(*cells, strict=True))
        # Along its longer sides no other one may be joined (LSET2); as wide as high it has none.
        long_sides = ("N", "S") if wide > high else ("E", "W") if high > wide else ()
        piece = Piece(OWN, tuple(cells), tuple(tracks), long_sides)
        return None if reason_against(piece) else piece


def _between(start: Dot, to: Dot) -> list[Dot]:
    """The cells of a straight line; only the first one where it is none."""
    if start[1] == to[1]:
        return [(x, start[1]) for x in range(min(start[0], to[0]), max(start[0], to[0]) + 1)]
    if start[0] == to[0]:
        return [(start[0], y) for y in range(min(start[1], to[1]), max(start[1], to[1]) + 1)]
    return [start]
