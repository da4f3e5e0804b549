"""A camera that never keeps its caller waiting for longer than agreed, whatever its driver does."""

from __future__ import annotations

import contextlib
import enum
import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from hardware.camera import Camera, Picture
from hardware.errors import DeviceError, Fault, Part

if TYPE_CHECKING:
    from hardware.camera.picture_watch import PictureWatch

_HANGING_AT_MOST: Final = 2
"""A thread that hangs cannot be ended. With so many of them, no more are begun until one comes back."""


class GuardedCamera:
    """Opens and reads a camera in a thread of its own, with a deadline; opens it anew after each error.

    One caller at a time. Nothing is opened before the first ``read``.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        read_seconds: float,
        open_seconds: float,
        watch: PictureWatch | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``open_camera`` runs in the thread too, and has so many seconds for itself before the first picture.

        ``watch`` looks at each picture with the time of ``clock``; what it finds is raised like any other fault.
        """
        self._open_camera = open_camera
        self._read_seconds = read_seconds
        self._open_seconds = open_seconds
        self._watch = watch
        self._clock = clock
        self._worker: _Worker | None = None
        self._hanging: list[_Worker] = []

    def read(self) -> Picture:
        """A picture; raises what the camera raises, and DeviceError (hanging) when it does not come back in time."""
        self._hanging = [worker for worker in self._hanging if worker.is_alive()]
        if self._worker is None:
            if len(self._hanging) == _HANGING_AT_MOST:
                message = "The camera's driver hangs: switch the device off, check the camera's cable, switch on."
                raise DeviceError(Part.CAMERA, Fault.HANGING, message)
            self._worker = _Worker(self._open_camera)
        worker = self._worker
        deadline = self._read_seconds if worker.is_open else self._open_seconds + self._read_seconds
        try:
            answer = worker.ask(deadline)
        except queue.Empty:
            worker.end()
            self._hanging.append(worker)
            self._worker = None
            message = f"The camera has not answered for {deadline:g} seconds: check its cable. It is tried again."
            raise DeviceError(Part.CAMERA, Fault.HANGING, message) from None
        if isinstance(answer, Exception):
            raise answer
        if self._watch is not None:
            self._look(self._watch, answer, worker)
        return answer

    def close(self) -> None:
        """Gives the camera back; a driver that hangs is left to the end of the program."""
        if self._worker is not None:
            self._worker.end()
            self._worker.join(self._read_seconds)
            self._worker = None

    def _look(self, watch: PictureWatch, picture: Picture, worker: _Worker) -> None:
        try:
            watch.look(picture, self._clock())
        except DeviceError:
            # Opening anew wakes a frozen camera, and measures the light again after darkness.
            worker.release()
            raise


class _Order(enum.Enum):
    READ = enum.auto()
    RELEASE = enum.auto()
    END = enum.auto()


class _Worker(threading.Thread):
    """Does one order after the other, until it is told to end: then it closes its camera, however late."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        # A thread that hangs must not keep the program from ending.
        super().__init__(name="camera", daemon=True)
        self.is_open = False
        self._open_camera = open_camera
        self._orders: queue.SimpleQueue[_Order] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Picture | Exception] = queue.SimpleQueue()
        self._camera: Camera | None = None
        self.start()

    def ask(self, seconds: float) -> Picture | Exception:
        """The next picture or what was raised; raises queue.Empty after so many seconds."""
        self._orders.put(_Order.READ)
        return self._answers.get(timeout=seconds)

    def release(self) -> None:
        """Closes the camera; the next order to read opens it anew."""
        self.is_open = False
        self._orders.put(_Order.RELEASE)

    def end(self) -> None:
        """Closes the camera and ends, once it comes back."""
        self._orders.put(_Order.END)

    def run(self) -> None:
        while (order := self._orders.get()) is not _Order.END:
            if order is _Order.RELEASE:
                self._close()
            else:
                self._answers.put(self._answer())
        self._close()

    def _answer(self) -> Picture | Exception:
        try:
            if self._camera is None:
                self._camera = self._open_camera()
                self.is_open = True
            return self._camera.read()
        except Exception as error:  # noqa: BLE001 - raised again where the picture was asked for
            self._close()
            return error

    def _close(self) -> None:
        if self._camera is not None:
            with contextlib.suppress(Exception):
                self._camera.close()
        self._camera = None
        self.is_open = False
