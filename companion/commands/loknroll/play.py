"""``companion play``: a game played through by automatic players, told turn by turn."""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

from companion.commands.shared.arguments import add_game, automatic_players, names_of, start_of
from companion.commands.shared.errors import CommandError
from companion.commands.shared.story import Story
from companion.dice.box import SYSTEM
from companion.games.loknroll.record.narration import closing, opening, telling
from companion.games.loknroll.record.recorded_game import start_recorded
from companion.games.loknroll.record.solo_scores import SoloScores, best_points, solo_score
from companion.games.loknroll.rules import Game, RuleError, State
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.wording import Wording
from companion.games.recorded_game import Line, Tone
from companion.record.file import RecordError
from companion.record.state_folder import state_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  companion play --mode betsy --seed 7"
    add_game(parser)
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the game as a record")


def run(options: argparse.Namespace) -> int:
    """Plays and tells a game."""
    story, say = Story(), Wording(options.language)
    start = start_of(options, names_of(options))
    try:
        game = start_recorded(options.record, start)[0] if options.record else Game(start)
        story.tell(opening(start, say))
        before = start
        chance = SYSTEM if options.seed is None else Random(options.seed)
        for state in Dealer(game, automatic_players(options), chance).play():
            story.tell(telling(before, game.steps[-1], state, say))
            before = state
        story.tell(closing(game.state, say))
        if game.state.setup.mode.is_solo:
            story.tell([Line(Tone.EVENT, _kept_score(game.state, say))])
    except RecordError as error:
        raise CommandError(str(error)) from error
    except RuleError as error:  # the deck is not one to begin a game with
        raise CommandError(say.error(error)) from error
    return 0


def _kept_score(state: State, say: Wording) -> str:
    """Keeps a solo game's score, in a file of its own beside that of people; tells the best one so far."""
    score = solo_score(state)
    scores = SoloScores(state_folder() / "automatic-solo-scores.jsonl").add(score)
    best, before = best_points(scores), best_points(scores[:-1])
    key = "solo.best" if best == before else "solo.new-best"
    return say(key, player=score.player, points="-" if best is None else best, games=len(scores))
