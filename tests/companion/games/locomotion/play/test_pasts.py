"""What an earlier turn may have been besides what was taken for it."""

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from companion.games.events import Pressed, Seen, Tick
from companion.games.locomotion.play.controller import Controller
from companion.games.locomotion.play.pasts import Past, all_pasts, other_pasts
from companion.games.locomotion.play.recorded_play import resumed
from companion.games.locomotion.record.agreement import Agreement
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import (
    ChooseSpeed,
    Couple,
    EndTurn,
    Game,
    Mode,
    Phase,
    Roll,
    Run,
    State,
    Uncouple,
    after,
)
from companion.games.locomotion.table.ways import ways
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.locomotion.rules.networks import LINE, game_on
from tests.companion.games.locomotion.table.sights import reading_of, seen_in
from vision.watching.network_reading import NetworkReading
from vision.watching.table_reading import TableReading


def test_what_was_coupled_shows_in_the_turn_after() -> None:
    game = game_on(LINE, [(2, 0), (8, 0)], [[(4, 0), (6, 0)], [(5, 0), (7, 0)]], order=(2, 1))
    # Red is not wanted yet, so it was taken to be left uncoupled; but now it goes along, and only one step is left.
    others_turn = (Roll(1), EndTurn())
    for step in (Roll(2), Run((3, 0)), EndTurn(), *others_turn, Roll(1)):
        game.do(step)
    seen = seen_in(game.state, {(3, 0): (2, 0), (4, 0): (3, 0)})
    assert not ways(game.state, seen)
    assert not list(other_pasts(game))
    past = next(filter(None, all_pasts(game)))
    # With that the turn is over, for both steps are used.
    assert past.steps == (Run((3, 0)), Couple(2), *others_turn, Roll(1))
    assert [way.motions for way in ways(past.state, seen)] == [(Run((2, 0)),)]
    replayed = Game(game.states[0])
    for step in (*game.steps[: past.moment], *past.steps):
        replayed.do(step)
    assert replayed.state == past.state


def test_who_has_all_in_order_has_won_whatever_was_taken_to_be_uncoupled() -> None:
    game = game_on(LINE, [(2, 0), (8, 0)], [[(4, 0), (6, 0)], [(5, 0), (7, 0)]])
    for step in (Roll(2), Run((3, 0)), EndTurn(), Roll(1), EndTurn(), Roll(1)):
        game.do(step)
    assert all(way.state.phase is not Phase.OVER for way in ways(game.state, seen_in(game.state)))
    controller = Controller(game, Settings())
    for event in (Tick(0.0), Seen(TableReading(network=reading_of(game.state))), Tick(1.0)):
        controller.handle(event)
    assert (game.state.phase, game.state.winner) == (Phase.OVER, 0)


def test_what_people_have_said_was_not_coupled_is_believed_as_long_as_that_can_be() -> None:
    """Red may have been coupled in either turn; in one of them people have said that it was not."""
    game = game_on(LINE, [(2, 0), (8, 0)], [[(4, 0), (6, 0)], [(5, 0), (7, 0)]], order=(2, 1))
    others_turn = (Roll(1), EndTurn())
    turns = (Roll(2), Run((3, 0)), EndTurn(), *others_turn, Roll(1), EndTurn(), *others_turn, Roll(1))
    for step in turns:
        game.do(step)
    seen = seen_in(game.state, {(3, 0): (2, 0), (4, 0): (3, 0)})

    def coupled_in(past: Past) -> int:
        """In which turn."""
        state, steps = game.states[past.moment], iter(past.steps)
        while not isinstance(step := next(steps), Couple):
            state = after(state, step)
        return state.turns

    def found(certain: Collection[int]) -> list[Past]:
        return [past for past in filter(None, all_pasts(game, certain)) if ways(past.state, seen)]

    # Without that it was in the later one.
    for certain, turn in (((), 3), ({1}, 3), ({3}, 1)):
        pasts = found(certain)
        assert coupled_in(pasts[0]) == turn
        assert all(past.contradicts for past in pasts if coupled_in(past) in certain)
        assert not all(past.contradicts for past in pasts)
    # It was in one of them: whoever has said that it was in neither has erred.
    assert found({1, 3})
    assert all(past.contradicts for past in found({1, 3}))


RUN = {(2, 0): (3, 0)}
COUPLED = (Roll(3), Run((3, 0)), Couple(2))


class Someone:
    """Has moved a train beside a wagon, and said that this one is coupled, which seems of no use yet."""

    def __init__(self, automatic: tuple[str, ...]) -> None:
        self.game = game_on(LINE, [(2, 0), (8, 0)], [[(4, 0), (6, 0)], [(5, 0), (7, 0)]], order=(2, 1))
        self.game.do(Roll(3))
        self.controller = Controller(self.game, Settings(), source=Random(1), agreement=Agreement(automatic=automatic))
        self.now = 0.0
        self.begun: State = self.game.state
        self.there = reading_of(self.begun, RUN)
        self.sees(reading_of(self.begun), 1.0)
        self.sees(self.there, 1.0)
        assert self.controller.desk.turn.way.motions == (Run((3, 0)),)
        self.presses(Button.PASS)
        assert self.coupled

    @property
    def coupled(self) -> bool:
        way = self.controller.desk.turn.way
        return way is not None and Couple(2) in way.motions

    def sees(self, reading: NetworkReading, seconds: float) -> None:
        """So long the table lies so."""
        for _ in range(round(seconds / 0.25)):
            self.controller.handle(Tick(self.now))
            self.controller.handle(Seen(TableReading(network=reading)))
            self.now += 0.25

    def presses(self, button: Button, *, held: bool = False) -> None:
        self.controller.handle(Pressed(button, held))
        self.sees(self.there, 1.0)


