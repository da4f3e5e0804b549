"""What a camera is to the program: pictures, asked for one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.errors import DeviceError

Picture: TypeAlias = "NDArray[np.uint8]"
"""Height × width × 3, B, G, R."""


class EndOfPictures(EOFError):
    """A recorded camera has no more pictures."""


class Camera(Protocol):
    """Anything that gives pictures."""

    def read(self) -> Picture:
        """A picture taken after the call or just before it; raises DeviceError while the camera gives none."""

    def still(self) -> Picture | None:
        """A larger picture of the same view, taken now, which may need a second; None where there is none.

        Raises DeviceError, as ``read``.
        """

    def close(self) -> None:
        """Gives the camera back; never raises."""


def notices_of(camera: Camera) -> tuple[DeviceError, ...]:
    """What is not as it should be with a camera that gives pictures nevertheless, since it was opened."""
    notices: tuple[DeviceError, ...] = getattr(camera, "notices", ())
    return notices


class VirtualCamera:
    """A camera whose pictures are made by a function; what that raises comes out of ``read``."""

    def __init__(self, take: Callable[[], Picture], take_still: Callable[[], Picture] | None = None) -> None:
        """``take_still`` makes larger pictures of the same view, if it can have them."""
        self._take, self._take_still = take, take_still

    def read(self) -> Picture:
        """The function's next picture."""
        return self._take()

    def still(self) -> Picture | None:
        """The other function's, if there is one."""
        return None if self._take_still is None else self._take_still()

    def close(self) -> None:
        """There is nothing to give back."""
