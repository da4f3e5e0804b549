"""A small network that has been trained for one thing, and lies beside the module that asks it."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from threading import Lock

import cv2
import numpy as np

from vision.arrays import Floats32


class Network:
    """Loaded from its file (ONNX) when it is asked first; any number of threads may ask it."""

    def __init__(self, package: str, file: str) -> None:
        """``package`` is where the file lies: the asking module's ``__package__``."""
        self._package, self._file = package, file
        # A network of OpenCV keeps what it is shown.
        self._one_at_a_time = Lock()

    def told(self, shown: Floats32) -> Floats32:
        """What it says of what it is shown (1 × channels × rows × columns), without the leading 1."""
        with self._one_at_a_time:
            self._loaded.setInput(shown)
            return np.array(self._loaded.forward()[0], np.float32)

    @cached_property
    def _loaded(self) -> cv2.dnn.Net:
        data = (files(self._package) / self._file).read_bytes()
        return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
