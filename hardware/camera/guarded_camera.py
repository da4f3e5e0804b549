"""A camera that never keeps its caller waiting for longer than agreed, whatever its driver does."""

from __future__ import annotations

import contextlib
import enum
import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from hardware.camera import Camera, EndOfPictures, Picture, notices_of
from hardware.errors import DeviceError, Fault, Part, no_foreign, reason

if TYPE_CHECKING:
    from hardware.camera.light_watch import LightWatch
    from hardware.camera.picture_watch import PictureWatch

_HANGING_AT_MOST: Final = 2
"""A thread that hangs cannot be ended. With so many of them, no more are begun until one comes back."""
_IN_USE_SECONDS: Final = 20.0
"""So long a camera that was open here may be in use: then it is this program itself that keeps it."""
_LOST: Final = (
    "The camera's driver hangs in this program: it has to start anew. If that does not help, check the cable."
)


class GuardedCamera:
    """Opens and reads a camera in a thread of its own, with a deadline; opens it anew after each error.

    One caller at a time. Nothing is opened before the first ``read``. Where a driver keeps a camera for good, each
    ``read`` raises a fault of the kind LOST: only a program that is started anew can have that camera again.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        read_seconds: float,
        open_seconds: float,
        watch: PictureWatch | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        light: LightWatch | None = None,
    ) -> None:
        """``open_camera`` runs in the thread too, and has so many seconds for itself before the first picture.

        ``watch`` looks at each picture with the time of ``clock``; what it finds is raised like any other fault.
        ``light`` looks too; where it finds other light, the camera is opened anew for the next picture, to measure it.
        """
        self._open_camera = open_camera
        self._read_seconds = read_seconds
        self._open_seconds = open_seconds
        self._watch = watch
        self._clock = clock
        self._light = light
        self._has_been_open = False
        self._in_use_since: float | None = None
        self.notices: tuple[DeviceError, ...] = ()
        """What is not as it should be though there are pictures, of the camera as it was opened last."""
        self._worker: _Worker | None = None
        self._hanging: list[_Worker] = []
        self._has_stills = True

    def read(self) -> Picture:
        """A picture; raises DeviceError, hanging when none comes in time, lost when none can come; or EndOfPictures."""
        self._hanging = [worker for worker in self._hanging if worker.is_alive()]
        if self._worker is None:
            if len(self._hanging) == _HANGING_AT_MOST:
                raise DeviceError(Part.CAMERA, Fault.LOST, _LOST)
            with no_foreign(_failing):
                self._worker = _Worker(self._open_camera)
        worker = self._worker
        deadline = self._read_seconds if worker.is_open else self._open_seconds + self._read_seconds
        answer = self._answer(worker, _Order.READ, deadline)
        if isinstance(answer, Exception):
            raise self._told(answer)
        assert answer is not None  # noqa: S101 - only a still may be none
        self._has_been_open, self._in_use_since = True, None
        self.notices = worker.notices
        self._look(answer, worker)
        return answer

    def still(self) -> Picture | None:
        """A larger picture of what was read last; None where the camera has none, or has failed at one before.

        It never raises: pictures are worth more than stills, so after a fault there are no more of these, and the next
        ``read`` opens the camera anew.
        """
        worker = self._worker
        if worker is None or not worker.is_open or not self._has_stills:
            return None
        try:
            answer = self._answer(worker, _Order.STILL, self._read_seconds)
        except DeviceError:
            answer = None
        if answer is None or isinstance(answer, Exception):
            self._has_stills = False
            return None
        return answer

    def close(self) -> None:
        """Gives the camera back; a driver that hangs is left to the end of the program."""
        if self._worker is not None:
            self._worker.end()
            self._worker.join(self._read_seconds)
            self._worker = None

    def _answer(self, worker: _Worker, order: _Order, deadline: float) -> Picture | Exception | None:
        """What becomes of an order; raises DeviceError, hanging, and gives the worker up, if that takes too long."""
        try:
            return worker.ask(order, deadline)
        except queue.Empty:
            worker.end()
            self._hanging.append(worker)
            self._worker = None
            message = f"The camera has not answered for {deadline:g} seconds: check its cable. It is tried again."
            raise DeviceError(Part.CAMERA, Fault.HANGING, message) from None

    def _look(self, picture: Picture, worker: _Worker) -> None:
        try:
            with no_foreign(_failing):
                if self._watch is not None:
                    self._watch.look(picture, self._clock())
                is_new_light = self._light is not None and self._light.is_other(picture, self._clock())
        except DeviceError:
            # Opening anew wakes a frozen camera, and measures the light again after darkness.
            self._release(worker)
            raise
        if is_new_light:
            self._release(worker)

    def _release(self, worker: _Worker) -> None:
        worker.release()
        if self._light is not None:
            self._light.forget()

    def _told(self, error: Exception) -> Exception:
        """What is raised for an error of the camera."""
        if self._light is not None:
            self._light.forget()
        if not isinstance(error, DeviceError):
            return error
        if error.fault is not Fault.IN_USE or not (self._has_been_open or self._hanging):
            self._in_use_since = None
            return error
        # A driver that hangs while it closes, or fails then, has the camera still: no other program has taken it.
        now = self._clock()
        if self._in_use_since is None:
            self._in_use_since = now
        is_lost = now - self._in_use_since >= _IN_USE_SECONDS
        return DeviceError(Part.CAMERA, Fault.LOST, _LOST) if is_lost else error


def _failing(error: Exception) -> DeviceError:
    message = f"The camera fails ({reason(error)}): it is opened anew. If that goes on, check its cable."
    return DeviceError(Part.CAMERA, Fault.FAILS, message)


class _Order(enum.Enum):
    READ = enum.auto()
    STILL = enum.auto()
    RELEASE = enum.auto()
    END = enum.auto()


class _Worker(threading.Thread):
    """Does one order after the other, until it is told to end: then it closes its camera, however late."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        # A thread that hangs must not keep the program from ending.
        super().__init__(name="camera", daemon=True)
        self.is_open = False
        self.notices: tuple[DeviceError, ...] = ()
        self._open_camera = open_camera
        self._orders: queue.SimpleQueue[_Order] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Picture | Exception | None] = queue.SimpleQueue()
        self._camera: Camera | None = None
        self.start()

    def ask(self, order: _Order, seconds: float) -> Picture | Exception | None:
        """The next picture or still, or what was raised; raises queue.Empty after so many seconds."""
        self._orders.put(order)
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
                self._answers.put(self._answer(order))
        self._close()

    def _answer(self, order: _Order) -> Picture | Exception | None:
        try:
            with no_foreign(_failing, EndOfPictures):
                camera = self._opened()
                return camera.read() if order is _Order.READ else camera.still()
        except (DeviceError, EndOfPictures) as error:
            self._close()
            return error

    def _opened(self) -> Camera:
        if self._camera is None:
            self._camera = self._open_camera()
            self.notices = notices_of(self._camera)
            self.is_open = True
        return self._camera

    def _close(self) -> None:
        if self._camera is not None:
            with contextlib.suppress(Exception):
                self._camera.close()
        self._camera = None
        self.is_open = False
