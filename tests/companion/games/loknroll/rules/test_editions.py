"""Editions and their knobs; Loose Caboose, which plays otherwise in several ways."""

from collections import Counter
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
    Pass,
    Put,
    Roll,
    StartCard,
    State,
    edition_names,
    load_edition,
    with_knobs,
)
from companion.games.loknroll.rules.errors import BadEdition, UnknownEdition
from vision.cards import Kind, Pose, standard_deck

NewGame = Callable[..., Game]
Table = Callable[..., Game]
Do = Callable[..., State]
Row = Callable[..., str]
Laid = list[tuple[str, Pose]]

THREE = [StartCard(f"track-{value}-straight") for value in (1, 2, 3)]


def test_the_editions() -> None:
    assert edition_names() == ("german", "loose_caboose", "online", "spanish")


@pytest.mark.parametrize("name", ["german", "loose_caboose", "online", "spanish"])
def test_each_edition_names_a_deck_of_its_size(name: str) -> None:
    edition = load_edition(name)
    assert standard_deck(edition.deck).size == edition.cards


@pytest.mark.parametrize("name", ["english", "", "../german", "German"])
def test_an_unknown_edition_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UnknownEdition, match="german, loose_caboose, online, spanish"):
        load_edition(name)


@pytest.mark.rule("SET4")
def test_only_the_spanish_initial_railway_keeps_the_difference_rule() -> None:
    assert {name: load_edition(name).setup_difference_rule for name in edition_names()} == {
        "german": False,
        "online": False,
        "spanish": True,
        "loose_caboose": False,
    }


@pytest.mark.rule("PASS4", "SET9", "LAY5")
@pytest.mark.parametrize("name", ["german", "spanish", "online"])
def test_the_defaults_of_the_knobs(name: str) -> None:
    edition = load_edition(name)
    assert edition.broken_on_pass
    assert edition.automaton_starts
    assert edition.dead_end == "warn"
    assert edition.loops == "allowed"


@pytest.mark.rule("SET7")
def test_the_spanish_automaton_is_called_laura(new_game: NewGame) -> None:
    assert new_game(Mode.BETSY, "spanish").state.setup.names == ("Ann", "Laura")


@pytest.mark.parametrize(
    ("knob", "text", "value"),
    [
        ("dead_end", "forbid", "forbid"),
        ("loops", "forbidden", "forbidden"),
        ("setup_difference_rule", "true", True),
        ("broken_on_pass", "false", False),
        ("start_cards", "6", 6),
        ("title", "Ours", "Ours"),
    ],
)
def test_a_knob_is_set_by_its_text(knob: str, text: str, value: object) -> None:
    edition = load_edition("german")
    changed = with_knobs(edition, {knob: text})
    assert getattr(changed, knob) == value
    assert getattr(edition, knob) != value


@pytest.mark.parametrize(
    ("knob", "text"),
    [("dead_end", "maybe"), ("broken_on_pass", "perhaps"), ("start_cards", "four"), ("die", "1"), ("colour", "red")],
)
def test_a_knob_that_is_unknown_or_cannot_be_so_is_refused(knob: str, text: str) -> None:
    with pytest.raises(BadEdition, match="knob"):
        with_knobs(load_edition("german"), {knob: text})


@pytest.mark.rule("SOLO2")
def test_the_number_of_derailments_is_a_knob(table: Table, do: Do) -> None:
    game = table("1 1 1 1", 3, Mode.SOLO_HARD, most_derailments=0)
    assert do(game, Draw(), Lay("track-2-right"), Roll((1, 1))).is_lost


@pytest.fixture
def caboose(table: Table) -> Table:
    """A game of Loose Caboose."""

    def build(railway: str | Laid = "1 1 1", emma: int = 1, mode: Mode = Mode.TWO, **more: object) -> Game:
        return table(railway, emma, mode, edition="loose_caboose", **more)

    return build


@pytest.mark.rule("MAT1", "MAT4")
def test_loose_caboose_has_50_cards_and_no_chaos() -> None:
    deck = standard_deck(load_edition("loose_caboose").deck)
    assert Counter(card.kind for card in deck.cards()) == {Kind.TRACK: 46, Kind.BROKEN: 4}


@pytest.mark.rule("MAT1")
def test_loose_caboose_knows_no_chaos_card(new_game: NewGame) -> None:
    with pytest.raises(Impossible) as refused:
        new_game(edition="loose_caboose").do(StartCard("chaos-1"))
    assert refused.value.code == "unknown-card"


@pytest.mark.rule("SET6")
@pytest.mark.parametrize("mode", list(Mode))
def test_loose_caboose_is_for_two_to_four(new_game: NewGame, mode: Mode) -> None:
    if mode in {Mode.TWO, Mode.THREE, Mode.FOUR}:
        assert len(new_game(mode, "loose_caboose").state.players) == mode.persons
        return
    with pytest.raises(NotAllowed) as refused:
        new_game(mode, "loose_caboose")
    assert (refused.value.clause, refused.value.code) == ("SET6", "mode")
    assert "2, 3, 4" in refused.value.allowed


@pytest.mark.rule("SET2", "SET6", "SET8")
@pytest.mark.parametrize(("mode", "removed"), [(Mode.TWO, 13), (Mode.THREE, 11), (Mode.FOUR, 7)])
def test_loose_caboose_starts_with_3_cards_and_removes_some(
    new_game: NewGame, do: Do, mode: Mode, removed: int
) -> None:
    state = do(new_game(mode, "loose_caboose"), *THREE, Begin(0))
    assert len(state.railway) == 3
    assert state.removed == removed
    assert state.draw_pile == 50 - 3 - removed - 2 * mode.persons


