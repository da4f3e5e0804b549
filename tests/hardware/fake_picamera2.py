"""picamera2, which only a Raspberry Pi has: a recording with its names and arguments stands in for it."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

LENS = {"AfMode": (0, 2, 0), "LensPosition": (0.0, 10.0, 1.0)}


class FakePicamera2:
    """A camera whose lens finds its focus, and which does what its controls say; all of it can be changed."""

    cameras: tuple[dict, ...] = ({"Num": 0},)
    opened: list[FakePicamera2]
    controls: dict[str, Any]
    """All that it knows."""
    metadata: dict[str, Any]
    af_states: list[int]
    """Of one picture after the other, from the start of a search; the last one stays."""
    is_stubborn = 0
    """How often values that are set are not taken."""
    sensor_resolution = (128, 96)
    seconds_each = 0.05
    """That a picture takes, by ``now``."""
    now = 0.0

    def __init__(self, camera_num: int = 0) -> None:
        self.camera_controls = type(self).controls
        self.calls: list[str] = []
        self.configurations: list[dict] = []
        self.picture = np.zeros((48, 64, 3), np.uint8)
        self.failure: Exception | None = None
        self.told = dict(type(self).metadata)
        self.states = [0]
        type(self).opened.append(self)

    @classmethod
    def newest(cls) -> FakePicamera2:
        return cls.opened[-1]

    @classmethod
    def global_camera_info(cls) -> tuple[dict, ...]:
        return cls.cameras

    def create_video_configuration(
        self, main, transform, buffer_count, queue, display, encode, controls
    ) -> dict[str, Any]:
        return {"main": main, "turned": (transform.hflip, transform.vflip), "buffers": buffer_count, **controls}

    create_still_configuration = create_video_configuration

    def configure(self, camera_config: dict) -> None:
        self.configurations.append(camera_config)
        self._take(camera_config)

    def set_controls(self, controls: dict) -> None:
        self.calls.append("controls")
        if "AfTrigger" in controls:
            self.calls.append("focus")
            self.states = list(type(self).af_states)
        self._take(controls)

    def _take(self, controls: dict) -> None:
        told = {name: controls[name] for name in self.told if name in controls}
        if told and type(self).is_stubborn:
            type(self).is_stubborn -= 1
        else:
            self.told |= told

    def start(self) -> None:
        self.calls.append("start")

    def stop(self) -> None:
        self.calls.append("stop")

    def cancel_all_and_flush(self) -> None:
        self.calls.append("cancel")

    def close(self) -> None:
        self.calls.append("close")

    def capture_metadata(self, wait: float) -> dict[str, Any]:
        if self.failure:
            raise self.failure
        type(self).now += self.seconds_each
        state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        return self.told | {"AfState": state}

    def capture_array(self, name: str, wait: float) -> np.ndarray:
        if self.failure:
            raise self.failure
        return self.picture

    def switch_mode_and_capture_array(self, camera_config: dict, name: str, wait: float) -> np.ndarray:
        self.calls.append("still")
        if self.failure:
            raise self.failure
        self.configurations.append(camera_config)
        width, height = camera_config["main"]["size"]
        return np.full((height, width, 3), 7, np.uint8)


def put_picamera2(monkeypatch: Any) -> type[FakePicamera2]:
    """A machine on which it is imported."""

    attributes: dict[str, Any] = {
        "opened": [],
        "controls": {"ExposureTime": (1, 1000, 1), "AnalogueGain": (1.0, 16.0, 1.0), **LENS},
        "metadata": {"ExposureTime": 27_345, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.5), "LensPosition": 1.25},
        "af_states": [1, 2],
    }
    fresh = type("FreshPicamera2", (FakePicamera2,), attributes)
    module, libcamera = ModuleType("picamera2"), ModuleType("libcamera")
    module.Picamera2 = fresh
    libcamera.Transform = lambda hflip, vflip: SimpleNamespace(hflip=hflip, vflip=vflip)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return fresh
