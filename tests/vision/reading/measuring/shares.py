"""A share that was counted, and how much it may be off by chance."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

_DEVIATIONS: Final = 1.96


class Share(NamedTuple):
    """So many of a number of things."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """From 0 to 1; not a number of nothing."""
        return self.part / self.whole if self.whole else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Within which the share of all such things is, 95 times of 100: Wilson's interval of a binomial share."""
        if not self.whole:
            return 0.0, 1.0
        z, count, share = _DEVIATIONS, self.whole, self.value
        middle = (share + z * z / (2 * count)) / (1 + z * z / count)
        reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.4f} ({low:.4f} to {high:.4f}, {self.part} of {self.whole})"
