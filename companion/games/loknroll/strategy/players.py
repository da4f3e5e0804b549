"""Players that choose by themselves: one at random, one that takes what looks cheapest now."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Protocol

from companion.games.loknroll.rules.building import can_be_laid, legal_placements
from companion.games.loknroll.rules.railway.emma import drive
from companion.games.loknroll.rules.railway.geometry import Placement
from companion.games.loknroll.rules.state import Phase, State, total
from companion.games.loknroll.rules.steps import AnyStep, Discard, EndTurn, Lay, Pass, Put
from companion.games.loknroll.strategy.automaton import has_room
from companion.games.loknroll.strategy.best_order import best_order
from companion.games.loknroll.strategy.odds import odds
from vision.cards import Face, Kind
from vision.cards.area import Area

if TYPE_CHECKING:
    from random import Random


class AutomaticPlayer(Protocol):
    """Chooses the next step of the active person from what that person may know."""

    def next_step(self, state: State, hand: Sequence[Face], random: Random) -> AnyStep | None:
        """The next step; None to roll the dice."""


class RandomPlayer:
    """Any of the possible actions, with any of the possible cards.

    Where the table's usable ``area`` is known, cards are laid only within it.
    """

    def __init__(self, area: Area | None = None, eagerness: int = 1) -> None:
        """Without an area the table is endless. ``eagerness`` is how much likelier than passing building is."""
        self.area = area
        self.eagerness = eagerness

    def next_step(self, state: State, hand: Sequence[Face], random: Random) -> AnyStep | None:
        """The next step; None to roll the dice."""
        match state.phase:
            case Phase.PUTTING:
                return _put_any(state, random)
            case Phase.BUILDING:
                more = self._layable(state, hand)
                return self._lay_any(state, more, random) if more and random.random() < 0.5 else None
            case Phase.DISCARDING:
                chaos = _chaos(hand)
                return _discard_any(state, chaos, random) if chaos and random.random() < 0.5 else EndTurn()
            case _:
                return self._act(state, hand, random)

    def _act(self, state: State, hand: Sequence[Face], random: Random) -> AnyStep:
        build = self._layable(state, hand)
        chaos = _chaos(hand)
        action = random.choice(["pass"] + ["build"] * (self.eagerness if build else 0) + ["discard"] * bool(chaos))
        if action == "build":
            return self._lay_any(state, build, random)
        return _discard_any(state, chaos, random) if action == "discard" else Pass()

    def _layable(self, state: State, hand: Sequence[Face]) -> list[Face]:
        return [face for face in hand if can_be_laid(state, face) and (not self.area or self._places(state, face))]

    def _lay_any(self, state: State, faces: Sequence[Face], random: Random) -> Lay:
        face = random.choice(faces)
        if not state.setup.rails:
            return Lay(face.id)
        return Lay(face.id, random.choice(self._places(state, face)).pose)

    def _places(self, state: State, face: Face) -> list[Placement]:
        places = legal_placements(state, face)
        if self.area is None:
            return places
        return [way for way in places if has_room(state, face, way, self.area)]


class GreedyPlayer:
    """The action after which hand and pile together are expected to be worth least.

    Looks no further than this turn: the values of the cards that leave the hand against the expected growth of the
    pile. Puts penalty cards down in the best order.
    """

    def next_step(self, state: State, hand: Sequence[Face], random: Random) -> AnyStep | None:
        """The next step; None to roll the dice."""
        match state.phase:
            case Phase.PUTTING:
                putting = best_order(state.player.pile, state.taken, coming(state)).puttings[0]
                return Put(putting.face.id, putting.combine)
            case Phase.DISCARDING:
                chaos = _chaos(hand)
                return _discard_best(state, chaos) if chaos else EndTurn()
            case Phase.BUILDING:
                more = [face for face in hand if can_be_laid(state, face)]
                costs = {None: _roll_cost(state, ())} | {face.id: _roll_cost(state, (face,)) for face in more}
                best = min(costs, key=costs.__getitem__)
                return None if best is None else lay_anywhere(state, state.setup.deck[best], random)
            case _:
                return self._act(state, hand, random)

    def _act(self, state: State, hand: Sequence[Face], random: Random) -> AnyStep:
        build = [face for face in hand if can_be_laid(state, face)]
        chaos = _chaos(hand)
        options: list[tuple[float, int, Face | None]] = [(_pass_cost(state), 0, None)]
        if chaos:
            change = best_order(state.player.pile, chaos).points - total(state.player.pile)
            options.append((change - total(chaos), 1, None))
        options += [
            (_roll_cost(state, laid), 2, laid[0])
            for count in range(1, len(build) + 1)
            for laid in combinations(build, count)
            if len({face.value for face in laid}) == 1
        ]
        _, action, face = min(options, key=lambda option: option[:2])
        if face is not None:
            return lay_anywhere(state, face, random)
        return _discard_best(state, chaos) if action == 1 else Pass()


def coming(state: State) -> dict[int, int]:
    """How many cards of each value may still become penalty cards: those on the railway and those not seen yet."""
    count = dict.fromkeys(range(1, 5), 0)
    for face in state.railway.faces:
        count[face.value] += 1
    for face_id, number in state.unseen().items():
        count[state.setup.deck[face_id].value] += number
    return count


def lay_anywhere(state: State, face: Face, random: Random) -> Lay:
    """Lays the card in one of the places that are legal."""
    if not state.setup.rails:
        return Lay(face.id)
    return Lay(face.id, random.choice(legal_placements(state, face)).pose)


def _chaos(hand: Sequence[Face]) -> list[Face]:
    return [face for face in hand if face.kind is Kind.CHAOS]


def _put_any(state: State, random: Random) -> Put:
    face = random.choice(state.taken)
    return Put(face.id, _combines(state, face) and random.random() < 0.8)


def _discard_any(state: State, chaos: Sequence[Face], random: Random) -> Discard:
    face = random.choice(chaos)
    return Discard(face.id, _combines(state, face) and random.random() < 0.8)


def _discard_best(state: State, chaos: Sequence[Face]) -> Discard:
    putting = best_order(state.player.pile, chaos, coming(state)).puttings[0]
    return Discard(putting.face.id, putting.combine)


def _combines(state: State, face: Face) -> bool:
    return state.player.top is not None and state.player.top.value == face.value


def _pass_cost(state: State) -> float:
    emma = state.emma or 0
    way = drive(state.railway, emma, min(1, len(state.railway) - 1 - emma)).take(1)
    return best_order(state.player.pile, way.taken).points - total(state.player.pile)


def _roll_cost(state: State, more: Sequence[Face]) -> float:
    """The expected growth of the pile if these cards were laid too and the dice rolled, less what leaves the hand."""
    railway = state.railway
    for face in more:
        railway = railway.with_card(face)
    laid = railway.faces[len(railway) - state.laid - len(more) :]
    edition = state.setup.edition
    dice = total(laid) if edition.dice_count == "sum" else laid[-1].value
    roll = odds(railway, state.emma or 0, edition.die, dice, state.player.pile)
    return float(roll.expected_pile_change) - total(more)
