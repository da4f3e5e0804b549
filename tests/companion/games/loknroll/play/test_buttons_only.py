"""Whole games without a camera: every step is entered with the five buttons."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.dialogs.choosing import FaceEntry, PlaceEntry
from companion.games.loknroll.play.phases.piles import options
from companion.games.loknroll.play.words import Words
from companion.games.loknroll.rules import (
    AnyStep,
    Begin,
    Discard,
    Draw,
    EndTurn,
    Game,
    Lay,
    LayOpen,
    Mode,
    Pass,
    Phase,
    Put,
    Roll,
    SetAside,
    StartCard,
    load_edition,
)
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Fate, Player, dealt, fresh
from vision.cards import Face


class Hands:
    """People who have only the buttons and the screen."""

    def __init__(self, source: Game, settings: Settings) -> None:
        setup = source.state.setup
        self.source = source
        self.fate = Fate()
        edition = {load_edition(name).title: name for name in ("german", "spanish", "loose_caboose")}
        start = fresh(setup.mode, edition[setup.edition.title], rails=setup.rails)
        controller = Controller(Game(start), settings, source=self.fate)
        self.people = Player(controller, self.fate, Random(0), has_camera=False)

    def play(self) -> None:
        idle = 0
        while (at := len(self.people.game.steps)) < len(self.source.steps):
            self.step(self.source.steps[at])
            self.people.wait(0.7)
            idle = idle + 1 if len(self.people.game.steps) == at else 0
            assert idle < 3, (at, self.source.steps[at], self.people.screen)

    def press(self, button: Button, *, held: bool = False) -> None:
        self.people.press(button, held=held)

    def step(self, step: AnyStep) -> None:
        match step:
            case StartCard(face=face) | SetAside(face=face):
                self.card(face)
                if self.people.screen.choices:
                    for _ in range(isinstance(step, SetAside)):
                        self.press(Button.DOWN)
                    self.press(Button.ROLL)
                self.place(step)
            case Begin():
                self.begin(step)
            case Draw(face=str(face)):
                self.card(face)
            case Lay():
                self.lay(step)
            case Roll(dice=dice):
                die = list(self.people.game.state.setup.edition.die)
                self.fate.coming.extend(die.index(wheels) for wheels in dice)
                self.press(Button.ROLL)
            case _:
                self.other(step)

    def other(self, step: AnyStep) -> None:
        state = self.people.game.state
        match step:
            case Pass() if not (state.is_automatons_turn and state.setup.rails):
                self.press(Button.PASS)
            case Put():
                ways = [option.puts for option in options(state)]
                for _ in range(ways.index((step,), 1) if (step,) in ways[1:] else 0):
                    self.press(Button.DOWN)
                self.press(Button.ROLL)
            case Discard(face=face, combine=combine):
                if state.phase is Phase.DISCARDING:
                    self.press(Button.PASS)
                else:
                    self.press(Button.ROLL)
                self.choose(face)
                if self.people.controller.desk.dialog is not None:
                    self.press(Button.ROLL if combine else Button.PASS)
            case EndTurn():
                self.press(Button.ROLL)
            case LayOpen(faces=faces):
                for face in faces:
                    self.card(face)
            case _:
                pass

    def begin(self, step: Begin) -> None:
        state = self.people.game.state
        if state.setup.automaton is None and state.setup.mode.persons > 1:
            self.fate.coming.append(step.starter)
            self.press(Button.ROLL)
        if step.reverse:
            self.press(Button.PASS)
        self.press(Button.ROLL)

    def lay(self, step: Lay) -> None:
        state = self.people.game.state
        if state.is_automatons_turn:
            self.press(Button.ROLL)
        else:
            self.press(Button.PASS if state.phase is Phase.BUILDING else Button.ROLL)
            self.choose(step.face)
        self.place(step)

    def card(self, face: str) -> None:
        self.press(Button.ROLL)
        self.choose(face)

    def choose(self, face_id: str) -> None:
        dialog = self.people.controller.desk.dialog
        assert isinstance(dialog, FaceEntry)
        face: Face = self.people.game.state.setup.deck[face_id]
        if self.people.screen.keys[:4] == ("1", "2", "3", "4"):
            self.press(list(Button)[face.value - 1])
        keys, sign = self.people.screen.keys, Words.sign(face)
        assert sign in keys or self.people.screen.lines, (face_id, self.people.screen)
        if sign in keys:
            self.press(list(Button)[keys.index(sign)])
        else:
            held = self.people.screen.lines[0].split(": ")[1].split(", ")
            self.press(list(Button)[held.index(Words("en").shape(face))], held=True)

    def place(self, step: AnyStep) -> None:
        if not isinstance(self.people.controller.desk.dialog, PlaceEntry):
            return
        assert isinstance(step, (StartCard, Lay))
        shown = self.people.screen.map
        seen = []
        while shown is not None and shown.new is not None and shown.new.pose != step.pose:
            seen.append(shown.new.pose)
            assert len(seen) < 5, (step, seen)
            self.press(Button.DOWN)
            shown = self.people.screen.map
        self.press(Button.ROLL)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("rails", [True, False], ids=["rails", "list"])
@pytest.mark.parametrize("seed", range(2))
def test_a_whole_game(mode: Mode, seed: int, *, rails: bool) -> None:
    source = dealt(mode, seed, imprecision=0.0, rails=rails)
    hands = Hands(source, Settings(has_camera=False))
    hands.play()
    assert hands.people.game.steps == source.steps


@pytest.mark.parametrize("edition", ["spanish", "loose_caboose"])
def test_other_editions(edition: str) -> None:
    source = dealt(Mode.TWO, 1, imprecision=0.0, edition=edition)
    hands = Hands(source, Settings(has_camera=False))
    hands.play()
    assert hands.people.game.steps == source.steps


def test_real_dice_are_entered() -> None:
    source = dealt(Mode.TWO, 1, imprecision=0.0)
    at = next(index for index, step in enumerate(source.steps) if isinstance(step, Roll))
    hands = Hands(source, with_own(Settings(has_camera=False), real_dice=True))
    while len(hands.people.game.steps) < at:
        hands.step(source.steps[len(hands.people.game.steps)])
        hands.people.wait(0.7)
    hands.press(Button.ROLL)
    hands.press(Button.UP)
    hands.press(Button.ROLL)
    rolled = hands.people.game.steps[at]
    assert isinstance(rolled, Roll)
    assert sum(rolled.dice) == 1