@pytest.fixture
def someone():
    return Someone(("", ""))


def test_it_need_not_be_said_again_where_the_eye_erred_for_a_moment(someone: Someone) -> None:
    someone.sees(reading_of(someone.begun), 1.0)
    assert not someone.coupled
    someone.sees(someone.there, 1.0)
    assert someone.coupled
    someone.presses(Button.ROLL)
    assert someone.game.steps[2:5] == COUPLED
    assert someone.controller.desk.certain == {1}


def test_nor_when_the_turn_has_ended() -> None:
    someone = Someone(("", "good"))
    while someone.game.state.turns == 1:
        someone.sees(someone.there, 0.25)
    assert someone.game.steps[2:5] == COUPLED
    someone.sees(reading_of(someone.begun), 1.0)
    assert someone.game.steps[2:] == (Roll(3), EndTurn())
    assert not someone.controller.desk.certain
    someone.sees(someone.there, 1.0)
    assert someone.game.steps[2:5] == COUPLED
    assert someone.controller.desk.certain == {1}
    someone.controller.close()


def test_who_takes_the_turn_back_has_said_nothing_of_it(someone: Someone) -> None:
    someone.presses(Button.ROLL)
    while someone.game.state.turns > 1:
        someone.presses(Button.BACK, held=True)
    assert not someone.controller.desk.certain


def test_what_was_said_outlives_a_power_cut(tmp_path: Path, someone: Someone) -> None:
    someone.presses(Button.ROLL)
    for steps, certain in ((someone.game.steps, {1}), ((*someone.game.steps[:4], EndTurn()), set())):
        game = Game(someone.game.states[0])
        for step in steps:
            game.do(step)
        path = tmp_path / f"{len(steps)}.jsonl"
        RECORDS.save(path, game)
        play = resumed(Keep(path, tmp_path), Settings(), Random(1))
        assert play.controller.desk.certain == certain
        play.close()


def test_what_is_coupled_on_no_way_is_so_after_another_past_if_people_say_so() -> None:
    game = game_on(LINE, [(3, 0), (8, 0)], [[(4, 0), (6, 0)], [(5, 0), (7, 0)]], mode=Mode.SPEED, order=(2, 1))
    others_turn = (ChooseSpeed(1), Couple(5))
    for step in (ChooseSpeed(2), Run((2, 0)), Run((3, 0)), *others_turn, ChooseSpeed(1)):
        game.do(step)
    there = reading_of(game.state)
    controller = Controller(game, Settings())
    for now in (0.0, 1.0):
        controller.handle(Tick(now))
        controller.handle(Seen(TableReading(network=there)))
    assert [way.motions for way in controller.desk.turn.ways] == [(Couple(2),)]
    controller.handle(Pressed(Button.PASS))
    # Only whoever has coupled both of them can leave them now.
    assert game.steps[2:] == (ChooseSpeed(2), Couple(2), Couple(4), *others_turn, ChooseSpeed(1))
    assert controller.desk.turn.way is not None
    assert controller.desk.turn.way.motions == (Uncouple(2),)
    assert controller.desk.turn.is_told


class PowerCut(BaseException):
    """The machine stands still."""


def test_a_power_cut_while_an_earlier_turn_is_recorded_anew_leaves_the_old_game_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others_turn = (Roll(1), EndTurn())
    begun = game_on(LINE, [(2, 0), (8, 0)], [[(4, 0), (6, 0)], [(5, 0), (7, 0)]], order=(2, 1))
    for step in (Roll(2), Run((3, 0)), EndTurn(), *others_turn, Roll(1)):
        begun.do(step)
    RECORDS.save(tmp_path / "game.jsonl", begun)
    lies_there = TableReading(network=reading_of(begun.state, {(3, 0): (2, 0), (4, 0): (3, 0)}))
    really, turns, lives = os.fsync, [], 0

    def fsync(descriptor: int) -> None:
        really(descriptor)
        left.pop()
        if not left:
            raise PowerCut

    while not turns or turns[-1] == begun.steps:
        lives += 1
        game, journal, _ = RECORDS.resume(tmp_path / "game.jsonl")
        controller = Controller(game, Settings())
        left = [True] * lives
        with monkeypatch.context() as patched, suppress(PowerCut):
            patched.setattr(os, "fsync", fsync)
            for event in (Tick(0.0), Seen(lies_there), Tick(4.0), Seen(lies_there)):
                controller.handle(event)
        journal.close()
        game, journal, _ = RECORDS.resume(tmp_path / "game.jsonl")
        journal.close()
        turns.append(game.steps)
    assert lives > 1
    assert turns[-1][-len(others_turn) - 4 :][:3] == (Roll(2), Run((3, 0)), Couple(2))
    assert game.state.stock.row_of(game.state.locomotive) != (game.state.locomotive,)
