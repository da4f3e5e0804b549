"""Presses from the pins, through gpiozero's mock pins; the clock is a test's own."""

import itertools
import time

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import Button, ButtonEvent, Kind, VirtualButtons
from hardware.buttons.button_watch import ButtonTiming, ButtonWatch
from hardware.buttons.gpio_buttons import RETRY_SECONDS, GpioButtons
from hardware.errors import DeviceError, Fault, Part

PINS = {Button.ROLL: 5, Button.PASS: 6, Button.UP: 13, Button.DOWN: 19, Button.BACK: 26}


class Table:
    """Five buttons on mock pins, and time that passes when told."""

    def __init__(self, pins=None, down_at_start: tuple[Button, ...] = ()) -> None:
        self.factory = MockFactory()
        self.now = 100.0
        self.pins = pins or PINS
        for button in down_at_start:
            self.pin(button).drive_low()
            self.pin(button)._set_pull = lambda _: None  # the finger is stronger than the pull-up
        self.woken = 0
        self.buttons = GpioButtons(self.pins, self.factory, clock=lambda: self.now, wake=self.wake)

    def wake(self) -> None:
        self.woken += 1

    def pin(self, button: Button):
        return self.factory.pin(self.pins[button])

    def down(self, button: Button, after: float = 0.0) -> None:
        self.now += after
        self.pin(button).drive_low()

    def up(self, button: Button, after: float = 0.0) -> None:
        self.now += after
        self.pin(button).drive_high()

    def events(self, after: float = 0.05) -> list[ButtonEvent]:
        self.now += after
        return self.buttons.poll()

    def kinds(self, after: float = 0.05) -> list[tuple[str, str]]:
        return [(event.button.value, event.kind.value) for event in self.events(after)]


def test_press_is_told_with_its_time() -> None:
    table = Table()
    table.down(Button.PASS)
    assert table.events() == [ButtonEvent(Button.PASS, Kind.PRESSED, 100.0)]
    table.up(Button.PASS, after=0.1)
    assert table.events() == [ButtonEvent(Button.PASS, Kind.RELEASED, pytest.approx(100.15))]
    assert table.events() == []
    assert table.woken == 2


def test_bouncing_contacts_make_one_press() -> None:
    table = Table()
    for turn in (table.down, table.up):
        other = table.up if turn == table.down else table.down
        for _ in range(6):
            turn(Button.ROLL, after=0.001)
            other(Button.ROLL, after=0.0005)
        turn(Button.ROLL, after=0.002)
        table.now += 0.1
    assert table.kinds() == [("roll", "pressed"), ("roll", "released")]


def test_quick_presses_while_nobody_asked_are_all_told_in_order() -> None:
    table = Table()
    for button in (Button.UP, Button.UP, Button.DOWN, Button.ROLL):
        table.down(button, after=0.04)
        table.up(button, after=0.03)
    pressed = [event.button for event in table.events() if event.kind is Kind.PRESSED]
    assert pressed == [Button.UP, Button.UP, Button.DOWN, Button.ROLL]


def test_spark_is_no_press() -> None:
    table = Table()
    table.down(Button.ROLL)
    table.up(Button.ROLL, after=0.002)
    assert table.events() == []


def test_held_is_told_once_while_the_button_is_down() -> None:
    table = Table()
    table.down(Button.BACK)
    assert table.kinds(0.9) == [("back", "pressed")]
    assert table.events(0.2) == [ButtonEvent(Button.BACK, Kind.HELD, 101.0)]
    assert table.kinds(1.0) == []
    table.up(Button.BACK)
    assert table.kinds() == [("back", "released")]


def test_short_press_that_is_asked_for_late_was_not_held() -> None:
    table = Table()
    table.down(Button.BACK)
    table.up(Button.BACK, after=0.2)
    assert table.kinds(3.0) == [("back", "pressed"), ("back", "released")]


