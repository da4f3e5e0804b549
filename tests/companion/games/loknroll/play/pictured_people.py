"""The people of a pictured game: they press what they pressed, when the pictures say that it was time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from companion.games.events import Event, Pressed, Seen, Show, Tick
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.dialogs.which_card import WhichCard
from companion.games.loknroll.play.phases.piles import options
from companion.games.loknroll.rules import (
    Begin,
    Discard,
    Draw,
    Game,
    Lay,
    LayOpen,
    Mode,
    Phase,
    Put,
    Roll,
    SetAside,
    StartCard,
    load_edition,
    set_up,
)
from companion.games.loknroll.rules.setting_up import starters
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Fate
from vision.cards import Deck
from vision.watching.steady_view import Sight
from vision.watching.table_eye import TableReader
from vision.watching.table_reading import TableReading


class PicturedPeople:
    """Plays a game from ``game.json`` with readings of its pictures, and checks every turn on the way."""

    def __init__(self, told: dict[str, Any], deck: Deck, settings: Settings | None = None) -> None:
        self.told = told
        self.log = told["log"]
        mode = Mode(told["mode"])
        names = [f"player {number + 1}" for number in range(mode.persons)]
        self.fate = Fate()
        start = set_up(load_edition("german"), deck, mode, names)
        self.controller = Controller(Game(start), settings or with_own(Settings(), people_place=True), source=self.fate)
        self.reader = TableReader(deck)
        self.now = 0.0
        self.screen = Screen()
        self.pressed: list[tuple[int, str]] = []
        self.checked = 0
        self.wait(0.1)

    @property
    def game(self) -> Game:
        return self.controller.game

    def handle(self, event: Event) -> None:
        for effect in self.controller.handle(event):
            if isinstance(effect, Show):
                self.screen = effect.screen

    def wait(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / 0.1))):
            self.now += 0.1
            self.handle(Tick(self.now))
            self._check_turns()

    def press(self, button: Button, why: str) -> None:
        self.pressed.append((self.game.state.turn, why))
        self.handle(Pressed(button))
        self.wait(0.2)

    def see(self, frame: dict[str, Any], sight: Sight, size: tuple[int, int]) -> None:
        """A picture is looked at; before it people have pressed what has led to it."""
        self.see_reading(frame, self.reader.read(sight, size), sight)

    def see_reading(self, frame: dict[str, Any], reading: TableReading, sight: Sight | None = None) -> None:
        """The same with what was read in it."""
        self._press_before(frame)
        self.handle(Seen(reading))
        self.wait(0.6)
        while sight is not None and isinstance(asked := self.controller.desk.dialog, WhichCard):
            self._say_which(frame, sight, asked)
        if frame["why"] == "setup" and self.game.state.phase is Phase.SETTING_UP and len(self.game.steps) == 4:
            self._begin()
        if frame["why"] == "chaos-shows" and self.controller.desk.dialog is not None:
            self._combine()
        if frame["why"] == "turn-done":
            self.wait(3.5)

    def _say_which(self, frame: dict[str, Any], sight: Sight, asked: WhichCard) -> None:
        """Tells the card that lies in truth where the one was read that is asked about."""
        middle = sight.cards[sight.serials.index(asked.card.serial)].corners_px.mean(axis=0)
        away = [np.linalg.norm(np.mean(card["corners_px"], axis=0) - middle) for card in frame["cards"]]
        button = asked.button_for(frame["cards"][int(np.argmin(away))]["face"])
        assert button is not None
        self.press(button, "which")

    def _combine(self) -> None:
        state = self.game.state
        before = [done for done, at in zip(self.game.steps, self.game.states, strict=False) if at.turn == state.turn]
        count = sum(isinstance(step, Discard) for step in before)
        self.press(Button.ROLL if self.log[state.turn]["combined"][count] else Button.PASS, "combine")

    def _begin(self) -> None:
        if len(starters(self.game.state)) > 1:
            self.fate.coming.append(self.log[0]["player"])
            self.press(Button.ROLL, "lot")
        self.press(Button.ROLL, "begin")
        self.wait(0.6)

    def _press_before(self, frame: dict[str, Any]) -> None:
        """What was pressed between the last picture and this one, in which a turn is done."""
        state = self.game.state
        if frame["why"] != "turn-done" or state.phase is Phase.SETTING_UP or frame["turn"] != state.turn + 1:
            return
        entry = self.log[state.turn]
        if state.is_automatons_turn or entry["action"] == "chaos":
            return
        if entry["action"] == "pass":
            self.press(Button.PASS, "pass")
        else:
            die = list(state.setup.edition.die)
            self.fate.coming.extend(die.index(wheels) for wheels in entry["dice"])
            self.press(Button.ROLL, "roll")
            self.wait(0.8)
        self._put(entry)

    def _put(self, entry: dict[str, Any]) -> None:
        told = [Put(face, combine) for face, combine in zip(entry["penalties"], entry["combined"], strict=True)]
        while self.game.state.phase is Phase.PUTTING:
            left = told[-len(self.game.state.taken) :]
            ways = [option.puts for option in options(self.game.state)]
            fitting = [index for index, puts in enumerate(ways) if tuple(left[: len(puts)]) == puts]
            best = max(fitting, key=lambda index: len(ways[index]))
            for _ in range(best):
                self.press(Button.DOWN, "put")
            self.press(Button.ROLL, "put")

    def _check_turns(self) -> None:
        """Every turn that has ended since the last call is as it is told."""
        state = self.game.state
        is_over = state.phase in {Phase.LAYING_OPEN, Phase.OVER}
        done = len(self.log) if is_over else state.turn
        while self.checked < done and state.phase is not Phase.SETTING_UP:
            turn, entry = self.checked, self.log[self.checked]
            last = next(
                after
                for before, after in zip(self.game.states, self.game.states[1:], strict=False)
                if before.turn == turn
                and before.phase not in {Phase.SETTING_UP, Phase.LAYING_OPEN}
                and (after.turn > turn or after.phase in {Phase.LAYING_OPEN, Phase.OVER})
            )
            assert [face.id for face in last.railway.faces] == entry["railway"], turn
            assert last.emma == entry["emma"], turn
            assert last.draw_pile == entry["draw_left"], turn
            self.checked += 1

    def check_end(self) -> None:
        """Piles and points at the end are as they are told."""
        state = self.game.state
        assert state.phase is Phase.OVER, state.phase
        assert self.checked == len(self.log)
        assert [[face.id for face in player.pile] for player in state.players] == self.told["piles"]
        assert [sum(face.value for face in player.pile) for player in state.players] == self.told["points"]
        assert [len(player.pile) for player in state.players] == self.told["counts"]

    def pressed_count(self) -> Counter[str]:
        return Counter(why for _, why in self.pressed)


def told_of(game: Game) -> dict[str, Any]:
    """A game that was played by our rules, told as ``game.json`` tells one."""
    log: list[dict[str, Any]] = []
    for before, step, after in zip(game.states, game.steps, game.states[1:], strict=False):
        if isinstance(step, (StartCard, SetAside, Begin, LayOpen)):
            continue
        if isinstance(step, Draw):
            log.append({"player": before.active, "action": "pass", "cards": [], "penalties": [], "combined": []})
        entry = log[-1]
        match step:
            case Draw(face=str()) if after.phase is not Phase.ACTING:
                entry["action"] = "chaos"
            case Lay(face=face):
                entry["action"] = "build"
                entry["cards"].append(face)
            case Roll(dice=dice):
                entry["dice"] = list(dice)
            case Discard(face=face, combine=combine):
                entry["action"] = "chaos"
                entry["combined"].append(combine)
            case Put(face=face, combine=combine):
                entry["penalties"].append(face)
                entry["combined"].append(combine)
            case _:
                pass
        railway = [face.id for face in after.railway.faces]
        entry |= {"railway": railway, "emma": after.emma, "draw_left": after.draw_pile}
    piles = [[face.id for face in player.pile] for player in game.state.players]
    points = [sum(face.value for face in player.pile) for player in game.state.players]
    mode = game.state.setup.mode.value
    return {"mode": mode, "log": log, "piles": piles, "points": points, "counts": [len(pile) for pile in piles]}
