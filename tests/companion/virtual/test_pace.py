"""The patience of a robot with a companion that does not answer."""

from __future__ import annotations

from companion.virtual.disturbances import Disturbances
from companion.virtual.pace import Pace


def test_a_silence_whose_reason_everybody_sees_is_none() -> None:
    pace = Pace(0.5, 0.0)
    for second in range(60):
        pace.look_at_clock(float(second))
        pace.sees_why()
        assert not pace.is_tired
    pace.look_at_clock(75.0)
    assert pace.is_tired


def test_a_hand_the_dark_and_a_cable_are_in_the_way_and_what_the_companion_has_to_cope_with_is_not() -> None:
    assert all(
        there.is_in_the_way for there in (Disturbances(hand=True), Disturbances(camera=False), Disturbances("dark"))
    )
    assert not Disturbances("dusk", glare=True, bumps=3, display=False).is_in_the_way
