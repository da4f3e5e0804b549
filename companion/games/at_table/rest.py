"""Since when the table has been left alone."""

from __future__ import annotations

from typing import Final

SETTLING_SECONDS: Final = 0.15
"""So long a table looks the same before it counts: shorter is a flicker."""
SAME_HAND_SECONDS: Final = 1.0


class Rest:
    """When the camera last saw the table change and hands over it, in seconds.

    ``visits`` is how often a hand has come over the table.
    """

    def __init__(self) -> None:
        self.visits = 0
        self.changed_at = 0.0
        self._is_busy = False
        self._hand_at = float("-inf")

    def look(self, now: float, *, has_hand: bool, is_still: bool) -> bool:
        """The camera has looked; says whether nobody is at work. A hand out of sight for a moment is the same one."""
        if has_hand:
            self.visits += now - self._hand_at > SAME_HAND_SECONDS
            self._hand_at = now
        self._is_busy = has_hand or not is_still
        return not self._is_busy

    def change(self, now: float) -> None:
        """The table lies otherwise than before."""
        self.changed_at = now

    def is_steady(self, now: float) -> bool:
        """Whether the table has looked the same for long enough to count."""
        return not self._is_busy and now - self.changed_at >= SETTLING_SECONDS

    def quiet_seconds(self, now: float) -> float:
        """For how long nobody has changed anything; 0 while that may be.

        A lamp that flickers and a camera that is pushed show no hand, and the table lies as before: nobody was there.
        """
        return 0.0 if self._is_busy else now - max(self.changed_at, self._hand_at)
