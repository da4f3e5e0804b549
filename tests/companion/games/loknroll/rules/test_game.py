"""Steps through a game: done, taken back and done again."""

import random
from collections.abc import Callable

import pytest

from companion.games.loknroll.rules import (
    Draw,
    Game,
    Impossible,
    Lay,
    Mode,
    Pass,
    Phase,
    Put,
    Roll,
    State,
    result,
)
from companion.games.loknroll.rules.clauses import CLAUSES
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import RandomPlayer

NewGame = Callable[..., Game]
Table = Callable[..., Game]
Do = Callable[..., State]


def test_checking_a_step_does_not_do_it(table: Table) -> None:
    game = table()
    before = game.state
    game.check(Draw())
    assert game.can(Draw())
    assert game.state is before
    assert game.steps == ()


def test_doing_a_step_leaves_earlier_states_as_they_were(table: Table, do: Do) -> None:
    game = table()
    before, text = game.state, repr(game.state)
    do(game, Draw(), Lay("track-1-right"), Roll((1,)))
    assert game.states[0] is before
    assert repr(before) == text
    assert game.steps == (Draw(), Lay("track-1-right"), Roll((1,)))
    assert len(game.states) == 4


def played(mode: Mode, edition: str, new_game: NewGame, seed: int, *, rails: bool) -> Game:
    game = new_game(mode, edition, rails=rails)
    for _ in Dealer(game, [RandomPlayer()] * mode.persons, random.Random(seed)).play():
        pass
    return game


def cards_everywhere(state: State) -> int:
    piles = sum(player.hand + len(player.pile) for player in state.players)
    lying = len(state.railway) + len(state.set_aside) + len(state.box) + len(state.taken) + (state.drawn is not None)
    return state.draw_pile + state.removed + piles + lying


GAMES = [
    (Mode.TWO, "german"),
    (Mode.THREE, "spanish"),
    (Mode.FOUR, "loose_caboose"),
    (Mode.SOLO, "online"),
    (Mode.SOLO_HARD, "german"),
    (Mode.BETSY, "german"),
]


@pytest.mark.rule("SET8", "END1", "MAT1")
@pytest.mark.parametrize(("mode", "edition"), GAMES)
def test_in_a_whole_game_no_card_is_lost_or_doubled(new_game: NewGame, mode: Mode, edition: str) -> None:
    game = played(mode, edition, new_game, 5, rails=False)
    assert result(game.state) is not None
    deck = game.state.setup.deck
    for state in game.states:
        assert cards_everywhere(state) == deck.size
        assert all(count <= deck[face].count for face, count in state.seen().items())


@pytest.mark.rule("END1", "TURN1", "SET8")
@pytest.mark.parametrize(("mode", "edition"), GAMES)
def test_a_whole_game_has_as_many_turns_as_the_draw_pile_had_cards(new_game: NewGame, mode: Mode, edition: str) -> None:
    game = played(mode, edition, new_game, 6, rails=False)
    begun = next(state for state in game.states if state.phase is Phase.DRAWING)
    draws = sum(isinstance(step, Draw) for step in game.steps)
    assert draws == begun.draw_pile - game.state.draw_pile
    assert game.state.draw_pile == 0 or game.state.is_lost


@pytest.mark.rule("PEN2", "LAY4")
@pytest.mark.parametrize(("mode", "edition"), GAMES)
def test_in_every_moment_emma_stands_on_the_railway_and_no_difference_is_2(
    new_game: NewGame, mode: Mode, edition: str
) -> None:
    game = played(mode, edition, new_game, 7, rails=True)
    for state in game.states:
        assert state.emma is None or 0 <= state.emma < len(state.railway)
    assert any(isinstance(step, Lay) for step in game.steps)
    for before, step, state in zip(game.states, game.steps, game.states[1:], strict=False):
        if isinstance(step, Lay):
            assert abs(before.railway.front.face.value - state.railway.front.face.value) != 2


