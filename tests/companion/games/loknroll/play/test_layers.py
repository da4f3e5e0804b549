"""Who is seen and who hears the buttons: the same order, but for the exceptions that have a name."""

import pytest

from companion.games.at_table.layers import FallingDice, hear, screen
from companion.games.events import Changed, Kept, Pressed, Show, Spoken
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.looking import settings
from companion.games.loknroll.play.layers import OVER_THE_PHASE, Layer, Looking, Shortcuts
from companion.games.loknroll.rules import Game, Mode, Phase, Roll
from companion.games.settings import Change, Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import dealt, fresh, seat


class Told(Layer):
    """A layer that says what it is told to."""

    def __init__(self, name: str, *, is_up: bool = True, hears: bool = True, is_seen: bool = True) -> None:
        self.name, self.up, self.hears, self.is_seen = name, is_up, hears, is_seen
        self.heard: list[Button] = []

    def is_up(self, desk: Desk) -> bool:
        return self.up

    def press(self, desk: Desk, press: Pressed) -> bool:
        self.heard.append(press.button)
        return self.hears

    def screen(self, desk: Desk) -> Screen | None:
        return Screen(main=self.name) if self.is_seen else None


@pytest.fixture
def desk() -> Desk:
    return Desk(Game(fresh(Mode.TWO)), Settings())


def test_the_uppermost_layer_that_is_there_is_seen_and_hears(desk: Desk) -> None:
    layers = [Told("away", is_up=False), Told("over"), Told("under")]
    hear(layers, desk, Pressed(Button.ROLL))
    assert [layer.heard for layer in layers] == [[], [Button.ROLL], []]
    assert screen(layers, desk).main == "over"


def test_what_is_not_for_a_layer_is_for_those_below(desk: Desk) -> None:
    layers = [Told("deaf", hears=False), Told("unseen", is_seen=False), Told("under")]
    hear(layers, desk, Pressed(Button.ROLL))
    assert [layer.heard for layer in layers] == [[Button.ROLL], [Button.ROLL], []]
    assert screen(layers[1:], desk).main == "under"


def test_layers_that_are_always_there_are_not_seen(desk: Desk) -> None:
    always = [layer for layer in OVER_THE_PHASE if layer.is_up(desk)]
    assert [type(layer) for layer in always] == [Shortcuts, Looking]
    assert [layer.screen(desk) for layer in always] == [None, None]


def test_dice_that_fall_keep_nobody() -> None:
    source = dealt(Mode.TWO, 1)
    people = seat(Mode.TWO, 1)
    at = next(index for index, step in enumerate(source.steps) if isinstance(step, Roll))
    people.play(source, at)
    people.fate.coming.extend(people.game.state.setup.edition.die.index(face) for face in source.steps[at].dice)
    people.press(Button.ROLL)
    assert people.screen.tumbling
    assert FallingDice().is_up(people.controller.desk)
    people.press(Button.PASS, held=True)
    assert people.controller.desk.dialog is not None
    assert not people.screen.tumbling
    assert people.game.state.phase is not Phase.BUILDING


def test_what_has_been_told_is_told_in_another_language_from_now_on() -> None:
    source, people = dealt(Mode.TWO, 1), seat(Mode.TWO, 1)
    at = next(index for index, step in enumerate(source.steps) if isinstance(step, Roll))
    people.play(source, at + 1)
    desk = people.controller.desk
    english = desk.story
    people.handle(Spoken("de"))
    assert english is not None
    assert desk.story is not None
    assert desk.story.lines != english.lines
    assert desk.story._replace(lines=()) == english._replace(lines=())
    people.handle(Spoken("en"))
    assert desk.story == english


def test_a_setting_that_a_page_changes_is_not_undone_by_a_list_that_was_open() -> None:
    people = seat(Mode.TWO, 1)
    desk = people.controller.desk
    settings(desk)
    told = people.controller.handle(Changed(Change("names", "Bea", 1)))
    assert desk.settings.seats[1] == "Bea"
    assert Kept(desk.settings) in told
    assert any(isinstance(effect, Show) for effect in told)
    people.press(Button.ROLL)
    assert desk.settings.seats[1] == "Bea"
    # Who plays stands in the record: it is for the next game.
    assert "Bea" not in people.game.state.setup.names
    people.controller.handle(Changed(Change("language", "es")))
    assert desk.word("yes") == "sí"
