"""What is remembered of the table from one reading to the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from msgspec.structs import replace

from companion.games.at_table.rest import Rest
from companion.games.loknroll.rules import State
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.table.comparison import Comparison, Gone, compared
from companion.games.loknroll.table.dealt_cards import DealtCards
from companion.games.loknroll.table.read_faces import ReadFaces
from companion.games.loknroll.table.same_cards import NEAR_MM, distance, is_unmoved
from vision.cards import Motion
from vision.watching.table_reading import SeenCard, TableReading

_MOST_LOOKS: Final = 8
"""The places of cards are averaged over so many looks: each is off by a little."""


class Memory:
    """The last reading that was still, and all that is known of its cards.

    ``table`` is that reading beside what should lie there; None before the first one. ``rest`` is since when it has
    been so, ``faces`` how its cards are read.
    """

    def __init__(self, state: State) -> None:
        """Nothing has been seen; the railway of ``state`` should lie there."""
        self.reading: TableReading | None = None
        self.table: Comparison | None = None
        self.rest = Rest()
        self.faces = ReadFaces()
        self._dealt = DealtCards()
        self._looks = 0
        self._state = state
        self._shift: Motion | None = None
        self._gone: list[Gone] = []
        self._is_unmoved = False
        self._serials: dict[LaidCard, int] = {}

    def see(self, reading: TableReading, now: float) -> None:
        """A new reading; one with a hand in it only says that somebody is at work."""
        if not self.rest.look(now, has_hand=reading.hand, is_still=reading.is_still):
            return
        self.faces.forget_all_but({card.serial for card in reading.cards})
        reading = self.faces.corrected(reading)
        if self.reading is None or not _is_same(self.reading, reading):
            self.rest.change(now)
            self._looks = 1
            self.reading = reading
        else:
            self._looks = min(self._looks + 1, _MOST_LOOKS)
            self.reading = _averaged(self.reading, reading, 1 / self._looks)
        self._compare()

    def forget(self) -> None:
        """The camera has been away: what it saw no longer counts."""
        self.reading = self.table = None

    @contextmanager
    def unmoved(self) -> Iterator[None]:
        """The game goes back and on while nobody touches the table: only what has become of it in the end counts."""
        before, self._is_unmoved = self._state, True
        try:
            yield
        finally:
            self._is_unmoved = False
            self.follow(before, self._state)

    def follow(self, before: State, after: State) -> None:
        """The game has gone on or back: what has left the railway may still lie there."""
        self._state = after
        if self._is_unmoved:
            return
        # What comes back into the railway, as when a step is taken back, is gone no more.
        now = set(after.railway.cards)
        gone = [card for card in before.railway.cards if card not in now]
        self._gone = [each for each in self._gone if each.card not in now]
        self._gone += [Gone(card, self._serials.get(card)) for card in gone]
        self._compare()

    def _compare(self) -> None:
        if self.reading is None:
            return
        railway, emma = self._state.railway, self._state.emma
        table = compared(railway, emma, self._gone, self.reading, self._shift, serials=self._serials)
        self._shift = table.shift
        self._serials |= {
            laid: card.serial for laid, card in zip(railway.cards, table.found, strict=True) if card is not None
        }
        self._dealt.carry(table, self.rest.visits)
        self.table = table

    def tidy(self, table: Comparison) -> None:
        """Forgets what has been taken away: called for steady tables."""
        self._gone = [each for each in self._gone if _lies(each, table)]
        self._dealt.tidy(table, self.rest.visits)

    def fresh(self, table: Comparison) -> list[SeenCard]:
        """The new cards that nothing has been done with yet."""
        return self._dealt.fresh(table)

    def lying(self, table: Comparison) -> list[SeenCard]:
        """The cards that have been dealt with, and lie beside the railway still."""
        return self._dealt.lying(table)

    def moved(self, table: Comparison) -> list[SeenCard]:
        """The cards dealt with that lie a little elsewhere since a hand was there."""
        return self._dealt.moved(table, self.rest.visits)

    def deal(self, card: SeenCard) -> None:
        """This card has been dealt with as long as it lies there."""
        self._dealt.deal(card, self._shift or Motion(), self.rest.visits)

    def renew(self, card: SeenCard) -> None:
        """This card is another one than it seemed to be: it is new."""
        self._dealt.renew(card.serial)

    def inherit(self, face: str) -> None:
        """After a restart: a card of this face was dealt with before, and may lie there still."""
        self._dealt.inherit(face)

    def rename(self, card: SeenCard, face: str, turn_deg: float = 0.0) -> None:
        """The camera reads this card wrongly, or cannot tell: it is that face, turned so, as long as it lies there."""
        self.faces.rename(card, face, turn_deg)
        self._dealt.renew(card.serial)
        if self.reading is not None:
            self.reading = self.faces.corrected(self.reading)
        self._compare()


def _lies(each: Gone, table: Comparison) -> bool:
    return any(distance(each.card.pose, card.pose) <= 2 * NEAR_MM for card in table.leftover)


def _is_same(one: TableReading, other: TableReading) -> bool:
    if one.emma != other.emma or len(one.cards) != len(other.cards):
        return False
    return all(is_unmoved(before, after) for before, after in zip(one.cards, other.cards, strict=True))


def _averaged(known: TableReading, new: TableReading, weight: float) -> TableReading:
    """The same table, its places moved towards the new ones."""
    cards = tuple(
        replace(after, pose=before.pose.towards(after.pose, weight))
        for before, after in zip(known.cards, new.cards, strict=True)
    )
    return replace(new, cards=cards)