class TestTakingBack:
    @pytest.mark.rule("TURN3")
    def test_the_last_step_is_as_if_it_had_never_been(self, table: Table, do: Do) -> None:
        game = table()
        do(game, Draw())
        before = game.state
        do(game, Lay("track-1-right"))
        assert game.take_back() is before
        assert game.steps == (Draw(),)

    @pytest.mark.rule("TURN3")
    def test_several_steps_across_turns(self, table: Table, do: Do) -> None:
        game = table("1 1 1 1", 2, Mode.THREE)
        start = game.state
        do(game, *[Draw(), Lay("track-1-right"), Roll((0,))] * 3)
        assert game.state.active == 0
        assert game.take_back(9) == start

    @pytest.mark.rule("PEN3", "CMB1", "PEN1")
    def test_cards_put_down_and_combined_come_back(self, table: Table, do: Do) -> None:
        game = table("1 2 3 b4", piles=["1"])
        start = game.state
        do(game, Draw(), Pass(), Put("track-1-straight", combine=True), Put("track-2-straight"), Draw())
        assert game.take_back(5) == start
        assert game.state.players[0].pile[0].value == 1
        assert len(game.state.railway) == 4

    @pytest.mark.rule("BET7", "BET3")
    def test_across_the_automatons_turns(self, table: Table, do: Do) -> None:
        game = table("2 2 1 1", 3, Mode.BETSY)
        start = game.state
        do(game, Draw("track-3-left"), Pass(), Draw(), Pass(), Put("track-2-straight"), Draw("chaos-2"))
        assert [len(player.pile) for player in game.state.players] == [1, 0]
        game.take_back()
        assert [len(player.pile) for player in game.state.players] == [1, 1]
        game.take_back(4)
        assert game.state.drawn.id == "track-3-left"
        game.take_back()
        assert game.state == start

    @pytest.mark.rule("END2", "SOLO2")
    def test_out_of_a_game_that_is_over(self, table: Table, do: Do) -> None:
        game = table("1 1 1 1", 3, Mode.SOLO_HARD, derailments=3)
        do(game, Draw(), Lay("track-2-right"), Roll((1, 1)))
        assert game.take_back().phase is Phase.BUILDING
        state = do(game, Roll((1, 0)))
        assert (state.phase, state.is_lost) == (Phase.DRAWING, False)

    @pytest.mark.parametrize("count", [-1, 0, 4, 100])
    def test_not_more_than_was_played(self, table: Table, do: Do, count: int) -> None:
        game = table()
        do(game, Draw(), Lay("track-1-right"), Roll((0,)))
        states, steps = game.states, game.steps
        with pytest.raises(Impossible) as refused:
            game.take_back(count)
        assert refused.value.code == "not-so-many-steps"
        assert refused.value.clause in CLAUSES
        assert "3" in refused.value.allowed
        assert (game.states, game.steps) == (states, steps)

    @pytest.mark.parametrize(("mode", "edition"), GAMES)
    def test_of_everything_and_all_of_it_again_gives_the_same_game(
        self, new_game: NewGame, mode: Mode, edition: str
    ) -> None:
        game = played(mode, edition, new_game, 8, rails=True)
        states, steps = game.states, game.steps
        assert game.take_back(len(steps)) == states[0] == new_game(mode, edition, rails=True).state
        assert game.steps == ()
        for step, state in zip(steps, states[1:], strict=True):
            assert game.do(step) == state

    @pytest.mark.parametrize(("mode", "edition"), GAMES)
    def test_now_and_then_makes_no_difference(self, new_game: NewGame, mode: Mode, edition: str) -> None:
        played_before = played(mode, edition, new_game, 9, rails=False)
        game = new_game(mode, edition)
        chance = random.Random(9)
        for step, state in zip(played_before.steps, played_before.states[1:], strict=True):
            assert game.do(step) == state
            back = chance.randint(1, len(game.steps)) if chance.random() < 0.2 else 0
            if back:
                game.take_back(back)
            for again in played_before.steps[len(game.steps) :][:back]:
                game.do(again)
        assert game.states == played_before.states
