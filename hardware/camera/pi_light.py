"""What the Raspberry Pi's cameras tell about each picture, and the controls that keep their light. No clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

_FASTEST_US: Final = 33_333
_SLOWEST_US: Final = 100_000
LIVELY: Final = (_FASTEST_US, _SLOWEST_US)
"""The time from picture to picture, in µs, while light and focus are measured."""
CALM: Final = (_SLOWEST_US, _SLOWEST_US)
"""The same later: ten pictures a second are enough to read cards, and leave the processor cool."""
_LONGEST_EXPOSURE_US: Final = 99_000
"""A sensor needs a little of each picture's time to read it out."""
STEADY_PICTURES: Final = 10
"""So many in a row have to agree: the colours creep towards their end."""
_AGREE: Final = 0.02
_CONVERGED: Final = 2
"""What libcamera from 0.5 on calls AeState; before that there was AeLocked."""
_TAKEN: Final = {"ExposureTime": 0.05, "AnalogueGain": 0.15, "ColourGains": 0.05, "LensPosition": 0.1}
"""By which part what is set may differ from what is told: sensors know only steps."""


def steady_controls(measured: Mapping[str, Any], mains_hertz: int = 50, least_gain: float = 1.0) -> dict[str, Any]:
    """Controls that keep the light and white of a picture's metadata, without stripes from lamps and with little noise.

    What the metadata lacks is left to the camera. That a value is set ends the automatic for it: to switch that off
    too, before the camera is started, made some versions of libcamera lose the values.
    """
    controls: dict[str, Any] = {"FrameDurationLimits": CALM}
    if "ExposureTime" in measured and "AnalogueGain" in measured:
        light = float(measured["ExposureTime"]) * float(measured["AnalogueGain"])
        exposure = _steady_exposure(light / max(least_gain, 1.0), mains_hertz)
        controls |= {"ExposureTime": exposure, "AnalogueGain": light / exposure}
    if "ColourGains" in measured:
        controls["ColourGains"] = tuple(float(gain) for gain in measured["ColourGains"])
    return controls


def _steady_exposure(longest: float, mains_hertz: int) -> int:
    """The longest exposure (µs) up to this that lasts as long as whole swings of the lamps.

    Cards lie still: the longer the light is gathered, the less it has to be amplified, and noise with it. The camera's
    own automatic would rather amplify, for things that move.
    """
    # Lamps are bright and dark twice in each period of their current.
    swing = 1_000_000 / (2 * mains_hertz)
    if longest < swing:
        return max(int(longest), 1)  # daylight: nothing flickers, and longer would be too bright
    return int(int(min(longest, _LONGEST_EXPOSURE_US) / swing) * swing)


def is_steady(pictures: Sequence[Mapping[str, Any]]) -> bool:
    """Whether light and colours have come to rest, by the metadata of the pictures so far, oldest first."""
    last = pictures[-STEADY_PICTURES:]
    if len(last) < STEADY_PICTURES:
        return False
    is_colour_at_rest = all(
        _agree([picture.get("ColourGains", (1.0, 1.0))[each] for picture in last]) for each in (0, 1)
    )
    newest = last[-1]
    if newest.get("AeLocked") or newest.get("AeState") == _CONVERGED:
        return is_colour_at_rest
    return is_colour_at_rest and _agree(
        [picture.get("ExposureTime", 1) * picture.get("AnalogueGain", 1.0) for picture in last]
    )


def _agree(values: Sequence[float]) -> bool:
    return max(values) - min(values) <= _AGREE * max(values)


def not_taken(wanted: Mapping[str, Any], told: Mapping[str, Any]) -> list[str]:
    """The controls whose values are not what a picture's metadata tells; what it does not tell is taken."""

    def differs(name: str, part: float) -> bool:
        values, others = (_numbers(each[name]) for each in (wanted, told))
        return any(abs(one - other) > part * max(abs(one), 0.5) for one, other in zip(values, others, strict=True))

    return [name for name, part in _TAKEN.items() if name in wanted and name in told and differs(name, part)]


def _numbers(value: Any) -> tuple[float, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,)
