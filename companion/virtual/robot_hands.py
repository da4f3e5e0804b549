"""The robot at the table of the page: it takes over where people have left off, with the cards that are there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Final

from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.robot.dealt_cards import DealtCards
from companion.games.loknroll.robot.lying_railway import key_of
from companion.games.loknroll.robot.pictured_games import emma_pose
from companion.games.loknroll.robot.robot import Robot
from companion.games.loknroll.rules import Phase, State
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.rules.turn import hands_to_lay_open
from companion.virtual.things import EMMA, Card, HandsError, Place
from companion.virtual.world import World
from hardware.buttons import Button
from vision.cards import Face, Motion, Pose
from vision.rendering import Emma, LyingCard
from vision.rendering.places import IMPRECISION, SHOW_SPOT_MM, TABLE_MM

_SPOTS_MM: Final = (SHOW_SPOT_MM, (60.0, 520.0), (60.0, 80.0), (400.0, 530.0), (400.0, 70.0))
_ROOM_MM: Final = 200.0
_SAME_PLACE_MM: Final = 40.0


class RobotHands:
    """What the robot's hands do to a world (``companion.games.loknroll.robot.robot.RobotTable``)."""

    def __init__(self, world: World, seed: int) -> None:
        """``seed`` is for how far the hands are off."""
        self.shown: int | None = None
        self.takes_from = Place.HAND
        """Where the next card is looked for first: in ``owner``'s hand, on the pile, or on top of what is away."""
        self.owner = 0
        self._world = world
        self._random = Random(seed)
        self._is_emma_doubted = False
        self._origins: dict[int, tuple[Place, int]] = {}

    @property
    def cards(self) -> Mapping[int, LyingCard]:
        """What lies on the table and is not held by anybody."""
        held = self._world.holds()
        lying = self._world.cards(Place.TABLE)
        return {card.number: LyingCard(card.face, card.pose, card.number) for card in lying if card.number not in held}

    @property
    def emma(self) -> Emma | None:
        """Emma, with the number of the card she stands on."""
        pose = self._world.emma
        return None if pose is None or self._is_emma_doubted else Emma(pose, self._world.emma_on())

    @emma.setter
    def emma(self, emma: Emma | None) -> None:
        self._is_emma_doubted = emma is None

    def lay(self, face: str, pose: Pose) -> int:
        """Lays a card about there, as a hand does."""
        card = self._found(face)
        x, y, turn = (max(-2.5, min(2.5, self._random.gauss(0, 1))) * IMPRECISION for _ in range(3))
        self._origins = {card.number: (card.place, card.owner)}
        self.place(card.number, pose.moved(x, y, turn))
        return card.number

    def show(self, face: str) -> int:
        """Shows a card to the camera, away from all others."""
        self.clear()
        card = self._found(face)
        x, y = (place + self._random.gauss(0, 5) for place in self._free_spot())
        self._origins = {card.number: (card.place, card.owner)}
        turn = self._random.choice((0.0, 180.0)) + self._random.gauss(0, 4)
        self.place(card.number, Pose(x, y, turn))
        self.shown = card.number
        return card.number

    def clear(self) -> None:
        """Puts the shown card away."""
        if self.shown is not None and self.shown in self.cards:
            self.take([self.shown])
        self.shown = None

    def take(self, numbers: list[int]) -> None:
        """Puts cards away."""
        for number in numbers:
            self.put(number, Place.AWAY)

    def undo(self, number: int) -> None:
        """Puts a card back to where it was taken from."""
        place, owner = self._origins.get(number, (Place.AWAY, 0))
        self.put(number, place, owner)
        if number == self.shown:
            self.shown = None

    def move_emma(self, card: LaidCard, number: int) -> None:  # noqa: ARG002 - the number is that of the card
        """Puts Emma onto a card."""
        self._is_emma_doubted = False
        self.place(EMMA, emma_pose(card, self._random))

    def push(self, numbers: list[int], right_mm: float, down_mm: float) -> None:
        """Pushes cards as one, about so far, and Emma with them."""
        x, y, turn = (self._random.gauss(0, 1) * IMPRECISION for _ in range(3))
        with suppress(HandsError):
            self._world.push(numbers, right_mm + x, down_mm + y, turn)

    def place(self, number: int, pose: Pose) -> None:
        """Lays a card, or puts Emma down."""
        if number == EMMA:
            self._world.place_emma(pose)
        else:
            self._world.place_card(number, pose)

    def put(self, number: int, place: Place, owner: int = 0) -> None:
        """Takes a card to another place."""
        self._world.put_away(number, place, owner)

    def draw(self, owner: int) -> None:
        """Draws a card into a hand; raises HandsError."""
        self._world.draw(owner)

    def deal(self, removed: int, hand_cards: int) -> None:
        """Shuffles, removes and deals; raises HandsError."""
        self._world.deal(removed, hand_cards)

    def _found(self, face: str) -> Card:
        """A card of this face, from where it is looked for first."""
        away = self._world.cards(Place.AWAY)[::-1]
        hand = self._world.cards(Place.HAND, self.owner)
        pile = self._world.cards(Place.PILE)[::-1]
        first = {Place.HAND: hand, Place.PILE: pile[:1], Place.AWAY: away[:1]}[self.takes_from]
        others = [*self._world.cards(Place.HAND), *self._world.cards(Place.BOX), *self._world.cards(Place.TABLE)]
        return next(card for card in [*first, *away[:1], *pile[:1], *hand, *away, *pile, *others] if card.face == face)

    def _free_spot(self) -> tuple[float, float]:
        """The show spot, or where there is most room if the railway has come too near to it."""
        usual, *others = _SPOTS_MM
        return usual if self._room_mm(usual) > _ROOM_MM else max((usual, *others), key=self._room_mm)

    def _room_mm(self, place: tuple[float, float]) -> float:
        distances = [math.dist(place, (card.pose.x_mm, card.pose.y_mm)) for card in self.cards.values()]
        return min(distances, default=max(TABLE_MM))


