"""Without a camera all is entered with the buttons, and what automatic players want is confirmed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.events import Fault, Pressed, Restored, Tick
from companion.games.locomotion.rules import ChooseSpeed, EndTurn, Phase, State
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.settings import AS_IT_LIES
from companion.games.locomotion.strategy.players.players import PLAYERS
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People, settings_of

MOST_PRESSES = 3000


class Fingers:
    """Whoever enters what a greedy player would do."""

    def __init__(self, people: People) -> None:
        self.people = people
        self._player = PLAYERS["greedy"]()
        self._plan: list[AnyStep] = []

    def press(self, button: Button) -> None:
        self.people.now += 1.0
        self.people.happens(Tick(self.people.now))
        self.people.happens(Pressed(button))

    def act(self) -> None:
        people, state = self.people, self.people.game_state
        if people.play.controller.desk.is_automatic:
            people.now += 1.0
            people.happens(Tick(people.now))
            if people.screen.keys[0]:
                self.press(Button.ROLL)
        elif state.phase is Phase.ROLLING:
            self.press(Button.ROLL)
        else:
            self._enter(state)

    def _enter(self, state: State) -> None:
        if not self._plan:
            self._plan = list(self._player.turn(state, self.people.random))
        step = self._plan.pop(0)
        if isinstance(step, ChooseSpeed):
            self._choose(str(step.speed))
        elif isinstance(step, EndTurn):
            self.press(Button.PASS)
        else:
            self._reach(step)
            self.press(Button.ROLL)
        if self.people.game_state.turns != state.turns:
            self._plan = []

    def _choose(self, speed: str) -> None:
        for button in (Button.DOWN, Button.UP):
            for _ in range(6):
                if self.people.screen.main.endswith(speed):
                    break
                self.press(button)
        self.press(Button.ROLL)

    def _reach(self, step: AnyStep) -> None:
        """Goes through the steps that can be chosen until this one is shown."""
        stepping = self.people.play.controller._phase._others[Phase.MOVING]._stepping  # type: ignore[attr-defined]
        for _ in range(100):
            if stepping._chosen(self.people.play.controller.desk) == step:
                return
            self.press(Button.DOWN)
        raise AssertionError(step)


@pytest.fixture
def people(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[People]:
    kind, automatic = request.param
    settings = settings_of(camera=False, automatic=automatic, people=2 - len(automatic))
    people = People(tmp_path, kind, settings, seed=4)
    people.press(Button.ROLL)
    yield people
    people.play.close()


@pytest.mark.parametrize(
    "people", [("die", ()), ("speed", ()), ("die", ("greedy",)), ("speed", ("greedy",))], indirect=True, ids=str
)
def test_some_turns_are_entered(people: People) -> None:
    fingers = Fingers(people)
    for _ in range(MOST_PRESSES):
        if people.game_state.phase is Phase.OVER or people.game_state.turns > 4:
            break
        fingers.act()
    assert people.game_state.phase is Phase.OVER or people.game_state.turns > 4
    assert people.game_state.steps > 1


@pytest.mark.parametrize("people", [("die", ())], indirect=True, ids=str)
def test_a_step_that_was_entered_is_taken_back_with_a_press(people: People) -> None:
    people.press(Button.ROLL)
    before = people.game_state
    people.press(Button.ROLL)
    assert people.game_state.steps == before.steps + 1
    people.press(Button.BACK)
    assert people.game_state == before


def test_a_camera_that_is_lost_and_comes_back_goes_on_with_what_was_entered_meanwhile(tmp_path: Path) -> None:
    people = People(tmp_path, "die", settings_of(network="snowflake"))
    people.set_up()
    people.press(Button.ROLL)
    begun = people.game_state
    people.happens(Fault("camera", "pull the cable"))
    people.now += 2.0
    people.happens(Tick(people.now))
    people.happens(Pressed(Button.ROLL))
    entered = people.game_state
    assert entered.left == begun.left - 1 or entered.turns == begun.turns + 1
    people.happens(Restored("camera"))
    people.puts(entered)
    assert people.game_state == entered
    people.play.close()


def test_a_press_just_after_the_camera_was_lost_is_for_the_screen_before(tmp_path: Path) -> None:
    people = People(tmp_path, "die", settings_of(network="snowflake"))
    people.set_up()
    people.press(Button.ROLL)
    begun = people.game_state
    people.happens(Fault("camera", "pull the cable"))
    people.happens(Pressed(Button.ROLL))
    assert people.game_state == begun
    people.happens(Restored("camera"))
    people.waits()
    # It has ended as it lies there, and the next player has rolled.
    assert (people.game_state.turns, people.game_state.phase) == (begun.turns + 1, Phase.MOVING)
    assert people.game_state.stock == begun.stock
    people.play.close()


def test_who_enters_steps_after_a_press_that_was_for_the_screen_before_ends_no_turn_with_it(tmp_path: Path) -> None:
    people = People(tmp_path, "die", settings_of(network="snowflake"))
    people.set_up()
    people.press(Button.ROLL)
    begun = people.game_state
    people.happens(Fault("camera", "pull the cable"))
    people.happens(Pressed(Button.ROLL))
    people.now += 2.0
    people.happens(Tick(people.now))
    people.happens(Pressed(Button.DOWN))
    people.happens(Restored("camera"))
    people.waits()
    assert people.game_state == begun
    people.play.close()


@pytest.mark.parametrize("is_laid", [False, True])
def test_whose_camera_fails_can_begin_unless_something_lies_there_already(tmp_path: Path, is_laid: bool) -> None:
    people = People(tmp_path, "die", settings_of(network=AS_IT_LIES))
    if is_laid:
        people.state = People(tmp_path, "die", settings_of()).play.controller.desk.preparation.suggestion
        people.waits(4)
        assert people.screen.keys[0]
    people.happens(Fault("camera", "pull the cable"))
    people.now += 4.0
    people.happens(Tick(people.now))
    People.recorded(people.play)  # once a network has been drawn
    people.happens(Pressed(Button.ROLL))
    assert people.play.is_set_up is not is_laid
    people.play.close()
