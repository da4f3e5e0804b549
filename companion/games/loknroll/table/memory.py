"""What is remembered of the table from one reading to the next."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.loknroll.rules import State
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.table.comparison import NEAR_MM, Comparison, Gone, compared, distance
from vision.cards import Motion, Pose
from vision.watching.table_reading import SeenCard, TableReading

SETTLING_SECONDS: Final = 0.15
"""So long a table looks the same before it counts: shorter is a flicker."""
SAME_HAND_SECONDS: Final = 1.0
_MOST_LOOKS: Final = 8
"""The places of cards are averaged over so many looks: each is off by a little."""
SAME_MM: Final = 4.0
SAME_DEG: Final = 4.0


class Dealt(NamedTuple):
    """A card that has been dealt with, how often a hand had come by then, and where the camera saw it."""

    card: SeenCard
    visits: int
    on_table: Pose | None = None


class Memory:
    """The last reading that was still, since when it has been so, and which of its cards have been dealt with.

    ``table`` is that reading beside what should lie there; None before the first one.
    """

    def __init__(self, state: State) -> None:
        """Nothing has been seen; the railway of ``state`` should lie there."""
        self.reading: TableReading | None = None
        self.table: Comparison | None = None
        self.changed_at = 0.0
        self.busy_at = float("-inf")
        self.is_busy = False
        self.visits = 0
        """How often a hand has come over the table."""
        self._hand_at = float("-inf")
        self._inherited: str | None = None
        self._looks = 0
        self._shift: Motion | None = None
        self._gone: list[Gone] = []
        self._dealt: list[Dealt] = []
        self._renamed: dict[int, str] = {}
        self._taken_as: dict[int, str] = {}
        self._serials: dict[LaidCard, int] = {}
        self._state = state

    def see(self, reading: TableReading, now: float) -> None:
        """A new reading; one with a hand in it only says that somebody is at work."""
        self._note_hand(now, is_there=reading.hand)
        self.is_busy = reading.hand or not reading.is_still
        if self.is_busy:
            self.busy_at = now
            return
        self._renamed = {
            serial: face for serial, face in self._renamed.items() if any(serial == c.serial for c in reading.cards)
        }
        cards = tuple(replace(card, face=self._renamed.get(card.serial, card.face)) for card in reading.cards)
        reading = replace(reading, cards=cards)
        if self.reading is None or not _is_same(self.reading, reading):
            self.changed_at, self._looks = now, 1
            self.reading = reading
        else:
            self._looks = min(self._looks + 1, _MOST_LOOKS)
            self.reading = _averaged(self.reading, reading, 1 / self._looks)
        self._compare()

    def _note_hand(self, now: float, *, is_there: bool) -> None:
        """A hand that is out of sight for a moment only is still the same one."""
        if is_there:
            self.visits += now - self._hand_at > SAME_HAND_SECONDS
            self._hand_at = now

    def forget(self) -> None:
        """The camera has been away: what it saw no longer counts."""
        self.reading = self.table = None

    def is_steady(self, now: float) -> bool:
        """Whether the table has looked the same for long enough to count."""
        return self.reading is not None and not self.is_busy and now - self.changed_at >= SETTLING_SECONDS

    def quiet_seconds(self, now: float) -> float:
        """For how long nobody has changed anything."""
        return now - max(self.changed_at, self.busy_at)

    def _compare(self) -> None:
        if self.reading is None:
            return
        railway, emma = self._state.railway, self._state.emma
        table = compared(railway, emma, self._gone, self.reading, self._shift, serials=self._serials)
        self._shift = table.shift
        self._serials |= {
            laid: card.serial for laid, card in zip(railway.cards, table.found, strict=True) if card is not None
        }
        self._dealt = [self._carried(each, table) for each in self._dealt]
        self.table = table

    def _carried(self, each: Dealt, table: Comparison) -> Dealt:
        """A card dealt with stays so when the camera is bumped, and when the railway is pushed away beside it.

        A bump moves all in the picture alike: in the axes of the game, which go with the railway, it lies where it lay.
        A push takes the axes away with the railway: only in the picture it lies where it lay. The hand that pushed was
        not at this card, so its visit does not count for it.
        """
        back = table.shift.inverse()
        for card in table.new:
            if is_same_card(card, each.card):
                return each._replace(on_table=back(card.pose).rounded())
        if each.on_table is None:
            return each
        there = replace(each.card, pose=table.shift(each.on_table).rounded())
        for card in table.new:
            if is_same_card(card, there):
                return Dealt(card, self.visits, each.on_table)
        return each

    def _as_dealt(self, card: SeenCard) -> Dealt:
        return Dealt(card, self.visits, (self._shift or Motion()).inverse()(card.pose).rounded())

    def follow(self, before: State, after: State) -> None:
        """The game has gone on or back: what has left the railway may still lie there."""
        # What comes back into the railway, as when a step is taken back, is gone no more.
        now = set(after.railway.cards)
        gone = [card for card in before.railway.cards if card not in now]
        self._gone = [each for each in self._gone if each.card not in now]
        self._gone += [Gone(card, self._serials.get(card)) for card in gone]
        self._state = after
        self._compare()

    def tidy(self, table: Comparison) -> None:
        """Forgets what has been taken away: called for steady tables."""
        left = {card.serial for card in table.leftover}
        self._gone = [each for each in self._gone if self._lies(each, table, left)]
        self._dealt = [each for each in self._dealt if any(is_same_card(each.card, other) for other in table.new)]
        if self._inherited is not None:
            lying = [card for card in table.new if card.face == self._inherited]
            self._dealt += [self._as_dealt(card) for card in lying[:1]]
            self._inherited = None

    @staticmethod
    def _lies(each: Gone, table: Comparison, left: set[int]) -> bool:
        return any(
            card.serial in left and distance(each.card.pose, card.pose) <= 2 * NEAR_MM for card in table.leftover
        )

    def fresh(self, table: Comparison) -> list[SeenCard]:
        """The new cards that nothing has been done with yet."""
        return [card for card in table.new if not any(is_same_card(card, each.card) for each in self._dealt)]

    def deal(self, card: SeenCard) -> None:
        """This card has been dealt with as long as it lies there."""
        self._dealt = [each for each in self._dealt if not is_same_card(each.card, card)]
        self._dealt.append(self._as_dealt(card))

    def inherit(self, face: str) -> None:
        """After a restart: a card of this face was dealt with before, and may lie there still."""
        self._inherited = face

    def moved(self, table: Comparison) -> list[SeenCard]:
        """The cards dealt with that lie a little elsewhere since a hand was there."""
        return [
            card
            for card in table.new
            for each in self._dealt
            if is_same_card(each.card, card) and self.visits > each.visits and not is_unmoved(each.card, card)
        ]

    def take(self, card: SeenCard) -> None:
        """This card has become part of the railway."""
        self._taken_as[card.serial] = card.face

    def reads_otherwise(self, card: SeenCard) -> bool:
        """Whether a card of the railway is taken for another one than when it was laid."""
        return self._taken_as.get(card.serial, card.face) != card.face

    def rename(self, card: SeenCard, face: str) -> None:
        """The camera reads this card wrongly: it is that face, as long as it lies there."""
        self._renamed[card.serial] = face
        if self.reading is not None:
            cards = tuple(
                replace(other, face=face) if other.serial == card.serial else other for other in self.reading.cards
            )
            self.reading = replace(self.reading, cards=cards)
        self._dealt = [each for each in self._dealt if each.card.serial != card.serial]
        self._compare()


def is_same_card(one: SeenCard, other: SeenCard, room_mm: float = NEAR_MM) -> bool:
    """Whether these are one card that lies where it lay."""
    return one.face == other.face and distance(one.pose, other.pose) <= room_mm


def turned_deg(one: SeenCard, other: SeenCard) -> float:
    """By how many degrees (0 to 180) two cards are turned against each other."""
    return abs((one.pose.rotation_deg - other.pose.rotation_deg + 180) % 360 - 180)


def is_unmoved(one: SeenCard, other: SeenCard) -> bool:
    """Whether these are one card that nobody has moved."""
    return one.serial == other.serial and is_same_card(one, other, SAME_MM) and turned_deg(one, other) <= SAME_DEG


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
