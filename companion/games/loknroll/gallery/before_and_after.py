"""Screens before the first turn and after the last one: set-up, hands, results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from companion.games.loknroll.gallery.rehearsal import SHOWN, Moment, Rehearsal, moment
from companion.games.loknroll.rules import (
    AnyStep,
    Begin,
    Game,
    LayOpen,
    Mode,
    Phase,
    SetAside,
    StartCard,
    State,
)
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Pose
from vision.watching.table_reading import SeenCard

Shots = Iterator[tuple[str, Screen]]


def setting_up(settings: Settings) -> Shots:
    """From the first card to the last before the lot."""
    second = moment(Mode.TWO, lambda before, step, _: isinstance(step, StartCard) and len(before.railway) == 1)
    yield "setup-first", Rehearsal(Game(second.start), settings).screen
    people = Rehearsal.at(second, settings)
    yield "setup-next", people.screen
    pose = second.before.railway.front.pose or Pose(0, 0)
    people.lie(SeenCard("track-1-straight", Pose(pose.x_mm + 20, pose.y_mm + 30, pose.rotation_deg), SHOWN))
    yield "setup-wrong", people.screen
    aside = moment(Mode.TWO, lambda before, step, _: isinstance(step, SetAside) and len(before.railway) == 2)
    people = Rehearsal.at(aside, settings)
    people.show(_face(aside.step))
    yield "setup-set-aside", people.screen
    people.press(Button.PASS)
    yield "correct-value", people.screen


def beginning(settings: Settings) -> Shots:
    """What is done before the first turn, and who begins."""
    for mode in (Mode.TWO, Mode.FOUR, Mode.SOLO, Mode.BETSY):
        people = Rehearsal.at(moment(mode, lambda before, step, _: _begins(before, step)), settings)
        yield f"ready-{mode.value}", people.screen
    many = moment(Mode.TWO, lambda before, step, _: _begins(before, step) and len(before.set_aside) == 1)
    people = Rehearsal.at(many, settings)
    yield "ready-one-aside", people.screen
    several = moment(Mode.TWO, lambda before, step, _: _begins(before, step) and len(before.set_aside) == 2)
    yield "ready-two-aside", Rehearsal.at(several, settings).screen
    people.press(Button.ROLL)
    yield "lot", people.screen
    chosen = Rehearsal.at(moment(Mode.TWO, lambda before, step, _: _begins(before, step), "loose_caboose"), settings)
    yield "direction", chosen.screen
    chosen.press(Button.PASS, Button.DOWN)
    yield "direction-turned", chosen.screen


def _begins(before: State, step: AnyStep) -> bool:
    return isinstance(step, Begin) and bool(before.railway.cards)


def _face(step: AnyStep) -> str:
    return str(getattr(step, "face", ""))


def hands(settings: Settings) -> Shots:
    """Hands are laid open."""
    told = moment(Mode.TWO, lambda _, step, __: isinstance(step, LayOpen) and len(step.faces) > 3)
    people = Rehearsal.at(told, settings)
    yield "hand", people.screen
    for face in getattr(told.step, "faces", ())[:2]:
        people.show(face)
        people.lie()
    yield "hand-two", people.screen
    people.press(Button.PASS)
    yield "hand-correct", people.screen
    people.press(Button.BACK)
    gone = next(face.id for face in told.before.setup.deck.faces if not told.before.unseen()[face.id])
    people.show(gone)
    yield "hand-no-more", people.screen
    people.lie()
    people.wait(6.5)
    twice = next(
        face for face, count in told.before.unseen().items() if count - people.controller.desk.hand.count(face) > 1
    )
    people.show(twice)
    people.lie(hand=True)
    people.show(twice)
    yield "another", people.screen
    people.press(Button.PASS, Button.ROLL)
    yield "hand-entered", people.screen


def results(settings: Settings) -> Shots:
    """The score sheet."""
    for mode in (Mode.FOUR, Mode.BETSY, Mode.SOLO):
        people = _over(moment(mode, lambda _, __, after: after.phase is Phase.OVER), settings)
        yield f"result-{mode.value}", people.screen
        people.press(Button.UP)
        yield f"result-look-{mode.value}", people.screen
    told = moment(Mode.SOLO, lambda _, __, after: after.phase is Phase.OVER)
    yield "result-curve", _over(told, settings, (45, 38, 61, 24, 33, 41)).screen
    lost = moment(Mode.SOLO_HARD, lambda _, __, after: after.phase is Phase.OVER and after.is_lost)
    yield "result-lost", _over(lost, settings).screen
    three = moment(Mode.THREE, lambda _, __, after: after.phase is Phase.OVER).after
    equal = replace(three, players=(three.players[0], *[three.players[0]] * 2))
    yield "result-shared", Rehearsal(Game(equal), settings).screen


def _over(told: Moment, settings: Settings, curve: tuple[int, ...] = ()) -> Rehearsal:
    game = told.game()
    game.do(told.step)
    people = Rehearsal(game, settings, (), curve)
    people.wait(20)
    return people


SCENES: Final = (setting_up, beginning, hands, results)
