"""The networks that ship with the program: found by lot or built by hand, each with a name that says its looks."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from companion.games.locomotion.rules import Network, PlacedPiece, lay, load_piece


class NamedNetwork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``name`` is how it is asked for; ``titles`` are its names by language."""

    name: str
    titles: dict[str, str]
    piece: str
    pieces: tuple[PlacedPiece, ...]

    def network(self) -> Network:
        """The network itself."""
        return lay(load_piece(self.piece), self.pieces)


@cache
def named_networks() -> dict[str, NamedNetwork]:
    """All of them by their names, the smallest first."""
    content = (files(__package__) / "networks.json").read_bytes()
    told = msgspec.json.decode(content, type=tuple[NamedNetwork, ...])
    return {named.name: named for named in told}
