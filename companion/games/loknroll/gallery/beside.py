"""Screens beside the game: entering with buttons, looking, settings, corrections, faults."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from companion.games.events import Fault, Restored, TakenBack
from companion.games.loknroll.gallery.rehearsal import SHOWN, Rehearsal, moment, seen
from companion.games.loknroll.play.dialogs.choosing import FaceEntry
from companion.games.loknroll.rules import AnyStep, Discard, Game, Lay, Mode, Phase, Roll, SetAside, StartCard, State
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings
from companion.record.file import cannot_write
from companion.screen.screen import Screen
from companion.texts.faults import FAULTS
from hardware.buttons import Button
from vision.cards import Pose
from vision.watching.table_reading import SeenCard

Shots = Iterator[tuple[str, Screen]]


def entering(settings: Settings) -> Shots:
    """A game without a camera."""
    blind = replace(settings, has_camera=False)
    start = moment(Mode.TWO, lambda before, step, _: isinstance(step, StartCard) and len(before.railway) == 2)
    people = Rehearsal.at(start, blind)
    yield "blind-setup", people.screen
    people.press(Button.ROLL)
    yield "enter-value", people.screen
    people.press(Button.ROLL)
    yield "enter-card", people.screen
    people.press(Button.PASS)
    yield "enter-place", people.screen
    act = moment(Mode.TWO, lambda before, step, _: isinstance(step, Lay) and before.phase is Phase.ACTING)
    people = Rehearsal.at(act, blind)
    people.press(Button.ROLL)
    yield "blind-value", people.screen
    people.press(Button.DOWN)
    yield "blind-card", people.screen
    discards = moment(Mode.TWO, lambda _, step, after: isinstance(step, Discard) and after.phase is Phase.DISCARDING)
    game = discards.game()
    game.do(discards.step)
    yield "blind-chaos", Rehearsal(game, blind).screen
    lays = moment(Mode.TWO, lambda _, step, after: isinstance(step, Lay) and after.laid == 1)
    game = lays.game()
    game.do(lays.step)
    people = Rehearsal(game, with_own(blind, real_dice=True))
    yield "blind-laid", people.screen
    people.press(Button.ROLL, Button.UP)
    yield "enter-wheels", people.screen


def many_shapes(settings: Settings) -> Shots:
    """A card of a deck that has more shapes of rails than ours."""
    told = moment(Mode.TWO, lambda before, step, _: isinstance(step, Lay) and before.phase is Phase.ACTING)
    people = Rehearsal.at(told, settings)
    tracks = [replace(face, value=2) for face in told.before.setup.deck.faces if face.is_track]
    shaped = [replace(face, shape="bend") if face.shape == "straight" else face for face in tracks]
    people.controller.desk.open(FaceEntry(people.controller.desk.word("title-which-card"), shaped, lambda *_: None))
    people.wait(0.1)
    yield "enter-many", people.screen


def without_rails(settings: Settings) -> Shots:
    """A deck whose rails nobody has told: people decide what fits."""
    told = moment(Mode.TWO, lambda before, step, _: _may_be_set_aside(before, step), rails=False)
    people = Rehearsal(told.game(), settings)
    people.press(Button.ROLL)
    value = people.state.setup.deck[getattr(told.step, "face", "")].value
    people.press((Button.ROLL, Button.PASS, Button.UP, Button.DOWN)[value - 1])
    yield "rails-unknown-card", people.screen
    people.press(Button.ROLL)
    yield "rails-unknown-laid", people.screen
    betsy = moment(Mode.BETSY, lambda before, step, _: isinstance(step, Lay) and before.is_automatons_turn, rails=False)
    yield "rails-unknown-betsy", Rehearsal(betsy.game(), settings).screen


def _may_be_set_aside(before: State, step: AnyStep) -> bool:
    is_second = isinstance(step, StartCard) and bool(before.railway.cards)
    return is_second and all(Game(before).can(SetAside(face.id)) for face in before.setup.deck.faces if face.is_track)


def looking(settings: Settings) -> Shots:
    """What can be looked at at any time."""
    first = moment(Mode.TWO, lambda before, step, _: isinstance(step, Lay) and before.turn == 0)
    people = Rehearsal.at(first, settings)
    people.press(Button.UP)
    yield "look", people.screen
    people.press(Button.ROLL)
    yield "look-nothing-yet", people.screen
    people.press(Button.BACK, Button.UP, Button.DOWN, Button.ROLL)
    yield "look-empty-pile", people.screen
    rolls = moment(
        Mode.TWO,
        _derails_late,
    )
    people = Rehearsal.at(rolls, settings)
    people.press(Button.UP)
    yield "look-building", people.screen
    people.press(*[Button.DOWN] * 3, Button.ROLL)
    yield "look-odds", people.screen
    people.press(Button.BACK, Button.ROLL)
    people.wait(3)
    people.press(Button.ROLL)
    people.lie()
    people.press(Button.UP, Button.ROLL)
    yield "look-last", people.screen
    people.press(Button.BACK, Button.UP, Button.DOWN, Button.ROLL)
    yield "look-pile", people.screen
    people.press(Button.BACK, Button.BACK)
    yield "hold-back", people.screen


def changing(settings: Settings) -> Shots:
    """The list of settings."""
    told = moment(Mode.TWO, lambda before, step, _: isinstance(step, Lay) and before.phase is Phase.ACTING)
    people = Rehearsal.at(told, settings)
    people.press(Button.UP, *[Button.DOWN] * 3, Button.ROLL)
    for number in range(8):
        yield f"settings-{number}", people.screen
        people.press(Button.DOWN)
    betsy = Rehearsal.at(moment(Mode.BETSY, lambda _, step, __: isinstance(step, Lay)), settings)
    betsy.press(Button.UP, *[Button.DOWN] * 3, Button.ROLL, *[Button.DOWN] * 4)
    for name in ("penalties", "places"):
        yield f"settings-{name}", betsy.screen
        betsy.press(Button.ROLL)
        yield f"settings-{name}-other", betsy.screen
        betsy.press(Button.DOWN)


def _derails_late(before: State, step: AnyStep, after: State) -> bool:
    return isinstance(step, Roll) and len(before.player.pile) > 3 and after.outcome.missing > 0


def correcting(settings: Settings) -> Shots:
    """What was read wrongly."""
    told = moment(Mode.TWO, lambda before, step, _: isinstance(step, Lay) and before.phase is Phase.ACTING)
    card = seen(told.step)
    people = Rehearsal.at(told, settings)
    people.lie(card)
    people.press(Button.PASS)
    yield "correct-laid", people.screen
    people.press(Button.PASS)
    yield "correct-card", people.screen
    people.press(Button.ROLL)
    yield "corrected", people.screen
    people.tell(TakenBack(""))
    yield "asked-too-late-on-a-page", people.screen
    for value in (Button.ROLL, Button.PASS, Button.UP, Button.DOWN):
        people = Rehearsal.at(told, settings)
        people.lie(card)
        people.press(Button.PASS, value, Button.UP)
        if people.screen.lines and people.controller.desk.notice == people.screen.lines[0]:
            yield f"corrected-or-not-{value}", people.screen


def asking(settings: Settings) -> Shots:
    """Which card it is that the camera cannot tell."""
    told = moment(Mode.TWO, lambda before, step, _: {"track-3-straight", "broken-3"} <= set(_fitting(before, step)))
    fitting = _fitting(told.before, told.step)
    straight = [face for face in fitting if face.endswith("straight")]
    kinds = ["track-3-straight", "broken-3"]
    for name, faces in (("value", straight[:2]), ("values", straight[:3]), ("shape", fitting[:3]), ("kind", kinds)):
        people = Rehearsal.at(told, settings)
        people.lie(replace(seen(told.step), face=faces[0], others=tuple(faces[1:])))
        yield f"which-{name}", people.screen
    people = Rehearsal.at(told, settings)
    one, other, *_ = (face for face, count in told.before.unseen().items() if count and face.startswith("chaos"))
    people.lie(SeenCard(one, Pose(2000, 0), SHOWN, (other,)))
    yield "which-chaos", people.screen
    people.press(Button.BACK)
    yield "which-other", people.screen


def _fitting(before: State, step: AnyStep) -> list[str]:
    """The faces that could have been laid in place of the one that was, at the beginning of a turn."""
    if not isinstance(step, Lay) or before.phase is not Phase.ACTING or before.is_automatons_turn:
        return []
    return [face.id for face in before.setup.deck.faces if Game(before).can(replace(step, face=face.id))]


def faults(settings: Settings) -> Shots:
    """Devices that do not answer, and a full disk."""
    told = moment(Mode.TWO, lambda before, step, _: isinstance(step, Lay) and before.phase is Phase.ACTING)
    for device in FAULTS:
        people = Rehearsal.at(told, settings)
        people.tell(Fault(device, ""))
        yield f"fault-{device}", people.screen
    for button in Button:
        people = Rehearsal.at(told, settings)
        people.tell(Fault("buttons", str(button)))
        yield f"fault-{button}", people.screen
    people = Rehearsal.at(told, settings)
    people.controller.game.witness = _FullDisk()
    people.press(Button.PASS)
    yield "fault-record", people.screen
    people = Rehearsal.at(told, settings)
    people.controller.game.witness = _FullDisk(errno.EROFS)
    people.press(Button.PASS)
    yield "fault-read-only-disk", people.screen
    people = Rehearsal.at(told, settings)
    people.controller.desk.remark(people.controller.desk.word("notes-damaged"))
    people.tell(Restored("clock"))
    yield "notes-damaged", people.screen


class _FullDisk:
    """Where nothing can be written any more, for one reason or another."""

    def __init__(self, number: int = errno.ENOSPC) -> None:
        self._error = OSError(number, os.strerror(number))

    def step(self, *_: object) -> None:
        """A step that cannot be kept."""
        raise cannot_write(Path("game.jsonl"), self._error) from self._error

    def take_back(self, count: int) -> None:
        """Neither can this."""
        self.step(count)

    def replace(self, count: int, _: object) -> None:
        """Nor this."""
        self.step(count)


SCENES: Final = (entering, many_shapes, without_rails, looking, changing, correcting, asking, faults)
