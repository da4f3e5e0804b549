"""Lights and the buzzer on gpiozero's mock pins."""

import threading
import time

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.errors import Fault
from hardware.lights import Light, Tone, VirtualLights
from hardware.lights.gpio_lights import GpioLights

PINS = {Light.GOOD: 17, Light.WRONG: 27}


def test_exactly_the_named_lights_are_on() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    lights = GpioLights(PINS, None, factory)
    for lit in ({Light.GOOD}, {Light.WRONG, Light.BUSY}, set(), set(PINS)):
        lights.light(lit)
        assert {light for light, pin in PINS.items() if factory.pin(pin).state} == lit & set(PINS)
    lights.sound([Tone(440, 0.1)])  # there is no buzzer: nothing to hear, nothing goes wrong
    lights.close()
    assert GpioLights(PINS, None, factory).faults == []


def test_tune_plays_by_itself_and_a_newer_one_breaks_it_off() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    lights = GpioLights({}, 18, factory)
    buzzer = factory.pin(18)
    began = time.monotonic()
    lights.sound([Tone(440, 60)])
    lights.sound([Tone(880, 0.01), Tone(0, 0.01), Tone(660, 30)])
    assert time.monotonic() - began < 10
    while buzzer.frequency != 660 or not buzzer.state:
        assert time.monotonic() - began < 20
        time.sleep(0.005)
    lights.close()
    assert not buzzer.state
    assert not [thread for thread in threading.enumerate() if thread.name == "buzzer"]


def test_buzzer_is_silent_after_its_tune() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    lights = GpioLights({}, 18, factory)
    buzzer = factory.pin(18)
    lights.sound([Tone(440, 0.01)])
    began = time.monotonic()
    while [state.state for state in buzzer.states] != [0.0, 0.5, 0.0]:
        assert time.monotonic() - began < 20, buzzer.states
        time.sleep(0.005)
    lights.close()


def test_missing_pin_is_told_and_the_others_work() -> None:
    factory = MockFactory()  # its pins cannot sound
    lights = GpioLights({Light.GOOD: 17, Light.WRONG: 88}, 18, factory)
    assert [fault.fault for fault in lights.faults] == [Fault.MISSING] * 2
    assert ["Light wrong" in str(lights.faults[0]), "The buzzer" in str(lights.faults[1])] == [True, True]
    lights.light({Light.GOOD, Light.WRONG})
    assert factory.pin(17).state
    lights.close()


def test_virtual_lights_keep_what_was_lit_and_played() -> None:
    lights = VirtualLights()
    lights.light([Light.GOOD])
    for hertz in range(200):
        lights.sound([Tone(hertz, 0.1)])
    assert lights.lit == {Light.GOOD}
    assert len(lights.tunes) == 100
    assert lights.tunes[-1] == (Tone(199, 0.1),)
    lights.close()
    assert lights.lit == frozenset()
