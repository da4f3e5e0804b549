"""A table laid out as a game stands: what is open lies where it belongs, what is hidden is drawn by lot."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.loknroll.robot.laid_out import lay_out
from companion.games.loknroll.rules import Mode, Phase, State
from companion.virtual.snapshot import read_snapshot
from companion.virtual.things import EMMA, Place
from companion.virtual.world import World
from tests.companion.games.loknroll.play.scripted_table import dealt
from vision.cards import standard_deck
from vision.rendering.places import AREA

GAMES = [dealt(mode, seed) for seed, mode in enumerate(Mode)]


def laid_out(state: State, seed: int = 1) -> World:
    world = World(lambda: 0.0)
    lay_out(world, state, Random(seed))
    return world


def faces(world: World, *places: Place) -> Counter[str]:
    return Counter(card.face for place in places for card in world.cards(place))


@given(st.sampled_from(GAMES), st.floats(0, 1), st.integers(0, 10**6))
def test_all_cards_are_where_the_game_counts_them(game: object, share: float, seed: int) -> None:
    state = game.states[int(share * (len(game.states) - 1))]
    world = laid_out(state, seed)
    assert [card.face for card in world.cards(Place.TABLE)] == [card.face.id for card in state.railway.cards]
    assert len(world.cards(Place.PILE)) == state.draw_pile
    assert len(world.cards(Place.BOX)) == state.removed
    for owner in range(state.setup.mode.persons):
        assert len(world.cards(Place.HAND, owner)) == state.players[owner].hand
    assert faces(world, Place.PILE, Place.HAND, Place.BOX) == state.unseen()
    assert faces(world, Place.TABLE, Place.AWAY) == state.seen()
    if state.drawn is not None:
        assert world.cards(Place.AWAY)[-1].face == state.drawn.id
    assert world.is_dealt == (state.phase is not Phase.SETTING_UP)
    assert read_snapshot(world.snapshot().json(), state.setup.deck) == world.snapshot()


@pytest.mark.parametrize("game", GAMES)
def test_the_railway_lies_as_in_the_game_but_in_the_middle_and_emma_stands_on_her_card(game: object) -> None:
    state = max(game.states, key=lambda state: (state.emma is not None, len(state.railway)))
    world = laid_out(state)
    there, known = [card.pose for card in world.cards(Place.TABLE)], [card.pose for card in state.railway.cards]
    for pose, was in zip(there, known, strict=True):
        assert pose.distance_mm(there[0]) == pytest.approx(was.distance_mm(known[0]))
        assert pose.rotation_deg == pytest.approx(was.rotation_deg % 360)
    for places, middle in (
        ([pose.x_mm for pose in there], AREA.x_mm + AREA.width_mm / 2),
        ([pose.y_mm for pose in there], AREA.y_mm + AREA.height_mm / 2),
    ):
        assert (min(places) + max(places)) / 2 == pytest.approx(middle)
    emma = world.card_under(EMMA)
    assert emma is not None
    assert world.cards(Place.TABLE)[state.emma].number == emma


def test_hidden_cards_are_drawn_by_lot_and_by_the_same_lot_alike() -> None:
    state = GAMES[0].states[-20]
    piles = [[card.face for card in laid_out(state, seed).cards(Place.PILE)] for seed in (1, 1, 2)]
    assert piles[0] == piles[1] != piles[2]
    assert standard_deck(state.setup.edition.deck) == state.setup.deck
