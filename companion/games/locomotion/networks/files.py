"""Networks and puzzles as files of JSON. Whatever such a file holds, it is read within bounds.

    {"piece": "T", "pieces": [[[0, 0], "E"], [[1, 1], "S"]], "locomotive": [2, 0],
     "wagons": {"1": [1, 3], "2": [0, 0]}, "order": [2, 1]}

A network alone has only ``piece`` (a name, or a piece's own data) and ``pieces``. A puzzle may have ``knobs``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, Final

import msgspec

from companion.games.locomotion.networks.puzzle import Puzzle
from companion.games.locomotion.rules import (
    BadNetwork,
    BadPiece,
    Dot,
    Knobs,
    Network,
    Piece,
    PlacedPiece,
    RuleError,
    lay,
    load_piece,
    read_piece,
)
from companion.games.locomotion.rules.network import MOST_COORDINATE

LARGEST_BYTES: Final = 100_000
"""Of a file; the largest that means something has a twentieth of it."""

Length = Annotated[int, msgspec.Meta(ge=-2 * MOST_COORDINATE, le=2 * MOST_COORDINATE)]
Cell = tuple[Length, Length]


class _Placed(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    cell: Cell
    heading: str


class _Knobs(Knobs, frozen=True, forbid_unknown_fields=True):
    """As in a record; one that is not told has its default."""


class _Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``companion locomotion puzzle --json`` tells besides of a puzzle; nobody reads it here."""

    number: msgspec.Raw = msgspec.Raw()
    steps: msgspec.Raw = msgspec.Raw()
    proven: msgspec.Raw = msgspec.Raw()
    turns: msgspec.Raw = msgspec.Raw()
    solutions: msgspec.Raw = msgspec.Raw()
    all_counted: msgspec.Raw = msgspec.Raw()
    judgement: msgspec.Raw = msgspec.Raw()
    plan: msgspec.Raw = msgspec.Raw()
    states: msgspec.Raw = msgspec.Raw()
    tries: msgspec.Raw = msgspec.Raw()


class _File(_Told, frozen=True, kw_only=True):
    piece: msgspec.Raw
    pieces: tuple[_Placed, ...]
    locomotive: Cell | None = None
    wagons: dict[str, Cell] | None = None
    order: tuple[Length, ...] | None = None
    knobs: _Knobs | None = None


class BadFile(ValueError):
    """A file is no network and no puzzle: which file, where in it, and what is wrong there."""

    def __init__(self, source: str, place: str, reason: str | RuleError) -> None:
        super().__init__(source, place, reason)
        self.reason = reason
        self._where = f"{source}: {place}" if place else source

    def __str__(self) -> str:
        return self.told(str)

    def told(self, say: Callable[[RuleError], str]) -> str:
        """The same, what the rules object to in the words of ``say``."""
        return f"{self._where}: {say(self.reason) if isinstance(self.reason, RuleError) else self.reason}"


