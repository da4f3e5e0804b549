"""The set-up: the initial railway, cards set aside, cards removed, hands, and who begins."""

from collections.abc import Callable

import pytest

from companion.games.loknroll.rules import (
    Begin,
    Draw,
    Game,
    IllegalPlacement,
    Impossible,
    Lay,
    Mode,
    NotAllowed,
    NotNow,
    Pass,
    Phase,
    Put,
    RuleError,
    SetAside,
    StartCard,
    State,
    load_edition,
    set_up,
)
from companion.games.loknroll.rules.setting_up import layer
from vision.cards import Pose, standard_deck

NewGame = Callable[..., Game]
Table = Callable[..., Game]
Do = Callable[..., State]
Row = Callable[..., str]


def pass_turn(game: Game) -> None:
    drawn = next(face for face in game.state.unseen() if face.startswith("track"))
    game.do(Draw(drawn if game.state.is_automatons_turn else None))
    game.do(Pass())
    while game.state.phase is Phase.PUTTING:
        game.do(Put(game.state.taken[0].id))


FOUR = [StartCard(f"track-{value}-straight") for value in (1, 2, 3, 4)]


@pytest.mark.rule("SET1")
def test_at_first_all_cards_are_in_the_draw_pile_unseen(new_game: NewGame) -> None:
    state = new_game().state
    assert state.draw_pile == 55
    assert state.unseen().total() == 55
    assert not state.seen()


@pytest.mark.rule("SET1", "SET2")
def test_each_card_of_the_initial_railway_leaves_the_draw_pile(new_game: NewGame, do: Do) -> None:
    state = do(new_game(), *FOUR)
    assert state.draw_pile == 51
    assert [face.value for face in state.railway.faces] == [1, 2, 3, 4]


@pytest.mark.rule("SET2")
@pytest.mark.parametrize(
    ("mode", "layers"),
    [
        (Mode.TWO, [0, 1, 0, 1]),
        (Mode.THREE, [0, 1, 2, 0]),
        (Mode.FOUR, [0, 1, 2, 3]),
        (Mode.SOLO, [0, 0, 0, 0]),
        (Mode.SOLO_HARD, [0, 0, 0, 0]),
        (Mode.BETSY, [0, 0, 0, 0]),
    ],
)
def test_the_people_lay_the_initial_railway_in_turn(new_game: NewGame, mode: Mode, layers: list[int]) -> None:
    game = new_game(mode)
    told = []
    for step in FOUR:
        told.append(layer(game.state))
        game.do(step)
    assert told == layers


@pytest.mark.rule("SET2", "SET3")
def test_who_draws_a_chaos_card_draws_another(new_game: NewGame, do: Do) -> None:
    game = new_game(Mode.TWO)
    do(game, FOUR[0])
    before = layer(game.state)
    do(game, SetAside("chaos-1"))
    assert layer(game.state) == before == 1


@pytest.mark.rule("SET2")
@pytest.mark.parametrize("laid", [0, 1, 2, 3])
def test_nobody_begins_before_4_cards_lie(new_game: NewGame, do: Do, laid: int) -> None:
    game = new_game()
    do(game, *FOUR[:laid])
    with pytest.raises(NotNow) as refused:
        game.do(Begin(0))
    assert refused.value.clause == "SET2"


@pytest.mark.rule("SET2")
@pytest.mark.parametrize("step", [StartCard("track-1-left"), SetAside("chaos-1"), Draw(), Pass()])
def test_after_4_cards_the_initial_railway_is_done(new_game: NewGame, do: Do, step: StartCard) -> None:
    game = new_game()
    do(game, *FOUR)
    with pytest.raises(NotNow) as refused:
        game.do(step)
    assert "begin" in refused.value.allowed


