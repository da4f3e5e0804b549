"""The rules of LOK'n'ROLL: pure, without clock, files, devices or chance of their own.

>>> from companion.games.loknroll.rules import Draw, Game, load_edition, Mode, set_up, StartCard
>>> from vision.cards import standard_deck
>>> edition = load_edition("german")
>>> game = Game(set_up(edition, standard_deck(edition.deck), Mode.BETSY, ["Ann"], rails=False))
>>> game.do(StartCard("track-2-left")).railway.front.face.value
2
>>> game.can(Draw())
False
"""

from companion.games.loknroll.rules.edition import Edition, Mode, edition_names, load_edition, with_knobs
from companion.games.loknroll.rules.errors import IllegalPlacement, Impossible, NotAllowed, NotNow, RuleError
from companion.games.loknroll.rules.game import Game, after, allowed_steps
from companion.games.loknroll.rules.scoring import Result, Score, result, scores
from companion.games.loknroll.rules.state import Outcome, Phase, Player, Setup, State, set_up
from companion.games.loknroll.rules.steps import (
    AnyStep,
    Begin,
    Discard,
    Draw,
    EndTurn,
    Lay,
    LayOpen,
    Pass,
    Put,
    Roll,
    SetAside,
    StartCard,
)

__all__ = [
    "AnyStep",
    "Begin",
    "Discard",
    "Draw",
    "Edition",
    "EndTurn",
    "Game",
    "IllegalPlacement",
    "Impossible",
    "Lay",
    "LayOpen",
    "Mode",
    "NotAllowed",
    "NotNow",
    "Outcome",
    "Pass",
    "Phase",
    "Player",
    "Put",
    "Result",
    "Roll",
    "RuleError",
    "Score",
    "SetAside",
    "Setup",
    "StartCard",
    "State",
    "after",
    "allowed_steps",
    "edition_names",
    "load_edition",
    "result",
    "scores",
    "set_up",
    "with_knobs",
]
