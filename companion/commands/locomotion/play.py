"""``companion locomotion play``: a game in the terminal, of people and automatic players."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from companion.commands.locomotion.board import Board
from companion.commands.locomotion.game_arguments import add_game, knobs_of, network_for
from companion.commands.locomotion.network_files import network_called
from companion.commands.locomotion.typed import LeaveGame, Typed
from companion.commands.shared.errors import CommandError
from companion.commands.shared.story import Story
from companion.games.locomotion.networks.drawing_lots import NoRoom
from companion.games.locomotion.record.narration import closing as ending
from companion.games.locomotion.record.narration import opening, telling
from companion.games.locomotion.record.notation import LONGEST_NAME
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import Game, Mode, Phase, RuleError, State, after
from companion.games.locomotion.rules.state import MOST_PLAYERS
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.strategy.dealing import drawn_start, step_of_chance
from companion.games.locomotion.strategy.players.players import PLAYERS, AutomaticPlayer
from companion.games.locomotion.wording import Wording
from companion.games.recorded_game import Line, Tone
from companion.record.file import RecordError
from companion.texts.harmless import harmless

_MOST_TURNS: Final = 200
"""Of automatic players alone; who watches may have to wait for ever else."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Who is called good, greedy or random plays by itself; everybody else is a person.\n\n"
        "examples:\n  companion locomotion play\n"
        "  companion locomotion play --players Ann,Ben,good --mode speed --record evening.jsonl\n"
        "  companion locomotion play --watch --network pinwheel-with-tail --colours 2 --seed 7"
    )
    parser.add_argument(
        "--players", metavar="NAME,NAME", type=_names, help=f"1 to {MOST_PLAYERS}, clockwise (default: you and good)"
    )
    parser.add_argument("--watch", action="store_true", help="automatic players alone (default: good and greedy)")
    parser.add_argument("--network", metavar="NAME|FILE", help="one that ships, or a file (default: by the players)")
    parser.add_argument(
        "--record",
        metavar="FILE",
        type=Path,
        help="write the game as a record; if it is there, go on with it, whatever else is asked for",
    )
    add_game(parser)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if len(names) > MOST_PLAYERS or not all(name.isprintable() and 1 <= len(name) <= LONGEST_NAME for name in names):
        raise argparse.ArgumentTypeError(f"1 to {MOST_PLAYERS} names of at most {LONGEST_NAME} letters, as Ann,good")
    return tuple(
        f"{name} {names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)
    )


def run(options: argparse.Namespace) -> int:
    """Plays until somebody has won, or nobody wants to go on."""
    say = Wording(options.language)
    try:
        with _game(options, say) as game:
            _Table(game, options, say).play()
    except RecordError as error:
        raise CommandError(str(error)) from error
    except RuleError as error:
        raise CommandError(say.error(error)) from error
    return 0


@contextmanager
def _game(options: argparse.Namespace, say: Wording) -> Iterator[Game]:
    """A new one, or the one that is in the record; raises CommandError and RecordError."""
    if options.record is None:
        yield Game(_start(options, say))
        return
    if options.record.exists():
        game, journal, _ = RECORDS.resume(options.record)
        is_over = game.state.phase is Phase.OVER
        print(say("terminal.is-over" if is_over else "terminal.goes-on", file=harmless(options.record)))
    else:
        game, journal = RECORDS.start(options.record, Game(_start(options, say)))
    with closing(journal):
        yield game


def _start(options: argparse.Namespace, say: Wording) -> State:
    names: tuple[str, ...] = options.players or (
        ("good", "greedy") if options.watch else (say("terminal.person"), "good")
    )
    if options.watch and not all(map(_player_called, names)):
        raise CommandError(say("terminal.no-people", players=list(PLAYERS)))
    mode, knobs = Mode(options.mode), knobs_of(options)
    if options.network is None:
        network = network_for(len(names), options.colours)
    else:
        network = network_called(options.network, say)
    try:
        return drawn_start(_chance(options), network, names, options.colours, mode=mode, knobs=knobs)
    except NoRoom as error:
        raise CommandError(say("network.no-room", vehicles=error.vehicles, dots=error.dots)) from error


def _chance(options: argparse.Namespace) -> Random:
    return SystemRandom() if options.seed is None else Random(options.seed)


def _player_called(name: str) -> AutomaticPlayer | None:
    """The automatic player of this name, which may have a number after it."""
    kind = PLAYERS.get(name.split(" ", maxsplit=1)[0])
    return None if kind is None else kind()


class _Table:
    """Goes through a game: chance rolls, automatic players choose, people are asked."""

    def __init__(self, game: Game, options: argparse.Namespace, say: Wording) -> None:
        self._game = game
        self._say = say
        self._story = Story()
        self._board = Board(say)
        self._typed = Typed(say)
        self._chance = _chance(options)
        self._players = [_player_called(name) for name in game.state.setup.names]
        self._is_watched = all(self._players)

    def play(self) -> None:
        """Raises RecordError where a step cannot be recorded."""
        self._story.tell(opening(self._game.state, self._say))
        if self._game.state.phase is not Phase.DRAWING_LOTS:
            self._board.show(self._game.state)
        try:
            while (state := self._game.state).phase is not Phase.OVER:
                if self._is_watched and state.turns > _MOST_TURNS:
                    break
                self._go_on(state)
        except LeaveGame:
            print()
        self._story.tell(ending(self._game.state, self._say))

    def _go_on(self, state: State) -> None:
        step = step_of_chance(state, self._chance)
        player = self._players[state.active]
        if step is not None:
            self._do([step])
            if state.phase is Phase.DRAWING_LOTS:  # only now it is known whose locomotive is which
                self._board.show(self._game.state)
        elif player is not None:
            self._do(player.turn(state, self._chance))
            self._board.show(self._game.state)
        else:
            self._ask(state)

    def _do(self, steps: Sequence[AnyStep]) -> None:
        for step in steps:
            before = self._game.state
            following = self._game.do(step)  # it is in the record before it is told
            self._story.tell(telling(before, step, following, self._say))

    def _ask(self, state: State) -> None:
        self._board.offer(state, self._typed.offered(state))
        while True:
            wish = self._typed.wish(state)
            if isinstance(wish, str):
                print(wish)
            elif wish is None:
                if self._take_back():
                    return
            else:
                try:
                    after(state, wish)
                except RuleError as error:
                    print(self._say.error(error))
                    continue
                self._do([wish])
                if self._game.state.phase is not Phase.MOVING or self._game.state.active != state.active:
                    self._board.show(self._game.state)
                return

    def _take_back(self) -> bool:
        """Goes back to what a person chose last; whether there was anything."""
        states = self._game.states
        chosen = [at for at, state in enumerate(states[:-1]) if self._is_asked(state)]
        if not chosen:
            print(self._say("terminal.nothing-back"))
            return False
        self._game.take_back(len(states) - 1 - chosen[-1])
        self._story.tell([Line(Tone.EVENT, self._say("terminal.taken-back"))])
        self._board.show(self._game.state)
        return True

    def _is_asked(self, state: State) -> bool:
        return state.phase in {Phase.MOVING, Phase.CHOOSING} and self._players[state.active] is None