@pytest.mark.rule("SET2")
@pytest.mark.parametrize("names", [[], ["Ann"], ["Ann", "Ben", "Cem"]])
def test_each_person_has_a_name(names: list[str]) -> None:
    edition = load_edition("german")
    with pytest.raises(NotAllowed) as refused:
        set_up(edition, standard_deck(edition.deck), Mode.TWO, names)
    assert (refused.value.clause, refused.value.code) == ("SET2", "names")


@pytest.mark.rule("SET3")
def test_a_chaos_card_cannot_be_part_of_the_railway(new_game: NewGame) -> None:
    game = new_game()
    with pytest.raises(NotAllowed) as refused:
        game.do(StartCard("chaos-2"))
    assert (refused.value.clause, refused.value.code) == ("SET3", "starting-chaos")


@pytest.mark.rule("SET3")
def test_all_five_chaos_cards_may_come_first(new_game: NewGame, do: Do, row: Row) -> None:
    chaos = [SetAside(f"chaos-{value}") for value in (4, 4, 3, 2, 1)]
    state = do(new_game(), *chaos, *FOUR)
    assert row(state.set_aside) == "c4 c4 c3 c2 c1"
    assert state.draw_pile == 46


@pytest.mark.rule("SET3", "SET8")
def test_cards_set_aside_go_back_into_the_pile(new_game: NewGame, do: Do) -> None:
    game = new_game()
    state = do(game, FOUR[0], SetAside("chaos-1"), *FOUR[1:], Begin(0))
    assert state.set_aside == ()
    assert state.draw_pile == 36
    assert state.unseen()["chaos-1"] == 1


@pytest.mark.rule("SET3")
def test_a_track_card_that_can_be_laid_is_not_set_aside(new_game: NewGame, do: Do) -> None:
    game = new_game(rails=True)
    do(game, StartCard("track-1-straight", Pose(0, 0)))
    with pytest.raises(NotAllowed) as refused:
        game.do(SetAside("track-3-left"))
    assert (refused.value.clause, refused.value.code) == ("SET3", "set-aside-fits")


@pytest.mark.rule("SET3", "SET4")
def test_a_track_card_that_cannot_be_laid_is_set_aside(new_game: NewGame, do: Do, row: Row) -> None:
    game = new_game(rails=True, setup_difference_rule=True)
    state = do(game, StartCard("track-1-straight", Pose(0, 0)), SetAside("track-3-left"))
    assert row(state.set_aside) == "3"


@pytest.mark.rule("SET3")
def test_without_rails_people_say_whether_a_track_card_finds_a_place(new_game: NewGame, do: Do, row: Row) -> None:
    game = new_game()
    assert not game.can(SetAside("track-2-left"))
    assert row(do(game, FOUR[0], SetAside("track-2-left")).set_aside) == "2"


@pytest.mark.rule("SET3")
def test_more_cards_than_the_deck_has_cannot_be_set_aside(new_game: NewGame, do: Do) -> None:
    game = new_game()
    do(game, SetAside("chaos-1"))
    with pytest.raises(Impossible) as refused:
        game.do(SetAside("chaos-1"))
    assert (refused.value.clause, refused.value.code) == ("MAT1", "no-more-of-it")


@pytest.mark.rule("SET4")
@pytest.mark.parametrize(("first", "second"), [(1, 3), (3, 1), (2, 4), (4, 2)])
def test_the_difference_rule_does_not_hold_for_the_initial_railway(
    new_game: NewGame, do: Do, first: int, second: int
) -> None:
    state = do(new_game(), StartCard(f"track-{first}-left"), StartCard(f"track-{second}-left"))
    assert [face.value for face in state.railway.faces] == [first, second]


@pytest.mark.rule("SET4")
@pytest.mark.parametrize("first", [1, 2, 3, 4])
@pytest.mark.parametrize("second", [1, 2, 3, 4])
def test_in_the_spanish_edition_it_does(new_game: NewGame, do: Do, first: int, second: int) -> None:
    game = new_game(edition="spanish")
    do(game, StartCard(f"track-{first}-left"))
    assert game.can(StartCard(f"track-{second}-right")) is (abs(first - second) != 2)