@pytest.mark.rule("SET5")
@pytest.mark.parametrize(("reverse", "railway"), [(False, "1 2 3"), (True, "3 2 1")])
def test_in_loose_caboose_the_direction_is_chosen_and_emma_starts_in_the_middle(
    new_game: NewGame, do: Do, row: Row, reverse: bool, railway: str
) -> None:
    state = do(new_game(edition="loose_caboose"), *THREE, Begin(0, reverse))
    assert row(state.railway.faces) == railway
    assert row([state.railway.faces[state.emma]]) == "2"


@pytest.mark.rule("SET5")
@pytest.mark.parametrize(("reverse", "before_her"), [(False, 1), (True, 2)])
def test_emma_stays_on_her_card_when_she_is_turned_round(
    caboose: Table, row: Row, reverse: bool, before_her: int
) -> None:
    state = caboose("1 2 3 4", 2, reverse=reverse).state
    assert row([state.railway.faces[state.emma]]) == "3"
    assert len(state.railway) - 1 - state.emma == before_her


@pytest.mark.rule("SET5", "LAY2")
@pytest.mark.parametrize(("reverse", "place"), [(False, Pose(0, -308)), (True, Pose(0, 44))])
def test_the_railway_grows_where_emma_is_bound_for(
    caboose: Table, do: Do, column: Laid, reverse: bool, place: Pose
) -> None:
    game = caboose(column[:3], reverse=reverse)
    do(game, Draw())
    places = [Pose(0, -308), Pose(0, 44)]
    assert [pose for pose in places if game.can(Lay("track-2-straight", pose))] == [place]


@pytest.mark.rule("SET5", "PEN1")
def test_turned_round_penalty_cards_come_from_the_other_end(caboose: Table, do: Do, row: Row) -> None:
    state = do(caboose("1 2 3", reverse=True), Draw(), Pass())
    assert row(state.taken) == "3"
    assert row([state.railway.faces[state.emma]]) == "1"


@pytest.mark.rule("ROLL1")
@pytest.mark.parametrize("laid", [["track-2-right"], ["track-2-right", "track-2-left", "broken-2"]])
def test_in_loose_caboose_the_value_gives_the_dice_once_however_many_are_laid(
    caboose: Table, do: Do, laid: list[str]
) -> None:
    game = caboose()
    do(game, Draw(), *(Lay(face) for face in laid))
    assert game.can(Roll((0, 0)))
    assert not game.can(Roll((0,) * 6 if len(laid) > 1 else (0,)))


@pytest.mark.rule("MAT3", "ROLL2")
@pytest.mark.parametrize(("dice", "moved"), [((0, 0), 0), ((0, 1), 1), ((2, 0), 2), ((2, 1), 3), ((2, 2), 4)])
def test_its_dice_show_0_1_or_2_wheels(caboose: Table, do: Do, dice: tuple[int, int], moved: int) -> None:
    assert Counter(load_edition("loose_caboose").die) == {0: 2, 1: 2, 2: 2}
    state = do(caboose("1 1 1 1", 0), Draw(), Lay("track-2-right"), Roll(dice))
    assert state.outcome.moved == moved
    assert state.outcome.missing == 0


@pytest.mark.rule("MAT3")
def test_its_dice_show_no_3(caboose: Table, do: Do) -> None:
    game = caboose()
    do(game, Draw(), Lay("track-2-right"))
    with pytest.raises(NotAllowed) as refused:
        game.do(Roll((3, 0)))
    assert "0, 1, 2" in refused.value.allowed


@pytest.mark.rule("DER1")
def test_a_double_wheel_over_the_end_costs_each_step_left(caboose: Table, do: Do, row: Row) -> None:
    game = caboose("1 2 3")
    state = do(game, Draw(), Lay("track-2-right"), Roll((2, 2)))
    assert (state.outcome.moved, state.outcome.missing) == (2, 2)
    assert row(state.taken) == "1 2"
    assert do(game, Put("track-2-straight"), Put("track-1-straight")).active == 1


@pytest.mark.rule("LAY5")
def test_loose_caboose_forbids_loops(caboose: Table, do: Do, almost_a_loop: Laid, closing: Pose) -> None:
    game = caboose(almost_a_loop)
    do(game, Draw())
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay("track-2-left", closing))
    assert (refused.value.clause, refused.value.code) == ("LAY5", "loop")


@pytest.mark.rule("LAY5")
@pytest.mark.parametrize("reverse", [False, True])
def test_also_when_the_railway_was_turned_round(caboose: Table, do: Do, almost_a_loop: Laid, reverse: bool) -> None:
    game = caboose(almost_a_loop, 2, reverse=reverse)
    do(game, Draw())
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay("track-2-left", Pose(0, 31.5, 90)))
    assert (refused.value.clause, refused.value.code) == ("LAY5", "loop")


@pytest.mark.parametrize(
    "knobs",
    [{"start_cards": "2"}, {"start_cards": "0"}, {"hand_cards": "40"}, {"hand_cards": "-1"}, {"cards": "-1"}],
    ids=str,
)
def test_knobs_that_contradict_each_other_are_refused(knobs: dict[str, str]) -> None:
    with pytest.raises(BadEdition):
        with_knobs(load_edition("german"), knobs)