def read_network(content: bytes, source: str) -> Network | Puzzle:
    """What a file holds; raises BadFile, which names the source and the place in it."""
    if len(content) > LARGEST_BYTES:
        raise BadFile(source, "", f"it is too large for a network; {LARGEST_BYTES} bytes are the most.")
    if not content.strip():
        raise BadFile(source, "", "it is empty; docs/locomotion.md shows what a network and a puzzle look like.")
    try:
        file = msgspec.json.decode(content, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason, _, place = str(error).partition(" - at `$")
        raise BadFile(source, place.strip(".`"), f"{reason}.") from None
    _check_once(content, source)
    network = _network(file, source)
    told = {"locomotive": file.locomotive, "wagons": file.wagons, "order": file.order}
    if all(part is None for part in told.values()):
        if file.knobs is not None:
            raise BadFile(source, "knobs", "a puzzle may have knobs; a network has none.")
        return network
    missing = [name for name, part in told.items() if part is None]
    if missing:
        raise BadFile(source, missing[0], "a puzzle has locomotive, wagons and order; a network has none of them.")
    return _puzzle(network, file, source)


def network_as_json(network: Network) -> dict[str, Any]:
    """What a network's file holds; a piece that ships is told by its name."""
    piece = network.piece
    try:
        ships = load_piece(piece.name) == piece
    except BadPiece:
        ships = False
    placed = [[list(placed.cell), placed.heading] for placed in network.pieces]
    return {"piece": piece.name if ships else msgspec.to_builtins(piece), "pieces": placed}


def puzzle_as_json(puzzle: Puzzle) -> dict[str, Any]:
    """What a puzzle's file holds; knobs only if one is not as by default."""
    knobs = {} if puzzle.knobs == Knobs() else {"knobs": msgspec.to_builtins(puzzle.knobs)}
    return {
        **network_as_json(puzzle.network),
        "locomotive": list(puzzle.locomotive),
        "wagons": {str(number): list(dot) for number, dot in enumerate(puzzle.wagons, 1)},
        "order": list(puzzle.order),
        **knobs,
    }


def _check_once(content: bytes, source: str) -> None:
    """Raises BadFile where a key stands twice in an object: of the two the reader would forget the first."""
    try:
        told = json.loads(content, object_pairs_hook=_Pairs, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise BadFile(source, "", f"{error}.") from None
    waiting = [("", told)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, _Pairs):
            twice = next((key for key, count in Counter(key for key, _ in value).items() if count > 1), None)
            if twice is not None:
                raise BadFile(source, f"{place}.{twice}".lstrip("."), "this is told twice; leave one of them out.")
            waiting += [(f"{place}.{key}".lstrip("."), inner) for key, inner in value]
        elif isinstance(value, list):
            waiting += [(f"{place}[{number}]", inner) for number, inner in enumerate(value)]


class _Pairs(tuple[tuple[str, Any], ...]):
    """An object of JSON with each key as often as it stands there."""

    __slots__ = ()


def _network(file: _File, source: str) -> Network:
    try:
        return lay(_piece(file.piece), [PlacedPiece(placed.cell, placed.heading) for placed in file.pieces])
    except BadPiece as error:
        raise BadFile(source, "piece", str(error)) from None
    except BadNetwork as error:
        place = ", ".join(f"pieces[{number}]" for number in error.pieces) or "pieces"
        raise BadFile(source, place, error) from None


def _piece(raw: msgspec.Raw) -> Piece:
    content = bytes(raw)
    if not content.startswith(b'"'):
        return read_piece(content)
    return load_piece(msgspec.json.decode(content, type=str))


def _puzzle(network: Network, file: _File, source: str) -> Puzzle:
    places, order = file.wagons or {}, file.order or ()
    names = [str(number) for number in range(1, len(places) + 1)]
    if places.keys() != set(names):
        raise BadFile(source, "wagons", f"their names are the numbers from 1 to {len(names)}.")
    puzzle = Puzzle(network, file.locomotive or (0, 0), tuple(places[name] for name in names), order)
    if file.knobs is not None:
        puzzle = msgspec.structs.replace(puzzle, knobs=Knobs(**msgspec.structs.asdict(file.knobs)))
    try:
        puzzle.start()
    except RuleError as error:
        raise BadFile(source, _place(puzzle, error), error) from None
    return puzzle


def _place(puzzle: Puzzle, error: RuleError) -> str:
    """Where in its file a puzzle is wrong."""
    if error.clause == "LSET6":
        return "order"
    dot: Dot | None = error.details.get("dot")  # type: ignore[assignment]
    if dot is None:
        return "wagons"
    # Of two on one dot it is the second that is wrong.
    standing = {"locomotive": puzzle.locomotive}
    standing |= {f"wagons.{number}": place for number, place in enumerate(puzzle.wagons, 1)}
    return [name for name, place in standing.items() if place == dot][-1]
