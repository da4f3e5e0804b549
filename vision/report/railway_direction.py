"""Which end of a railway is its front, kept from picture to picture."""

from __future__ import annotations

from collections.abc import Sequence


class RailwayDirection:
    """Remembers in which direction a railway runs.

    One picture tells it badly; in the next ones cards have come at the front and gone from the rear.
    """

    def __init__(self) -> None:
        self._before: list[int] = []
        self._votes = 0

    def kept(self, railway: Sequence[int], serials: Sequence[int]) -> list[int]:
        """The railway (indices of cards, in either direction) from the rear to the front.

        ``serials`` are the cards' numbers, the same in every picture (``Sight.serials``).
        """
        chain = list(railway)
        if self._is_against(chain, serials):
            chain.reverse()
        numbers = [serials[card] for card in chain]
        if self._before and (set(numbers) & set(self._before)):
            self._votes += _growth(self._before, numbers)
            if self._votes < 0:
                chain.reverse()
                numbers.reverse()
                self._votes = -self._votes
        else:
            self._votes = 0
        if chain:
            self._before = numbers
        return chain

    def _is_against(self, chain: Sequence[int], serials: Sequence[int]) -> bool:
        """Whether the cards that lay there before come in the opposite order, or new ones at the rear."""
        places = [self._before.index(serials[card]) for card in chain if serials[card] in self._before]
        if len(places) >= 2:
            return places[0] > places[-1]
        return bool(places) and len(chain) > 1 and serials[chain[-1]] in self._before


def _growth(before: Sequence[int], now: Sequence[int]) -> int:
    """By how many ends the change speaks for the direction: cards come at the front and go from the rear."""
    common = [number for number in before if number in now]
    if len(common) < 2:
        return 0
    at_rear = (before[0] not in now) - (now[0] not in before)
    at_front = (now[-1] not in before) - (before[-1] not in now)
    return at_rear + at_front
