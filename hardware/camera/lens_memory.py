"""Where a lens was when it had found its focus, for as long as the program runs."""

from __future__ import annotations


class LensMemory:
    """Outlives the camera, which is opened anew after each fault."""

    def __init__(self) -> None:
        self.good_position: float | None = None
        """In dioptres: 1 by the distance in metres. None as long as the lens has never found it."""