@pytest.mark.rule("SET4", "LAY4")
def test_the_spanish_objection_names_the_difference_rule(new_game: NewGame, do: Do) -> None:
    game = new_game(edition="spanish")
    do(game, StartCard("track-1-left"))
    with pytest.raises(IllegalPlacement) as refused:
        game.do(StartCard("track-3-left"))
    assert (refused.value.clause, refused.value.between) == ("LAY4", (0,))


@pytest.mark.rule("SET4")
def test_cards_of_different_values_may_follow_each_other_in_the_initial_railway(new_game: NewGame, do: Do) -> None:
    assert len(do(new_game(edition="spanish"), *FOUR).railway) == 4


@pytest.mark.rule("SET4", "LAY2")
def test_in_the_initial_railway_rails_must_meet(new_game: NewGame, do: Do) -> None:
    game = new_game(rails=True)
    do(game, StartCard("track-1-straight", Pose(0, 0)))
    with pytest.raises(IllegalPlacement) as refused:
        game.do(StartCard("track-1-straight", Pose(75.5, 0, 90)))
    assert refused.value.clause == "LAY2"


@pytest.mark.rule("SET4", "LAY3")
def test_in_the_initial_railway_cards_must_not_overlap(new_game: NewGame, do: Do) -> None:
    game = new_game(rails=True)
    do(
        game,
        StartCard("track-1-left", Pose(0, -44, 0)),
        StartCard("track-1-left", Pose(-75.5, -44, 270)),
        StartCard("track-1-left", Pose(-75.5, 31.5, 180)),
    )
    with pytest.raises(IllegalPlacement) as refused:
        game.do(StartCard("track-2-left", Pose(-12.5, 31.5, 0)))
    assert (refused.value.clause, refused.value.between) == ("LAY3", (0,))


@pytest.mark.rule("SET4", "LAY5")
def test_the_initial_railway_may_be_a_loop_even_where_loops_are_forbidden(new_game: NewGame, do: Do) -> None:
    game = new_game(rails=True, loops="forbidden", dead_end="forbid")
    state = do(
        game,
        StartCard("track-1-left", Pose(0, -44, 0)),
        StartCard("track-1-left", Pose(-75.5, -44, 270)),
        StartCard("track-1-left", Pose(-75.5, 31.5, 180)),
        StartCard("track-2-left", Pose(0, 31.5, 90)),
    )
    assert len(state.railway) == 4


@pytest.mark.rule("SET4")
def test_the_second_card_may_join_either_end_of_the_first(new_game: NewGame, do: Do) -> None:
    game = new_game(rails=True)
    do(game, StartCard("track-1-straight", Pose(0, 0)))
    above, below = StartCard("track-1-straight", Pose(0, -88)), StartCard("track-1-straight", Pose(0, 88))
    assert game.can(above)
    do(game, below)
    assert not game.can(above)


@pytest.mark.rule("SET5")
@pytest.mark.parametrize("mode", list(Mode))
def test_emma_starts_on_the_third_card_laid_with_the_fourth_before_her(new_game: NewGame, do: Do, mode: Mode) -> None:
    game = new_game(mode, automaton_starts=False)
    assert game.state.emma is None
    state = do(game, *FOUR, Begin(0))
    assert state.emma == 2
    assert state.railway.faces[state.emma].value == 3
    assert state.railway.front.face.value == 4


@pytest.mark.rule("SET5")
def test_nobody_may_turn_emma_round(new_game: NewGame, do: Do) -> None:
    game = new_game()
    do(game, *FOUR)
    with pytest.raises(NotAllowed) as refused:
        game.do(Begin(0, reverse=True))
    assert (refused.value.clause, refused.value.code) == ("SET5", "direction")


