"""The draw pile and the hands: which cards there are in the world, and how many there must be."""

from __future__ import annotations

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules import Phase, State
from companion.games.loknroll.rules.turn import hands_to_lay_open
from companion.virtual.hands import Hands
from companion.virtual.things import Card, HandsError, Place


class DealtCards:
    """Draws and deals what the rules say has been drawn and dealt; people draw and lay as well, when they like."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    def top(self) -> Card | None:
        """The top card of the draw pile."""
        pile = self._hands.world.cards(Place.PILE)
        return pile[-1] if pile else None

    def hand(self, owner: int) -> list[Card]:
        """What a player holds."""
        return self._hands.world.cards(Place.HAND, owner)

    def find(self, face: str, state: State) -> int:
        """The number of a card of this face, from where it would come now; raises HandsError if there is none."""
        world = self._hands.world
        hand, away, pile = self.hand(_player(state)), world.cards(Place.AWAY)[::-1], world.cards(Place.PILE)[::-1]
        first = {Place.HAND: hand, Place.PILE: pile[:1], Place.AWAY: away[:1]}[_source(state)]
        others = [card for place in (Place.HAND, Place.BOX, Place.TABLE) for card in world.cards(place)]
        # First where it would come from at a real table, then wherever it is: people may have moved cards meanwhile.
        for card in (*first, *away[:1], *pile[:1], *hand, *away, *pile, *others):
            if card.face == face:
                return card.number
        raise HandsError("unknown")

    def provide(self, desk: Desk) -> bool:
        """Makes hands as large as the rules count them; says whether there was anything to do."""
        state, world = desk.state, self._hands.world
        if self._hands.shown is not None:
            return False
        is_to_deal = state.phase is not Phase.SETTING_UP and not world.is_dealt
        sizes = [0 if is_to_deal else _hand_size(desk, owner) for owner in range(world.persons)]
        has_returned = self._return_surplus(sizes)
        if is_to_deal:
            edition = state.setup.edition
            self._hands.deal(edition.removed[state.setup.mode], edition.hand_cards)
        return self._draw_missing(sizes) or is_to_deal or has_returned

    def _return_surplus(self, sizes: list[int]) -> bool:
        """Puts what was drawn too much back onto the pile, but for what somebody is about to lay."""
        held = self._hands.world.holds()
        surplus = [card.number for owner, size in enumerate(sizes) for card in self.hand(owner)[size:]]
        free = [number for number in reversed(surplus) if number not in held]
        for number in free:
            self._hands.put(number, Place.PILE)
        return bool(free)

    def _draw_missing(self, sizes: list[int]) -> bool:
        """Draws into the hands what they lack, as long as there is a pile."""
        missing = [owner for owner, size in enumerate(sizes) for _ in range(size - len(self.hand(owner)))]
        drawn = missing[: len(self._hands.world.cards(Place.PILE))]
        for owner in drawn:
            self._hands.draw(owner)
        return bool(drawn)


def _hand_size(desk: Desk, owner: int) -> int:
    """How many cards somebody must have in the hand: those that have been laid open are there no more."""
    state = desk.state
    is_open = state.phase is Phase.LAYING_OPEN and owner == hands_to_lay_open(state)[0]
    return max(0, state.players[owner].hand - (len(desk.hand) if is_open else 0))


def _player(state: State) -> int:
    """Whose hand cards come from: the automaton's are laid by a person, who has none of them in the hand."""
    is_open = state.phase is Phase.LAYING_OPEN
    return hands_to_lay_open(state)[0] if is_open else min(state.active, state.setup.mode.persons - 1)


def _source(state: State) -> Place:
    """Where the next card comes from: the automaton's has been shown and put away before it is laid."""
    if state.phase is Phase.SETTING_UP or (state.is_automatons_turn and state.drawn is None):
        return Place.PILE
    return Place.AWAY if state.is_automatons_turn else Place.HAND