def test_press_that_ends_just_before_was_not_held() -> None:
    table = Table()
    table.down(Button.BACK)
    assert table.kinds() == [("back", "pressed")]
    table.up(Button.BACK, after=0.945)
    assert table.kinds(0.01) == []
    assert table.kinds() == [("back", "released")]


def test_button_that_is_down_for_ten_seconds_is_stuck_once_and_the_others_work() -> None:
    table = Table()
    table.down(Button.UP)
    assert table.kinds(5) == [("up", "pressed"), ("up", "held")]
    assert table.kinds(5) == [("up", "stuck")]
    table.down(Button.ROLL, after=20)
    assert table.kinds() == [("roll", "pressed")]
    table.up(Button.ROLL)
    table.up(Button.UP, after=1)
    assert table.kinds() == [("roll", "released"), ("up", "freed")]
    table.down(Button.UP)
    assert table.kinds() == [("up", "pressed")]


def test_button_that_is_down_at_the_start_is_stuck_until_it_was_up() -> None:
    table = Table(down_at_start=(Button.DOWN,))
    assert table.kinds() == [("down", "stuck")]
    assert table.kinds(60) == []
    table.down(Button.ROLL)
    assert table.kinds() == [("roll", "pressed")]
    table.up(Button.DOWN)
    assert table.kinds() == [("down", "freed")]
    table.down(Button.DOWN)
    assert table.kinds() == [("down", "pressed")]


def test_release_that_nobody_told_is_found() -> None:
    table = Table()
    table.down(Button.ROLL)
    assert table.kinds() == [("roll", "pressed")]
    table.pin(Button.ROLL)._state = True  # no edge is told
    assert table.kinds() == []
    assert table.kinds() == [("roll", "released")]


def test_missing_pin_is_told_and_the_others_work() -> None:
    factory = MockFactory()
    taken = GpioButtons({Button.ROLL: 6}, factory)
    buttons = GpioButtons(PINS | {Button.UP: 77}, factory)
    assert [(fault.part, fault.fault) for fault in buttons.faults] == [
        (Part.BUTTONS, Fault.IN_USE),
        (Part.BUTTONS, Fault.MISSING),
    ]
    assert str(buttons.faults[0]).startswith("Button pass cannot use pin GPIO 6, something else does: correct")
    assert str(buttons.faults[1]).startswith("Button up cannot use pin GPIO 77, there is none: correct")
    factory.pin(26).drive_low()
    time.sleep(0.05)
    assert [event.button for event in buttons.poll()] == [Button.BACK]
    taken.close()
    buttons.close()


def test_closed_buttons_give_their_pins_back() -> None:
    table = Table()
    table.buttons.close()
    assert table.kinds() == []
    assert GpioButtons(PINS, table.factory).faults == []


def test_button_that_is_not_there_is_never_pressed() -> None:
    table = Table(pins={Button.ROLL: 5})
    table.down(Button.ROLL)
    assert table.kinds() == [("roll", "pressed")]


def test_virtual_button_is_pressed_from_anywhere() -> None:
    woken = []
    buttons = VirtualButtons(clock=lambda: 7.0, wake=lambda: woken.append(1))
    buttons.press(Button.ROLL)
    buttons.press(Button.BACK, held=True)
    assert [(event.button, event.kind) for event in buttons.poll()] == [
        (Button.ROLL, Kind.PRESSED),
        (Button.ROLL, Kind.RELEASED),
        (Button.BACK, Kind.PRESSED),
        (Button.BACK, Kind.HELD),
        (Button.BACK, Kind.RELEASED),
    ]
    assert buttons.poll() == []
    assert len(woken) == 2


LEGAL = {
    None: {Kind.PRESSED, Kind.STUCK},
    Kind.PRESSED: {Kind.HELD, Kind.RELEASED},
    Kind.HELD: {Kind.STUCK, Kind.RELEASED},
    Kind.STUCK: {Kind.FREED},
    Kind.RELEASED: {Kind.PRESSED},
    Kind.FREED: {Kind.PRESSED},
}


