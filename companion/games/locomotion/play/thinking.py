"""What takes too long for the loop that feeds a play: it is worked out in a thread, and asked for at each tick."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

Answer = TypeVar("Answer")
Think = Callable[[Callable[[], bool]], Answer]
"""Works an answer out. It is given what says whether that is still wanted, to be asked many times a second."""

_PATIENCE_SECONDS: Final = 2.0
"""So long a thought may go on once it is not wanted any more, before nobody waits for it. The longest step of a search
that was measured on a desktop took a second, on 45 pieces; mostly it is a hundredth."""
_one_at_a_time: Final = threading.Lock()
"""Two searches would not fit into the memory of a small computer."""
_log = logging.getLogger(__name__)


class Thought(Generic[Answer]):
    """One answer that is being worked out. It begins at once, or as soon as another one that goes on has ended.

    What goes wrong in it is logged and leaves it without an answer; nothing is raised. All may be asked in any thread.
    """

    def __init__(self, think: Think[Answer]) -> None:
        """``think`` may only touch what nobody changes meanwhile: states are such, a play is not."""
        self._think = think
        self._answer: Answer | None = None
        self._is_wanted = True
        # Whoever ends the program does not wait for an answer.
        self._thread = threading.Thread(target=self._run, name="thinking", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:  # as it says where the system has no room for a thread
            _log.exception("nothing can be thought about")

    @property
    def is_over(self) -> bool:
        """Whether it goes on no longer: there is an ``answer``, or there will be none."""
        return not self._thread.is_alive()

    @property
    def answer(self) -> Answer | None:
        """What was worked out; None before that, where it went wrong, and once it was stopped."""
        return self._answer if self._is_wanted and self.is_over else None

    def stop(self) -> None:
        """It is not wanted any more and ends soon."""
        self._is_wanted = False

    def close(self) -> None:
        """Stops it, and waits until it has ended; not for one that hangs, which ends with the program."""
        self.stop()
        self.wait(_PATIENCE_SECONDS)

    def wait(self, seconds: float) -> bool:
        """Waits until it is over, no longer than that; says whether it is."""
        if self._thread.is_alive():
            self._thread.join(seconds)
        return self.is_over

    def _run(self) -> None:
        with _one_at_a_time:
            if not self._is_wanted:
                return
            try:
                self._answer = self._think(lambda: self._is_wanted)
            except Exception:  # noqa: BLE001 - a game goes on without it
                _log.exception("a thought has ended without an answer: the program has made a mistake")
