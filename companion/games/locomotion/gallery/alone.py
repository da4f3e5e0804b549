"""Screens of games for one and of tournaments: puzzles, hints, and what came of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from companion.games.events import Pressed, Show, Tick
from companion.games.locomotion.networks.puzzle import Puzzle
from companion.games.locomotion.play.controller import Controller
from companion.games.locomotion.play.desk.advice import Advice
from companion.games.locomotion.play.desk.past import Past
from companion.games.locomotion.play.desk.preparation import Preparation
from companion.games.locomotion.play.desk.puzzles import Chosen, Puzzles
from companion.games.locomotion.play.dialogs.hint import open_hint
from companion.games.locomotion.play.offering import wish_of
from companion.games.locomotion.record.agreement import Agreement, TournamentAgreed
from companion.games.locomotion.record.book import SOLO
from companion.games.locomotion.record.solo_starts import SoloStart
from companion.games.locomotion.rules import (
    Couple,
    DrawLots,
    EndTurn,
    Game,
    Knobs,
    Motion,
    PlacedPiece,
    Roll,
    RollOff,
    Run,
    Tournament,
    Uncouple,
    lay,
    load_piece,
    set_up,
)
from companion.games.locomotion.settings import own, with_own
from companion.games.locomotion.strategy.outlook import Outlook
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button

Shots = Iterator[tuple[str, Screen]]

_LINE: Final = [PlacedPiece((3 * number, 0), "E") for number in range(3)]
_PUZZLE: Final = Puzzle(lay(load_piece("T"), _LINE), (0, 0), ((3, 0), (6, 0)), (1, 2))
_PLAN: Final[Sequence[Motion]] = (
    Run((1, 0)),
    Run((2, 0)),
    Couple(1),
    Run((4, 0), backwards=True),
    Run((5, 0), backwards=True),
    Couple(2),
)
_FIRST_ROLL: Final = 4
_LONGEST_WAIT: Final = 20.0
_ANSWERS: Final = {
    "proven": Outlook(6, tuple(_PLAN)),
    "one-step": Outlook(1, (Couple(1),)),
    "bound": Outlook(4),
    "bound-one": Outlook(1),
    "known": Outlook(4, tuple(_PLAN)),
    "impossible": Outlook(4, None, is_impossible=True),
}


class _People:
    """Whoever plays, without a camera: all that is seen here is the screen."""

    def __init__(self, controller: Controller) -> None:
        self.controller = controller
        self.screen = Screen()
        self._now = 0.0
        self.wait()

    def wait(self, seconds: float = 5.0) -> None:
        self._now += seconds
        self._tell(Tick(self._now))

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self._now += 1.0
            self._tell(Tick(self._now))
            self._tell(Pressed(button))

    def _tell(self, event: Tick | Pressed) -> None:
        for effect in self.controller.handle(event):
            if isinstance(effect, Show):
                self.screen = effect.screen


class _Before(Past):
    """What the books say, without any."""

    def __init__(self, steps: tuple[int, ...] = (), results: tuple[tuple[int, ...], ...] = ()) -> None:
        super().__init__()
        self._before, self._results = steps, results

    def steps(self, game: Game) -> tuple[int, ...]:  # noqa: ARG002 - whichever game
        return self._before

    def standing(self, agreed: TournamentAgreed, names: tuple[str, ...]) -> Tournament:
        return Tournament(names, agreed.games, self._results)


def choosing(settings: Settings) -> Shots:
    """Which puzzle it is to be, and what is set up then."""
    settings = with_own(replace(settings, has_camera=False), puzzle=17, colours=2)
    wish = wish_of(SOLO, settings)
    again = SoloStart(_PUZZLE.start(), Agreement(SOLO, order=_PUZZLE.order))
    # No network has so few pieces that all find room on it: none is found.
    puzzles = Puzzles(wish, 1, today=20261130, again=again)
    preparation = Preparation(wish, own(settings), is_seen=False)
    people = _People(Controller(preparation, settings, puzzles=puzzles))
    for line in ("again", "today", "number", "own", "info"):
        yield f"alone-choosing-{line}", people.screen
        people.press(Button.DOWN)
    people.press(Button.DOWN, Button.DOWN, Button.ROLL)
    puzzles.wait(_LONGEST_WAIT)
    people.wait()
    yield "alone-no-puzzle", people.screen
    people = _People(Controller(preparation, settings, puzzles=Puzzles(wish, 20, again=again)))
    people.press(Button.DOWN, Button.ROLL)
    yield "alone-looking", people.screen
    people.press(Button.PASS, Button.UP, Button.ROLL)
    yield "alone-set-up-again", people.screen
    people.controller.close()
    for number, grade in enumerate(("easy", "medium", "hard", "very-hard"), 1):
        puzzles = Puzzles(wish, 1, today=3)
        agreement = replace(again.agreement, puzzle=number)
        puzzles.chosen = Chosen(SoloStart(again.state, agreement), None, grade)
        preparation.fix(again.state)
        yield f"alone-set-up-{grade}", _People(Controller(preparation, settings, puzzles=puzzles)).screen


def turns(settings: Settings) -> Shots:
    """A turn is to be rolled for."""
    for name, count in (("first", 0), ("second", 4)):
        yield f"alone-{name}-turn", _alone(settings, Outlook(1), done=_PLAN[:count]).screen
    there_and_back = _game(_PLAN[:1])
    there_and_back.do(EndTurn())
    blind = replace(settings, has_camera=False)
    yield "alone-one-step", _People(Controller(there_and_back, blind, agreement=Agreement(SOLO))).screen


def hints(settings: Settings) -> Shots:
    """In three strengths, and while nothing is known."""
    for name, answer in _ANSWERS.items():
        people = _alone(settings, answer)
        people.press(Button.DOWN)
        people.controller.desk.advice.wait(_LONGEST_WAIT)
        people.wait()
        yield f"alone-hint-{name}", people.screen
        if name == "proven":
            people.press(Button.ROLL)
            yield "alone-hint-first", people.screen
            people.press(Button.ROLL)
            yield "alone-hint-next", people.screen
        people.controller.close()
    for name, motion in (("backwards", _PLAN[4]), ("uncouple", Uncouple(1))):
        people = _alone(settings, Outlook(1, (motion,)), done=_PLAN[:4])
        people.press(Button.DOWN)
        people.controller.desk.advice.wait(_LONGEST_WAIT)
        people.wait()
        people.press(Button.ROLL, Button.ROLL)
        yield f"alone-hint-{name}", people.screen
        people.controller.close()
    yield "alone-hint-next-turn", _may_not_turn_back(settings).screen
    goes_on = threading.Event()
    people = _alone(settings, Outlook(6, tuple(_PLAN)), goes_on)
    people.press(Button.DOWN)
    yield "alone-hint-searching", people.screen
    goes_on.set()
    people.controller.close()


def ending(settings: Settings) -> Shots:
    """The own steps beside the fewest."""
    yield "alone-best", _ended(settings, least=len(_PLAN)).screen
    yield "alone-one-turn", _ended(settings, least=len(_PLAN), first_roll=6).screen
    yield "alone-more", _ended(settings, least=len(_PLAN) - 1).screen
    yield "alone-again", _ended(settings, least=len(_PLAN), before=(9, 7, 8)).screen
    for name, answer in (("fewer-known", Outlook(3, tuple(_PLAN[:5]))), ("bound", Outlook(3))):
        people = _ended(settings, answer)
        people.controller.desk.advice.wait(_LONGEST_WAIT)
        people.wait()
        yield f"alone-{name}", people.screen
        people.controller.close()
    goes_on = threading.Event()
    people = _ended(settings, Outlook(6), goes_on=goes_on)
    yield "alone-searching", people.screen
    goes_on.set()
    people.controller.close()


def tournaments(settings: Settings) -> Shots:
    """After a game, and after the last one."""
    for name, games, results in (("game", 3, ()), ("won", 2, ((5, 1),)), ("shared", 2, ((0, 5),))):
        agreement = Agreement(tournament=TournamentAgreed("", games))
        start = set_up(_PUZZLE.network, ["Anna", "Ben"], [(0, 0), (8, 0)], [[(1, 0), (7, 0)], [(2, 0), (6, 0)]])
        game = Game(start)
        for step in (DrawLots((1, 2), (1, 2)), RollOff((2, 1)), Roll(6), Couple(2), Couple(4)):
            game.do(step)
        blind = replace(settings, has_camera=False)
        people = _People(Controller(game, blind, agreement=agreement, past=_Before(results=results)))
        yield f"tournament-{name}", people.screen


def _alone(
    settings: Settings, answer: Outlook, goes_on: threading.Event | None = None, done: Sequence[Motion] = ()
) -> _People:
    """Somebody before a turn, who will be told this when they ask for a hint."""
    people = _People(Controller(_game(done), replace(settings, has_camera=False), agreement=Agreement(SOLO)))
    people.controller.desk.advice = _advice(answer, goes_on)
    return people


def _may_not_turn_back(settings: Settings) -> _People:
    """The next step of a plan is one that the turn that goes on leaves no room for."""
    game = _game((), knobs=Knobs(reverse_in_turn=False))
    for step in (Roll(4), Run((1, 0))):
        game.do(step)
    people = _People(Controller(game, replace(settings, has_camera=False), agreement=Agreement(SOLO)))
    people.controller.desk.advice = _advice(Outlook(2, (Run((0, 0)), Couple(1))), None)
    open_hint(people.controller.desk)
    people.controller.desk.advice.wait(_LONGEST_WAIT)
    people.wait()
    people.press(Button.ROLL, Button.ROLL)
    return people


def _ended(
    settings: Settings,
    answer: Outlook | None = None,
    *,
    least: int | None = None,
    before: tuple[int, ...] = (),
    first_roll: int = _FIRST_ROLL,
    goes_on: threading.Event | None = None,
) -> _People:
    controller = Controller(
        _game(_PLAN, first_roll),
        replace(settings, has_camera=False),
        agreement=Agreement(SOLO, least=least),
        past=_Before(before),
    )
    controller.desk.advice = _advice(answer or Outlook(1), goes_on)
    return _People(controller)


def _game(plan: Sequence[Motion], first_roll: int = _FIRST_ROLL, knobs: Knobs | None = None) -> Game:
    start = set_up(_PUZZLE.network, ["Anna"], [_PUZZLE.locomotive], [[dot] for dot in _PUZZLE.wagons], knobs=knobs)
    game = Game(start)
    game.do(DrawLots((1,), _PUZZLE.order))
    for number, motion in enumerate(plan):
        if not game.state.left:
            game.do(Roll(6 if number else first_roll))
        game.do(motion)
    return game


def _advice(answer: Outlook, goes_on: threading.Event | None) -> Advice:
    """A search that finds this; with ``goes_on`` not before that is set."""

    def looks(*_: object) -> Outlook:
        if goes_on is not None:
            goes_on.wait(_LONGEST_WAIT)
        return answer

    return Advice(looks)


SCENES: Final = (choosing, turns, hints, ending, tournaments)