@pytest.mark.rule("SET6", "SET8")
@pytest.mark.parametrize(
    ("mode", "removed", "left"),
    [
        (Mode.TWO, 11, 36),
        (Mode.THREE, 9, 36),
        (Mode.FOUR, 7, 36),
        (Mode.SOLO, 11, 38),
        (Mode.SOLO_HARD, 11, 38),
        (Mode.BETSY, 11, 38),
    ],
)
def test_cards_removed_unseen_and_cards_left(new_game: NewGame, do: Do, mode: Mode, removed: int, left: int) -> None:
    game = new_game(mode, automaton_starts=False)
    state = do(game, *FOUR, Begin(0))
    assert state.removed == removed
    assert state.draw_pile == left
    assert state.box == ()
    assert state.unseen().total() == 51


@pytest.mark.rule("SET7")
@pytest.mark.parametrize("mode", [Mode.TWO, Mode.THREE, Mode.FOUR, Mode.SOLO, Mode.SOLO_HARD])
def test_each_person_starts_with_two_cards(new_game: NewGame, do: Do, mode: Mode) -> None:
    state = do(new_game(mode), *FOUR, Begin(0))
    assert [player.hand for player in state.players] == [2] * mode.persons
    assert all(player.pile == () for player in state.players)


@pytest.mark.rule("SET7", "BET1")
def test_betsy_gets_no_cards(new_game: NewGame, do: Do) -> None:
    state = do(new_game(Mode.BETSY), *FOUR, Begin(1))
    assert [player.hand for player in state.players] == [2, 0]
    assert state.setup.names == ("Ann", "Betsy")


@pytest.mark.rule("SET9", "TURN1")
@pytest.mark.parametrize("mode", [Mode.TWO, Mode.THREE, Mode.FOUR])
def test_any_person_may_begin(new_game: NewGame, do: Do, mode: Mode) -> None:
    for starter in range(mode.persons):
        state = do(new_game(mode), *FOUR, Begin(starter))
        assert state.active == starter
        assert state.phase is Phase.DRAWING


@pytest.mark.rule("SET9")
@pytest.mark.parametrize(("mode", "starter"), [(Mode.TWO, 2), (Mode.TWO, -1), (Mode.FOUR, 4), (Mode.SOLO, 1)])
def test_nobody_else_can_begin(new_game: NewGame, do: Do, mode: Mode, starter: int) -> None:
    game = new_game(mode)
    do(game, *FOUR)
    with pytest.raises(NotAllowed) as refused:
        game.do(Begin(starter))
    assert (refused.value.clause, refused.value.code) == ("SET9", "starter")


@pytest.mark.rule("SET9")
@pytest.mark.parametrize(("automaton_starts", "starter"), [(True, 1), (False, 0)])
@pytest.mark.parametrize("edition", ["german", "spanish", "online"])
def test_against_betsy_the_knob_says_who_begins(
    new_game: NewGame, do: Do, edition: str, automaton_starts: bool, starter: int
) -> None:
    game = new_game(Mode.BETSY, edition, automaton_starts=automaton_starts)
    do(game, *(StartCard("track-1-straight") for _ in range(4)))
    with pytest.raises(RuleError) as refused:
        game.do(Begin(1 - starter))
    assert refused.value.clause == "SET9"
    assert str(starter + 1) in refused.value.allowed
    assert do(game, Begin(starter)).active == starter


@pytest.mark.rule("SET9", "SET8")
def test_when_betsy_begins_both_have_19_turns_and_the_person_the_last_one(table: Table, do: Do) -> None:
    game = table("1 1 1 1", 2, Mode.BETSY)
    turns = []
    while game.state.draw_pile:
        turns.append(game.state.active)
        pass_turn(game)
    assert turns.count(0) == turns.count(1) == 19
    assert turns[-1] == 0


@pytest.mark.rule("SET3", "MAT1")
def test_a_card_that_was_set_aside_can_be_laid_later(new_game: NewGame, do: Do) -> None:
    game = new_game(rails=False)
    do(game, FOUR[0], SetAside("broken-4"), *FOUR[1:], Begin(0), Draw())
    assert game.can(Lay("broken-4"))
