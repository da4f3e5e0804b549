"""The robot goes on with the cards that are there, whatever people have done with them, or says what it misses."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from msgspec.structs import replace

from companion.games.game import RobotError
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.robot.dealt_cards import DealtCards
from companion.games.loknroll.robot.laid_out import lay_out
from companion.games.loknroll.robot.robot import Robot
from companion.games.loknroll.rules import Game, Mode, Phase, State, load_edition, set_up
from companion.games.settings import Settings
from companion.virtual.robot_hands import RobotHands
from companion.virtual.things import EMMA, Place
from companion.virtual.world import World
from tests.companion.games.loknroll.play.scripted_table import dealt
from vision.cards import standard_deck

DECK = standard_deck("standard-55")


class Bench:
    """A game that nobody watches, its things, and a robot that plays it."""

    def __init__(self, game: Game) -> None:
        state = game.state
        self.world = World(lambda: 0.0)
        if game.steps:
            lay_out(self.world, state, Random(3))
        else:
            self.world.begin(DECK, state.setup.names, state.setup.mode.persons, 3)
        self.pressed: list[object] = []
        self.controller = Controller(game, Settings(), source=Random(1))
        self.hands = RobotHands(self.world, 3)
        self.robot = Robot(self.controller, self.hands, 3, self.pressed.append)

    def act(self, seconds: int = 30) -> None:
        """Lets it act for a while."""
        for now in range(seconds):
            self.robot.act(now)

    def draw_empty(self, owner: int = 0) -> None:
        """Somebody draws all cards of the pile."""
        while self.world.cards(Place.PILE):
            self.world.draw(owner)


def new_game(mode: Mode = Mode.BETSY) -> Game:
    return Game(set_up(load_edition("german"), DECK, mode, ["Ann", "Ben", "Cleo"][: mode.persons]))


def game_in(phase: Phase, mode: Mode = Mode.BETSY, seed: int = 3, *, automaton: bool | None = None) -> Game:
    """A dealt game taken back to where it is in this phase."""
    played = dealt(mode, seed)
    at = next(
        index
        for index, state in enumerate(played.states)
        if state.phase is phase and automaton in {None, state.is_automatons_turn}
    )
    game = Game(played.states[0])
    for step in played.steps[:at]:
        game.do(step)
    return game


def counts(world: World, state: State) -> tuple[int, list[int]]:
    """How many cards the pile and the hands have."""
    persons = range(state.setup.mode.persons)
    return len(world.cards(Place.PILE)), [len(world.cards(Place.HAND, owner)) for owner in persons]


def test_a_pile_that_was_drawn_empty_before_the_first_card_is_put_back() -> None:
    bench = Bench(new_game())
    bench.draw_empty()
    bench.act()
    assert bench.hands.lying
    assert not bench.world.cards(Place.HAND)


@pytest.mark.parametrize("mode", [Mode.BETSY, Mode.THREE])
def test_hands_become_as_large_as_the_game_counts_them(mode: Mode) -> None:
    bench = Bench(game_in(Phase.ACTING, mode, automaton=False))
    state = bench.controller.game.state
    bench.draw_empty(mode.persons - 1)
    bench.act(3)
    assert counts(bench.world, state) == (state.draw_pile, [player.hand for player in state.players][: mode.persons])


def test_what_somebody_holds_in_the_hand_is_left_to_them() -> None:
    bench = Bench(game_in(Phase.ACTING, Mode.TWO))
    held = bench.world.draw(0)
    bench.world.take_hold(held, "somebody")
    bench.act(4)
    assert held in bench.world.holds()


def test_cards_are_dealt_by_whoever_notices_first_that_they_have_not_been() -> None:
    bench = Bench(new_game(Mode.TWO))
    bench.draw_empty()
    for step in game_in(Phase.DRAWING, Mode.TWO).steps:
        bench.controller.game.do(step)
    bench.act(12)
    state = bench.controller.game.state
    assert counts(bench.world, state)[1] == [player.hand for player in state.players]
    assert bench.world.is_dealt


@pytest.mark.parametrize("mode", [Mode.BETSY, Mode.TWO])
def test_a_game_that_goes_on_is_played_with_the_railway_that_lies_there(mode: Mode) -> None:
    """Though it lies elsewhere, and turned, by the axes that the game knows."""
    bench = Bench(game_in(Phase.ACTING, mode, automaton=False))
    railway = [card.number for card in bench.world.cards(Place.TABLE)]
    bench.world.push(railway, 30, 20, 8)
    before, emma = bench.world.cards(Place.TABLE), bench.world.figure(EMMA).pose
    bench.robot = Robot(bench.controller, bench.hands, 3, bench.pressed.append)
    bench.act(3)
    assert bench.world.cards(Place.TABLE)[: len(railway)] == before
    assert bench.world.figure(EMMA).pose == emma


def test_an_empty_pile_from_which_the_automaton_is_to_draw_is_told() -> None:
    bench = Bench(game_in(Phase.DRAWING, automaton=True))
    for card in bench.world.cards(Place.PILE):
        bench.world.put_away(card.number, Place.BOX)
    with pytest.raises(RobotError, match="draw pile is empty, but the game still counts"):
        bench.act()


def test_an_empty_pile_in_the_set_up_is_told() -> None:
    bench = Bench(new_game())
    for card in bench.world.cards(Place.PILE):
        bench.world.put_away(card.number, Place.BOX)
    with pytest.raises(RobotError, match="draw pile is empty"):
        bench.act()


def test_a_hand_that_lacks_cards_when_it_is_laid_open_is_told() -> None:
    bench = Bench(game_in(Phase.LAYING_OPEN, Mode.TWO))
    for card in bench.world.cards(Place.HAND):
        bench.world.put_away(card.number, Place.BOX)
    with pytest.raises(RobotError, match="fewer cards in the hand"):
        bench.act()


def test_too_few_cards_to_deal_are_told() -> None:
    bench = Bench(game_in(Phase.DRAWING, Mode.TWO))
    bench.world.begin(DECK, ("Ann", "Ben"), 2, 3)
    for card in bench.world.cards(Place.PILE)[10:]:
        bench.world.put_away(card.number, Place.BOX)
    with pytest.raises(RobotError, match="hands"):
        bench.act()


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
@pytest.mark.parametrize("mode", [Mode.BETSY, Mode.TWO])
def test_whatever_lies_where_the_robot_acts_or_says_what_it_misses(phase: Phase, mode: Mode) -> None:
    """Somebody has shuffled everything: cards lie in other places than the game thinks, or in the box."""
    game = game_in(phase, mode)
    for seed in range(12):
        bench, random = Bench(game), Random(seed)
        for card in [card for place in Place for card in bench.world.cards(place)]:
            if random.random() < 0.4:
                place = random.choice([Place.PILE, Place.HAND, Place.AWAY, Place.BOX])
                bench.world.put_away(card.number, place, random.randrange(mode.persons))
        with suppress(RobotError):
            bench.act()


@pytest.fixture
def twins() -> World:
    """A table on which the card that was put away last has the face of the pile's top."""
    world = World(lambda: 0.0)
    world.begin(DECK, ("Ann", "Ben"), 2, seed=3)
    top = world.cards(Place.PILE)[-1]
    twin = next(card for card in world.cards(Place.PILE) if card.face == top.face and card != top)
    world.put_away(twin.number, Place.AWAY)
    return world


def test_in_the_set_up_a_card_comes_from_the_top_of_the_pile(twins: World) -> None:
    top = twins.cards(Place.PILE)[-1]
    assert DealtCards(RobotHands(twins, 1)).find(top.face, new_game(Mode.TWO).state) == top.number


def test_the_card_that_was_shown_is_the_one_that_is_laid(twins: World) -> None:
    away = twins.cards(Place.AWAY)[-1]
    state = game_in(Phase.ACTING, automaton=True).state
    assert DealtCards(RobotHands(twins, 1)).find(away.face, state) == away.number


def test_people_lay_from_their_own_hands(twins: World) -> None:
    face, drawn = twins.cards(Place.PILE)[-1].face, twins.draw(1)
    state = replace(game_in(Phase.ACTING, Mode.TWO).state, active=1)
    assert DealtCards(RobotHands(twins, 1)).find(face, state) == drawn
