"""Why a table cannot have come about, in a few words."""

import pytest
from msgspec.structs import replace

from companion.games.locomotion.rules import ChooseSpeed, Couple, Dot, EndTurn, Game, Knobs, Mode, Roll, Uncouple
from companion.games.locomotion.rules.state import Behind
from companion.games.locomotion.table.explanation import explained
from companion.games.locomotion.table.seen import Seen, seen_by
from companion.games.locomotion.table.ways import ways
from companion.games.locomotion.wording import Wording
from companion.texts.language import LANGUAGES
from tests.companion.games.locomotion.rules.networks import LINE, TURNOUT, game_on, rolled
from tests.companion.games.locomotion.table.sights import reading_of, seen_in
from vision.watching.network_reading import SeenVehicle

WAGONS = [[(4, 0)], [(5, 0)]]


def at_speed(speed: int) -> Game:
    game = game_on(LINE, [(0, 0)], WAGONS, mode=Mode.SPEED)
    game.do(ChooseSpeed(speed))
    return game


def with_its_back_to_the_east() -> Game:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(0, 0)]], knobs=Knobs(behind=Behind.BACK_ONLY)))
    for step in (Couple(1), Uncouple(1), EndTurn(), Roll(6)):
        game.do(step)
    return game


def beside_a_cut() -> Game:
    game = rolled(game_on(LINE, [(3, 0)], [[(5, 0)], [(4, 0)]]))
    for step in (Couple(2), Couple(1), Uncouple(2), EndTurn(), Roll(3)):
        game.do(step)
    return game


def of_two() -> Game:
    return rolled(game_on(LINE, [(1, 0), (8, 0)], [[(2, 0), (3, 0)], [(5, 0), (6, 0)]]))


def said(game: Game, seen: Seen, language: str = "en") -> tuple[str, str]:
    assert not ways(game.state, seen)
    return Wording(language).reason(explained(game.state, seen))


@pytest.mark.parametrize(
    ("game", "moved", "words"),
    [
        (rolled(game_on(LINE, [(0, 0)], WAGONS), 2), {(0, 0): (3, 0)}, "3 steps, but only 2 left."),
        (at_speed(3), {(0, 0): (2, 0)}, "2 of 3 steps so far."),
        (at_speed(1), {(0, 0): (2, 0)}, "2 steps, but only 1 left."),
        (rolled(game_on(TURNOUT, [(2, 0)], WAGONS), 3), {(2, 0): (1, 1)}, "Red locomotive: corner, not arc."),
        (rolled(game_on(LINE, [(3, 0)], WAGONS)), {(3, 0): (6, 0)}, "Red wagon: in the way."),
        (
            rolled(game_on(LINE, [(2, 0)], WAGONS, knobs=Knobs(reverse_in_turn=False))),
            {(2, 0): (1, 0), (4, 0): (2, 0)},
            "The train changed direction.",
        ),
        (
            with_its_back_to_the_east(),
            {(3, 0): (2, 0), (0, 0): (1, 0)},
            "Yellow wagon: at the front.",
        ),
        (of_two(), {(1, 0): (0, 0), (2, 0): (1, 0), (3, 0): (2, 0)}, "Red wagon: twice in the train."),
        (beside_a_cut(), {(4, 0): (6, 0)}, "Yellow wagon: moved on its own."),
        (of_two(), {(8, 0): (7, 0)}, "Yellow locomotive: not your train."),
        (of_two(), {(1, 0): (0, 0), (6, 0): (7, 0)}, "Yellow wagon: moved on its own."),
        (of_two(), {(1, 0): (4, 0), (2, 0): (7, 0)}, "Red locomotive: no way to get there."),
    ],
)
def test_an_impossible_table_is_named(game: Game, moved: dict[Dot, Dot], words: str) -> None:
    assert said(game, seen_in(game.state, moved))[0] == words


def test_how_to_put_it_back_is_told_in_dots() -> None:
    game = of_two()
    seen = seen_in(game.state, {(8, 0): (7, 0)})
    assert [said(game, seen, language)[1] for language in LANGUAGES] == [
        "Back: 1 dot to the right.",
        "Zurück: 1 Punkt nach rechts.",
        "Devuélvelo: 1 punto a la derecha.",
    ]


def test_what_is_not_on_the_network_or_too_much_is_told() -> None:
    game = of_two()
    reading, setup = reading_of(game.state), game.state.setup
    rest = tuple(vehicle for vehicle in reading.vehicles if vehicle.dot != (5, 0))
    more = (*reading.vehicles, SeenVehicle((7, 0), 1, is_locomotive=False))
    assert said(game, seen_by(replace(reading, vehicles=rest), setup))[0] == "Yellow wagon: missing."
    assert said(game, seen_by(replace(reading, vehicles=rest, stray=1), setup))[0] == "Vehicles off the dots: 1."
    assert said(game, seen_by(replace(reading, vehicles=more), setup))[0] == "Red wagon: one too many."
