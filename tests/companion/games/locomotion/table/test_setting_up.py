"""What lies there before a game: whether it can begin so, and what differs from what is wanted."""

import pytest
from msgspec.structs import replace

from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.rules import BadNetwork, Knobs, Mode, RuleError, State, load_piece
from companion.games.locomotion.table.looks import Axes
from companion.games.locomotion.table.setting_up import beginning, differences, lying_network
from companion.games.locomotion.wording import Wording
from companion.texts.language import LANGUAGES
from tests.companion.games.locomotion.rules.networks import LINE, game_on
from tests.companion.games.locomotion.table.sights import reading_of
from vision.watching.network_reading import NetworkReading, SeenPiece, SeenVehicle

T = load_piece("T")
RED, YELLOW, GREEN = ((colour, False) for colour in (1, 2, 3))
STATE = game_on(LINE, [(0, 0), (2, 0)], [[(4, 0), (5, 0)], [(6, 0), (7, 0)]]).state


def begun(reading: NetworkReading, colours: int = 2) -> State:
    network = lying_network(reading, T)
    return beginning(reading, network, ("Ann", "Ben"), colours, mode=Mode.SPEED, knobs=Knobs())


def said(error: RuleError) -> str:
    return " ".join(Wording("en").reason(error))


def objection(reading: NetworkReading) -> str:
    with pytest.raises(RuleError) as error:
        begun(reading)
    return said(error.value)


def wrong(reading: NetworkReading, axes: Axes | None = Axes()) -> list[str]:  # noqa: B008 - it never changes
    return [said(each) for each in differences(reading, axes, STATE)]


def test_a_game_begins_as_it_stands_there() -> None:
    state = begun(reading_of(STATE))
    assert state.setup.network == STATE.setup.network
    assert (state.stock.dots, state.setup.mode, state.drawn) == (STATE.stock.dots, Mode.SPEED, ())


def test_what_may_be_several_things_is_what_is_missing_else() -> None:
    reading = reading_of(STATE)
    vehicles = list(reading.vehicles)
    vehicles[4] = SeenVehicle(vehicles[4].dot, *RED, others=(GREEN, YELLOW))
    assert begun(replace(reading, vehicles=tuple(vehicles))).stock == STATE.stock


def test_a_locomotive_that_is_read_as_a_wagon_of_its_colour_is_the_one_that_is_missing() -> None:
    reading = reading_of(STATE)
    vehicles = (replace(seen, is_locomotive=seen.is_locomotive and seen.colour != 1) for seen in reading.vehicles)
    state = begun(replace(reading, vehicles=tuple(vehicles)))
    # Which of the three red ones it is cannot be known; that there is one can.
    assert state.stock.dots[1] == STATE.stock.dots[1]
    assert set(state.stock.dots) == set(STATE.stock.dots)


def test_what_is_no_set_up_is_told() -> None:
    reading, vehicles = reading_of(STATE), reading_of(STATE).vehicles
    assert objection(NetworkReading()) == "No network in sight. Lay the pieces where the camera sees all of them."
    assert objection(replace(reading, vehicles=vehicles[1:])) == "Red locomotive: missing. Put it on any free dot."
    more = (*vehicles, SeenVehicle((8, 0), *YELLOW))
    assert objection(replace(reading, vehicles=more)) == "Yellow wagon: one too many. Take it away."
    beside = (*vehicles, SeenVehicle((8, 4), *YELLOW))
    assert objection(replace(reading, vehicles=beside)) == "Vehicles off the dots: 1. Put each on a dot."
    other_colour = (*vehicles[:-1], SeenVehicle(vehicles[-1].dot, *GREEN))
    assert objection(replace(reading, vehicles=other_colour)) == "Green wagon: one too many. Take it away."


def test_pieces_that_are_no_network_are_named() -> None:
    with pytest.raises(BadNetwork) as error:
        lying_network(NetworkReading((SeenPiece((0, 0), "E"), SeenPiece((0, 1), "E"), SeenPiece((3, 0), "E"))), T)
    assert (error.value.clause, error.value.pieces) == ("LSET1", (1,))


def test_a_piece_of_which_only_the_cells_are_known_will_do_where_it_is_the_same_from_both_ends() -> None:
    pieces = (SeenPiece((0, 0), "E", is_sure=False), SeenPiece((3, 0), "E"))
    assert lying_network(NetworkReading(pieces), load_piece("X")).piece.name == "X"
    with pytest.raises(RuleError) as error:
        lying_network(NetworkReading(pieces), T)
    assert said(error.value) == "Do the pieces lie like this? Unsure: 1. If not, turn them on the page."


def test_what_differs_from_a_puzzle_is_told_piece_by_piece_and_dot_by_dot() -> None:
    reading = reading_of(STATE)
    assert wrong(reading) == []
    assert wrong(reading_of(STATE, {(4, 0): (3, 0)})) == ["Red wagon: 1 dot to the right. Put it there."]
    # What can be put on an empty dot comes first.
    both = wrong(reading_of(STATE, {(4, 0): (6, 0), (6, 0): (8, 0)}))
    assert both == ["Red wagon: 2 dots to the left. Put it there.", "Yellow wagon: 2 dots to the left. Put it there."]
    exchanged = wrong(reading_of(STATE, {(4, 0): (6, 0), (6, 0): (4, 0)}))
    assert exchanged == [*both[:1], "Yellow wagon: 2 dots to the right. Put it there."]
    assert wrong(replace(reading, vehicles=reading.vehicles[1:])) == ["Red locomotive: missing. Put it on its dot."]
    turned = (SeenPiece((2, 0), "W"), *reading.pieces[1:-1], SeenPiece((6, 1), "E"))
    assert wrong(replace(reading, pieces=turned)) == [
        "A piece lies the wrong way round. Turn the marked one round.",
        "Pieces too many: 1. Take the marked one away.",
        "Pieces missing: 1. Lay one at the mark.",
    ]


def test_while_a_network_cannot_be_recognised_it_is_told_what_is_still_missing() -> None:
    reading = reading_of(STATE)
    assert wrong(replace(reading, pieces=reading.pieces[:1]), None)[0].startswith("Pieces missing: 2.")
    assert wrong(reading, None) == ["This is another network. Lay it as shown on the map."]


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_far_it_is_moved_is_said_in_every_language(language: str) -> None:
    network = named_networks()["pinwheel"].network()
    state = game_on([(placed.cell, placed.heading) for placed in network.pieces], [(2, 0)], [[(1, 3)], [(-2, 2)]]).state
    (error,) = differences(reading_of(state, {(1, 3): (0, 0)}), Axes(), state)
    assert (
        Wording(language).reason(error)[0]
        == {
            "en": "Red wagon: 1 dot to the right, 3 dots down.",
            "de": "Roter Wagen: 1 Punkt nach rechts, 3 nach unten.",
            "es": "Vagón rojo: 1 punto a la derecha, 3 abajo.",
        }[language]
    )