@given(st.lists(st.tuples(st.floats(0, 12), st.sampled_from(["down", "up", "ask"])), max_size=60), st.booleans())
def test_any_levels_make_presses_that_make_sense(steps: list[tuple[float, str]], starts_down: bool) -> None:
    watch = ButtonWatch([Button.ROLL], ButtonTiming(), [Button.ROLL] if starts_down else [], 0.0)
    now, events = 0.0, []
    for seconds, step in [*steps, (1.0, "up"), (1.0, "ask")]:
        now += seconds
        if step == "ask":
            events += watch.wait(now)
        else:
            events += watch.level(Button.ROLL, is_down=step == "down", at_seconds=now)
    kinds = [None, *(event.kind for event in events)]
    assert all(after in LEGAL[before] for before, after in itertools.pairwise(kinds))
    assert kinds[-1] in {None, Kind.RELEASED, Kind.FREED}
    times = [event.at_seconds for event in events]
    assert times == sorted(times)


def test_a_stuck_button_is_broken_until_it_is_free_and_the_others_work() -> None:
    table = Table()
    table.down(Button.UP)
    for _ in range(110):
        table.events(after=0.1)
    assert table.buttons.broken == {Button.UP}
    table.down(Button.ROLL)
    assert table.kinds() == [("roll", "pressed")]
    table.up(Button.UP, after=0.1)
    assert ("up", "freed") in table.kinds()
    assert table.buttons.broken == frozenset()


def test_a_pin_that_cannot_be_had_is_tried_again() -> None:
    table = Table()
    other = GpioButtons({Button.ROLL: 4}, table.factory)
    buttons = GpioButtons({Button.ROLL: 4, Button.UP: 7}, table.factory, clock=lambda: table.now)
    assert buttons.broken == {Button.ROLL}
    assert [fault.fault for fault in buttons.faults] == [Fault.IN_USE]
    table.now += RETRY_SECONDS
    buttons.poll()
    assert buttons.broken == {Button.ROLL}
    other.close()
    buttons.poll()
    assert buttons.broken == {Button.ROLL}  # not at every turn
    table.now += RETRY_SECONDS
    buttons.poll()
    assert (buttons.broken, buttons.faults) == (frozenset(), [])
    table.factory.pin(4).drive_low()
    buttons.poll()
    table.now += 0.1
    assert [(event.button, event.kind) for event in buttons.poll()] == [(Button.ROLL, Kind.PRESSED)]
    buttons.close()


def test_where_there_are_no_pins_at_all_every_button_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pins(part: Part) -> MockFactory:
        raise DeviceError(part, Fault.MISSING, "The pins cannot be used: is this a Raspberry Pi?")

    now = [0.0]
    monkeypatch.setattr("hardware.buttons.gpio_buttons.open_pins", no_pins)
    buttons = GpioButtons(PINS, None, clock=lambda: now[0])
    assert buttons.broken == set(PINS)
    assert buttons.poll() == []
    monkeypatch.setattr("hardware.buttons.gpio_buttons.open_pins", lambda _: MockFactory())
    now[0] += RETRY_SECONDS
    buttons.poll()
    assert buttons.broken == frozenset()


def test_buttons_that_are_held_together_are_not_stuck_before_the_last_one_was_down_for_so_long() -> None:
    table = Table()
    table.down(Button.BACK)
    table.kinds(7)
    table.down(Button.PASS)
    assert [kind for _, kind in table.kinds(5)] == ["pressed", "held"]
    assert sorted(table.kinds(5)) == [("back", "stuck"), ("pass", "stuck")]


def test_a_pin_that_fails_while_it_is_down_ends_its_press() -> None:
    table = Table()
    table.down(Button.BACK)
    assert table.kinds() == [("back", "pressed")]
    pin = table.pin(Button.BACK)
    pin._get_state = lambda: 1 / 0
    assert table.kinds() == [("back", "stuck"), ("back", "freed")]
    assert table.buttons.broken == {Button.BACK}
    del pin._get_state
    table.kinds(RETRY_SECONDS)
    assert table.buttons.broken == frozenset()
