"""The rules of Locomotion: pure, without clock, files, devices or chance of their own.

>>> from companion.games.locomotion.rules import DrawLots, Game, PlacedPiece, Roll, Run, lay, load_piece, set_up
>>> corners = [((0, 0), "E"), ((1, 1), "S"), ((0, 2), "W"), ((-1, 1), "N")]
>>> network = lay(load_piece("T"), [PlacedPiece(cell, heading) for cell, heading in corners])
>>> game = Game(set_up(network, ["Ann"], [(2, 0)], [[(1, 3)], [(-2, 2)]]))
>>> _ = game.do(DrawLots(locomotives=(1,), order=(2, 1))), game.do(Roll(4))
>>> game.do(Run(to=(1, 0))).left
3
"""

from companion.games.locomotion.rules.errors import BadNetwork, BadPiece, Impossible, NotAllowed, NotNow, RuleError
from companion.games.locomotion.rules.game import Game, after, allowed_steps, legal_motions, legal_steps, legal_turns
from companion.games.locomotion.rules.network import Network, PlacedPiece, lay
from companion.games.locomotion.rules.piece import Piece, load_piece, piece_names, read_piece
from companion.games.locomotion.rules.sides import Dot, Passage, Side
from companion.games.locomotion.rules.state import Behind, Gap, Knobs, Mode, Phase, Setup, State, Stock, set_up
from companion.games.locomotion.rules.steps import (
    AnyStep,
    ChooseSpeed,
    Couple,
    DrawLots,
    EndTurn,
    Motion,
    Roll,
    RollOff,
    Run,
    Uncouple,
)
from companion.games.locomotion.rules.tournament import Tournament, after_game, agree, points

__all__ = [
    "AnyStep",
    "BadNetwork",
    "BadPiece",
    "Behind",
    "ChooseSpeed",
    "Couple",
    "Dot",
    "DrawLots",
    "EndTurn",
    "Game",
    "Gap",
    "Impossible",
    "Knobs",
    "Mode",
    "Motion",
    "Network",
    "NotAllowed",
    "NotNow",
    "Passage",
    "Phase",
    "Piece",
    "PlacedPiece",
    "Roll",
    "RollOff",
    "RuleError",
    "Run",
    "Setup",
    "Side",
    "State",
    "Stock",
    "Tournament",
    "Uncouple",
    "after",
    "after_game",
    "agree",
    "allowed_steps",
    "lay",
    "legal_motions",
    "legal_steps",
    "legal_turns",
    "load_piece",
    "piece_names",
    "points",
    "read_piece",
    "set_up",
]