class WorldRobot(Robot):
    """Plays for everybody, from any moment of a game on; draws and deals the cards as hands do."""

    def __init__(
        self,
        controller: Controller,
        world: World,
        seed: int,
        press: Callable[[Button], None],
        hands: RobotHands | None = None,
        **pauses: float,
    ) -> None:
        """``hands`` are others than the robot's own; ``pauses`` are those of ``Robot``, in seconds."""
        self._world = world
        self._hands = hands or RobotHands(world, seed)
        super().__init__(controller, self._hands, seed, press, **pauses)
        self._adopt()

    def act(self, now: float) -> None:
        """Does the next thing; raises RobotError."""
        state = self._desk.state
        is_open = state.phase is Phase.LAYING_OPEN
        self._hands.owner = hands_to_lay_open(state)[0] if is_open else min(state.active, self._world.persons - 1)
        self._hands.takes_from = _source(state)
        super().act(now)

    @property
    def _cards(self) -> DealtCards:
        """As they are now: people draw and lay as well, whenever they like."""
        return self._hidden_cards()

    @property
    def hand(self) -> list[Face]:
        """The hand of the person who is to play, as it is now; nothing while the automaton is."""
        state = self._desk.state
        return [] if state.is_automatons_turn else list(self._cards.hands[state.active])

    def _hidden_cards(self) -> DealtCards:
        """The cards as they are in the world; of a hand that is laid open, those that have been shown come first."""
        deck, players = self._desk.state.setup.deck, len(self._desk.state.players)
        pile = [deck[card.face] for card in self._world.cards(Place.PILE)]
        hands = [[deck[card.face] for card in self._world.cards(Place.HAND, owner)] for owner in range(players)]
        if self._desk.state.phase is Phase.LAYING_OPEN:
            owner = hands_to_lay_open(self._desk.state)[0]
            hands[owner] = [deck[face] for face in self._desk.hand] + hands[owner]
        return DealtCards(pile, hands)

    def _tidy(self, state: State) -> bool:
        return self._provide(state) or super()._tidy(state)

    def _provide(self, state: State) -> bool:
        """Deals and draws what people have drawn by the rules, and have not by their hands."""
        edition, done = state.setup.edition, False
        if state.phase is not Phase.SETTING_UP and not self._world.is_dealt:
            self._hands.deal(edition.removed[state.setup.mode], edition.hand_cards)
            done = True
        if self._world.is_dealt and self._hands.shown is None:
            for owner in range(self._world.persons):
                while len(self._world.cards(Place.HAND, owner)) < self._hand_size(state, owner):
                    try:
                        self._hands.draw(owner)
                    except HandsError:
                        break
                    done = True
        if done:
            self._dealt = self._hidden_cards()
        return done

    def _hand_size(self, state: State, owner: int) -> int:
        """How many cards somebody must have in the hand: those that have been laid open are there no more."""
        is_open = state.phase is Phase.LAYING_OPEN and owner == hands_to_lay_open(state)[0]
        return state.players[owner].hand - (len(self._desk.hand) if is_open else 0)

    def _take_laid(self) -> None:
        if self._laid is not None:
            self._hands.undo(self._laid)
            self._laid = None

    def _repeat(self) -> None:
        if self._hands.shown is not None:
            self._hands.undo(self._hands.shown)
        super()._repeat()

    def _adopt(self) -> None:
        """Finds out which cards on the table are those of the railway, whatever axes the game sees them by."""
        railway, table = self._desk.state.railway.cards, self._hands.cards
        known = [card for card in railway if card.pose is not None]
        best: dict[LaidCard, int] = {}
        for first in known[:4]:
            for lying in table.values():
                if lying.face == first.face.id and first.pose is not None:
                    found = _matched(known, table, first.pose, lying.pose)
                    best = max(best, found, key=len)
        self._railway.numbers |= {key_of(card): number for card, number in best.items()}


def _source(state: State) -> Place:
    """Where the next card comes from: the automaton's has been shown and put away before it is laid."""
    if state.phase is Phase.SETTING_UP or (state.is_automatons_turn and state.drawn is None):
        return Place.PILE
    return Place.AWAY if state.is_automatons_turn else Place.HAND


def _matched(
    railway: Sequence[LaidCard], table: Mapping[int, LyingCard], here: Pose, there: Pose
) -> dict[LaidCard, int]:
    """The cards that lie where they must if one that is seen ``here`` lies ``there``."""
    motion = Motion.onto(here, there)
    found: dict[LaidCard, int] = {}
    for card in railway:
        if card.pose is None:
            continue
        place = motion(card.pose)
        for number, lying in table.items():
            is_near = place.distance_mm(lying.pose) < _SAME_PLACE_MM
            if lying.face == card.face.id and is_near and number not in found.values():
                found[card] = number
                break
    return found
