"""What people set for Locomotion alone."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.rules import Behind, Gap, Knobs, Piece, load_piece, piece_names
from companion.games.locomotion.rules.piece import PIECES, reason_against
from companion.games.locomotion.rules.state import COLOURS, MOST_PLAYERS
from companion.games.locomotion.wording import Paints
from companion.games.settings import Settings

NAME: Final = "locomotion"
AS_IT_LIES: Final = "as-it-lies"
"""The network that people lay as they like."""
BY_LOT: Final = "by-lot"
"""One that is drawn by lot."""
OWN: Final = "own"
"""The piece of rail that people have told on the page."""
FEWEST_PIECES: Final = 4
LAST_PUZZLE: Final = 999
"""Of those that are called by a number; that of a day has eight digits."""
MOST_GAMES: Final = 9
"""Of a tournament."""
AUTOMATIC: Final = ("good", "greedy")
"""The automatic players that people can play against, the better one first."""


class OwnSettings(msgspec.Struct, frozen=True):
    """The game's own part of the settings: what the next game is played with, and by whom.

    ``people`` play, and after them ``automatic`` players (names of AUTOMATIC). ``network`` is AS_IT_LIES, BY_LOT with
    so many ``pieces``, or the name of one that ships; ``lot`` is the number by which it and the places are drawn.
    ``piece`` is the name of one that ships, or OWN: then ``own_piece`` is it, as soon as it has been told.
    ``own_print`` is how that looks from above, in the words of the eye, once it has seen that.
    ``paints`` are those of the people's own vehicles, as far as they were learnt.
    ``puzzle`` is the number of the next puzzle for one, on so many ``puzzle_pieces``. Of more ``games`` than one there
    is a tournament.
    """

    people: int = 2
    automatic: tuple[str, ...] = ()
    colours: int = COLOURS[1]
    piece: str = "T"
    own_piece: Piece | None = None
    own_print: str = ""
    paints: Paints = ()
    network: str = AS_IT_LIES
    pieces: int = 20
    lot: int = 1
    puzzle: int = 1
    puzzle_pieces: int = 13
    games: int = 1
    reverse_in_turn: bool = True
    gap: str = Gap.ON_THE_DOTS
    behind: str = Behind.EITHER_END

    @property
    def knobs(self) -> Knobs:
        """How the rules are read where the rulebook is silent."""
        return Knobs(self.reverse_in_turn, Gap(self.gap), Behind(self.behind))

    @property
    def shape(self) -> Piece:
        """The piece of rail; of a network that ships the one that it is laid of."""
        shipped = named_networks().get(self.network)
        if shipped is not None:
            return load_piece(shipped.piece)
        return load_piece(self.piece) if self.piece != OWN else self.own_piece or load_piece(piece_names()[0])


def own(settings: Settings) -> OwnSettings:
    """The game's part of the settings; what there cannot be is as usual."""
    part, usual = settings.part(NAME, OwnSettings), OwnSettings()
    automatic = tuple(name for name in part.automatic if name in AUTOMATIC)[: MOST_PLAYERS - 1]
    networks = {AS_IT_LIES, BY_LOT, *named_networks()}
    return OwnSettings(
        people=min(max(part.people, 1), MOST_PLAYERS - len(automatic)),
        automatic=automatic,
        colours=min(max(part.colours, COLOURS[0]), COLOURS[1]),
        piece=part.piece if part.piece in {*piece_names(), OWN} else usual.piece,
        own_piece=part.own_piece if part.own_piece is None or not reason_against(part.own_piece) else None,
        own_print=part.own_print if part.own_piece is not None else "",
        paints=part.paints[: COLOURS[1]],
        network=part.network if part.network in networks else usual.network,
        pieces=min(max(part.pieces, FEWEST_PIECES), PIECES),
        lot=part.lot,
        puzzle=min(max(part.puzzle, 1), LAST_PUZZLE),
        puzzle_pieces=min(max(part.puzzle_pieces, FEWEST_PIECES), PIECES),
        games=min(max(part.games, 1), MOST_GAMES),
        reverse_in_turn=part.reverse_in_turn,
        gap=part.gap if part.gap in set(Gap) else usual.gap,
        behind=part.behind if part.behind in set(Behind) else usual.behind,
    )


def with_own(settings: Settings, **changes: object) -> Settings:
    """The settings with some of the game's own changed."""
    return settings.with_part(NAME, msgspec.structs.replace(own(settings), **changes))
