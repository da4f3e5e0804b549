"""A table laid out as a game stands of which nobody knows any more which hidden card was where."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.games.loknroll.robot.lying_railway import to_the_middle
from companion.games.loknroll.robot.pictured_games import emma_pose
from companion.games.loknroll.rules import Phase, State
from companion.virtual.snapshot import shuffled
from companion.virtual.things import EMMA, EMMAS_LOOK, Card, Figure, Place
from companion.virtual.world import World
from vision.cards import Face, Pose


def lay_out(world: World, state: State, random: Random) -> None:
    """Lays the railway in the middle of the table and puts Emma and all other open cards where they belong.

    Who holds which of the cards that nobody has seen, and in which order the others are drawn, is drawn by lot.
    """
    setup, motion = state.setup, to_the_middle(state.railway)
    fresh = shuffled(setup.deck, setup.names, setup.mode.persons, random.randrange(1 << 30))
    hidden = list(fresh.cards)

    def found(face: Face, **where: Any) -> Card:
        card = next(card for card in hidden if card.face == face.id)
        hidden.remove(card)
        return replace(card, **where)

    lying = [found(card.face, place=Place.TABLE, pose=motion(card.pose)) for card in state.railway.cards if card.pose]
    away = [found(face, place=Place.AWAY) for face in _away(state)]
    owners = [owner for owner in range(setup.mode.persons) for _ in range(state.players[owner].hand)]
    hands = [replace(hidden.pop(), place=Place.HAND, owner=owner) for owner in owners]
    box = [replace(hidden.pop(), place=Place.BOX) for _ in range(state.removed)]
    cards = (*lying, *away, *hands, *box, *hidden)
    emma, is_dealt = _emma(state, random), state.phase is not Phase.SETTING_UP
    figures = (Figure(EMMA, EMMAS_LOOK, emma and motion(emma)),)
    world.restore(replace(fresh, cards=cards, figures=figures, is_dealt=is_dealt))


def _away(state: State) -> Iterator[Face]:
    """What lies open beside the table; the automaton's card on top, for it is to be laid next."""
    yield from (card.face for card in state.railway.cards if card.pose is None)
    yield from (*state.set_aside, *state.box)
    for player in state.players:
        yield from player.pile
    yield from state.taken
    if state.drawn is not None:
        yield state.drawn


def _emma(state: State, random: Random) -> Pose | None:
    """Where Emma stands in the axes of the game."""
    return None if state.emma is None or not state.setup.rails else emma_pose(state.railway.cards[state.emma], random)
