"""The things of a game, where they are, and who holds them: what hands can do, and nothing of the rules."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final

from msgspec.structs import replace

from companion.virtual.disturbances import Disturbances
from companion.virtual.scenery import Scenery, scenery_of
from companion.virtual.snapshot import NOTHING, Snapshot, shuffled
from companion.virtual.things import Card, Figure, HandsError, Hold, Place, middle_of, within
from vision.cards import Deck, Motion, Pose
from vision.rendering.places import TABLE_MM

PATIENCE_SECONDS: Final = 30.0
"""What somebody holds without a movement for so long may be taken by others."""
_NOWHERE: Final = Pose(0.0, 0.0)
_BEYOND_MM: Final = 150.0
"""So far beside the table something can still be held over it."""


class World:
    """Everything that can be moved. All methods may be called from any thread; HandsError says why one did nothing.

    Places are in mm on the table, x to the right and y down, ``TABLE_MM`` large. ``revision`` grows with each change.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Nothing is there yet; ``clock`` counts seconds."""
        self.revision = 0
        self._clock = clock
        # Hands, the robot, the camera and browsers all have threads of their own; some ask while they change.
        self._changed = threading.Condition(threading.RLock())
        self._listeners: list[Callable[[], None]] = []
        self._disturbances = Disturbances()
        self._take_up(NOTHING)

    def _take_up(self, snapshot: Snapshot) -> None:
        self._cards: dict[int, Card] = {card.number: card for card in snapshot.cards}
        self._order: list[int] = list(self._cards)
        self._holds: dict[int, Hold] = {}
        self._figures: dict[int, Figure] = {figure.number: figure for figure in snapshot.figures}
        self._reach: tuple[float, float] | None = None
        self._names: tuple[str, ...] = snapshot.names
        self._persons: int = snapshot.persons
        self._is_dealt: bool = snapshot.is_dealt
        self._card_mm: tuple[float, float] = snapshot.card_mm
        self._seed: int = snapshot.seed

    # What has happened

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls this after each change, in the thread that made it."""
        with self._changed:
            self._listeners.append(listener)

    def wait_for_change(self, revision: int, seconds: float) -> bool:
        """Waits until something is other than at a revision, but only so long; says whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self.revision != revision, seconds)

    def _note(self) -> None:
        self.revision += 1
        self._changed.notify_all()
        for listener in self._listeners:
            listener()

    # A game begins

    def begin(self, deck: Deck, names: Sequence[str], persons: int, seed: int) -> None:
        """Gathers all cards for a new game, shuffled. ``names`` are the players', the people first."""
        self.restore(shuffled(deck, names, persons, seed))

    def snapshot(self) -> Snapshot:
        """All things at rest, to be put down: what is held is where it was before."""
        with self._changed:
            cards = tuple(self._cards[number] for number in self._order)
            return Snapshot(
                cards, self._names, self._persons, self._card_mm, self._seed, self.figures, is_dealt=self._is_dealt
            )

    def restore(self, snapshot: Snapshot) -> None:
        """Takes things up as they were put down; nothing of before is left but how the table is disturbed."""
        with self._changed:
            self._take_up(snapshot)
            self._note()

    def deal(self, removed: int, hand_cards: int) -> None:
        """Puts what is away back, shuffles, takes so many cards into the box and deals; only once in a game."""
        with self._changed:
            if self._is_dealt or not self._cards:
                raise HandsError("dealt")
            aside = self._in(Place.AWAY)
            if len(aside) + len(self._in(Place.PILE)) < removed + self._persons * hand_cards:
                raise HandsError("empty")
            for number in aside:
                self._drop(number)
                self._put(number, Place.PILE)
            pile = self._in(Place.PILE)
            # By the seed of the game: a table that is taken up again deals as it would have.
            Random(f"dealt {self._seed}").shuffle(pile)
            self._order = [number for number in self._order if number not in set(pile)] + pile
            for number in pile[:removed]:
                self._put(number, Place.BOX)
            for owner in range(self._persons):
                for _ in range(hand_cards):
                    self._draw(owner)
            self._is_dealt = True
            self._note()

    # What hands do

    def take_hold(self, number: int, holder: str) -> None:
        """Takes a card or a figure into the hand, where nobody else holds it."""
        with self._changed:
            self._check(number)
            hold, now = self._holds.get(number), self._clock()
            # Whose connection hangs lets go of nothing: after a while others may take it.
            if hold is not None and hold.holder != holder and now - hold.at_seconds < PATIENCE_SECONDS:
                raise HandsError("held")
            # Whoever takes a card sees its face: those below the top are nobody's to see.
            if number in self._cards and self._cards[number].place is Place.PILE and number != self._top():
                raise HandsError("below")
            self._holds[number] = Hold(holder, now)
            self._note()

    def move(self, number: int, holder: str, pose: Pose) -> None:
        """Moves what is held over the table, or beside it."""
        with self._changed:
            self._mine(number, holder)
            self._holds[number] = Hold(holder, self._clock(), within(pose, _BEYOND_MM))
            self._note()

    def lay(self, number: int, holder: str, pose: Pose) -> None:
        """Lays what is held onto the table; its middle has to come to lie on it."""
        with self._changed:
            self._mine(number, holder)
            if not (0 <= pose.x_mm <= TABLE_MM[0] and 0 <= pose.y_mm <= TABLE_MM[1]):
                raise HandsError("beside")
            self._drop(number)
            if number in self._figures:
                self._stand(number, pose)
            else:
                self._put(number, Place.TABLE, pose=pose)
            self._note()

    def put(self, number: int, holder: str, place: Place, owner: int = 0) -> None:
        """Puts a card that is held into a hand, away, or onto the pile; a figure only beside the table."""
        with self._changed:
            self._mine(number, holder)
            if place in {Place.TABLE, Place.BOX} or not 0 <= owner < self._persons:
                raise HandsError("nowhere")
            self._drop(number)
            if number in self._figures:
                self._stand(number, None)
            else:
                self._put(number, place, owner)
            self._note()

    def let_go(self, number: int, holder: str) -> None:
        """Lets go: it is where it was before."""
        with self._changed:
            if self._is_held_by(number, holder):
                self._drop(number)
                self._note()

    def leave(self, holder: str) -> None:
        """Somebody has gone: all that they held is where it was before."""
        with self._changed:
            for number in [number for number, hold in self._holds.items() if hold.holder == holder]:
                self._drop(number)
                self._note()

    def turn(self, number: int, holder: str, degrees: float) -> None:
        """Turns a card that lies in a hand or on the table, or a figure that stands there, clockwise."""
        with self._changed:
            self._check(number)
            if number in self._holds and not self._is_held_by(number, holder):
                raise HandsError("held")
            if number in self._figures:
                pose = self._figures[number].pose
                self._stand(number, None if pose is None else pose.moved(0, 0, degrees))
            elif self._cards[number].place in {Place.HAND, Place.TABLE}:
                card = self._cards[number]
                self._cards[number] = replace(card, pose=card.pose.moved(0, 0, degrees))
            self._note()

    def draw(self, owner: int) -> int:
        """Takes the top card of the pile into a hand; returns its number."""
        with self._changed:
            if not 0 <= owner < self._persons:
                raise HandsError("nowhere")
            number = self._draw(owner)
            self._note()
            return number

    def disturb(self, disturbances: Disturbances) -> None:
        """The room, the camera and the cables are so from now on."""
        with self._changed:
            if disturbances != self._disturbances:
                self._disturbances = disturbances
                self._note()

    def push(self, numbers: Collection[int], right_mm: float, down_mm: float, turn_deg: float = 0.0) -> None:
        """Pushes cards that lie on the table as one, with the figures that stand on them.

        Their middle has to stay on the table, and nobody may hold one of them.
        """
        with self._changed:
            poses = {number: self._on_table(number).pose for number in dict.fromkeys(numbers)}
            cards = set(poses)
            poses |= {
                figure.number: figure.pose
                for figure in self.figures
                if figure.pose is not None and self.card_under(figure.number) in cards
            }
            if any(number in self._holds for number in poses):
                raise HandsError("held")
            middle = middle_of(poses.values())
            # The middle decides: a railway may hang over the edge, as on real tables.
            there = middle.moved(right_mm, down_mm, turn_deg)
            if within(there, 0.0) is None:
                raise HandsError("beside")
            push = Motion.onto(middle, there)
            for number, pose in poses.items():
                if number in self._figures:
                    self._stand(number, push(pose))
                else:
                    self._cards[number] = replace(self._cards[number], pose=push(pose))
            self._reach = push.point((pose.x_mm, pose.y_mm))
            self._note()

    # What the robot does, without holding

    def place_card(self, number: int, pose: Pose) -> None:
        """Lays a card; the next picture shows the hand that did it."""
        with self._changed:
            self._drop(number)
            self._put(number, Place.TABLE, pose=pose)
            self._reach = (pose.x_mm, pose.y_mm)
            self._note()

    def place_figure(self, number: int, pose: Pose) -> None:
        """Puts a figure down; the next picture shows the hand that did it."""
        with self._changed:
            self.figure(number)
            self._drop(number)
            self._stand(number, pose)
            self._reach = (pose.x_mm, pose.y_mm)
            self._note()

    def put_away(self, number: int, place: Place = Place.AWAY, owner: int = 0) -> None:
        """Takes a card from wherever it is to another place."""
        with self._changed:
            card = self._cards[number]
            self._reach = (card.pose.x_mm, card.pose.y_mm) if card.place is Place.TABLE else self._reach
            self._drop(number)
            self._put(number, place, owner)
            self._note()

    def withdraw_hand(self) -> None:
        """The hand that has just done something is gone, for it has been seen."""
        with self._changed:
            self._reach = None

    # What can be seen

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """Nothing changes meanwhile."""
        with self._changed:
            yield

    @property
    def disturbances(self) -> Disturbances:
        """How the room, the camera and the cables are."""
        with self._changed:
            return self._disturbances

    @property
    def is_dealt(self) -> bool:
        """Whether the cards of this game have been dealt."""
        with self._changed:
            return self._is_dealt

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures, on the table and beside it."""
        with self._changed:
            return tuple(self._figures.values())

    def figure(self, number: int) -> Figure:
        """A figure by its number; HandsError where there is none."""
        with self._changed:
            if number not in self._figures:
                raise HandsError("unknown")
            return self._figures[number]

    def card_under(self, figure: int) -> int | None:
        """The number of the card that a figure stands on: the newest of several."""
        with self._changed:
            pose = self.figure(figure).pose
            if pose is None:
                return None
            on = [card.number for card in self.cards(Place.TABLE) if card.is_under(pose, self._card_mm)]
            return on[-1] if on else None

    def card(self, number: int) -> Card:
        """A card by its number; HandsError where there is none."""
        with self._changed:
            if number not in self._cards:
                raise HandsError("unknown")
            return self._cards[number]

    def cards(self, place: Place, owner: int | None = None) -> list[Card]:
        """The cards in a place, in the order they came there; the top of the pile is its last."""
        with self._changed:
            cards = [self._cards[number] for number in self._order]
            return [card for card in cards if card.place is place and owner in {None, card.owner}]

    def holds(self) -> dict[int, Hold]:
        """What is held, by its number."""
        with self._changed:
            return dict(self._holds)

    @property
    def names(self) -> tuple[str, ...]:
        with self._changed:
            return self._names

    @property
    def persons(self) -> int:
        """How many of the players are people."""
        with self._changed:
            return self._persons

    def scenery(self) -> Scenery:
        """What a camera sees now."""
        with self._changed:
            return scenery_of(self.snapshot(), self._holds, self._reach, self._disturbances, self.revision)

    # Inside, with the lock held

    def _in(self, place: Place) -> list[int]:
        return [number for number in self._order if self._cards[number].place is place]

    def _top(self) -> int | None:
        pile = self._in(Place.PILE)
        return pile[-1] if pile else None

    def _check(self, number: int) -> None:
        if number not in self._figures and self.card(number).place is Place.BOX:
            raise HandsError("unknown")

    def _on_table(self, number: int) -> Card:
        card = self.card(number)
        if card.place is not Place.TABLE:
            raise HandsError("unknown")
        return card

    def _is_held_by(self, number: int, holder: str) -> bool:
        hold = self._holds.get(number)
        return hold is not None and hold.holder == holder

    def _mine(self, number: int, holder: str) -> None:
        self._check(number)
        if not self._is_held_by(number, holder):
            raise HandsError("held")

    def _drop(self, number: int) -> None:
        self._holds.pop(number, None)

    def _draw(self, owner: int) -> int:
        number = self._top()
        if number is None:
            raise HandsError("empty")
        self._drop(number)
        self._put(number, Place.HAND, owner)
        return number

    def _stand(self, number: int, pose: Pose | None) -> None:
        self._figures[number] = replace(self._figures[number], pose=pose)

    def _put(self, number: int, place: Place, owner: int = 0, pose: Pose = _NOWHERE) -> None:
        self._cards[number] = replace(self._cards[number], place=place, owner=owner, pose=pose)
        # Behind all others: what came last is on top of a pile, and lies over what was there.
        self._order.remove(number)
        self._order.append(number)
