"""How the eye's axes are found beside those of a network that is known."""

from random import Random

import pytest
from msgspec.structs import replace

from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.rules import Network, PlacedPiece, Side
from companion.games.locomotion.table.looks import Axes, look_of, looks_of, other_headings
from companion.games.locomotion.table.registration import registered
from tests.companion.games.locomotion.rules.networks import PINWHEEL, game_on, network
from tests.companion.games.locomotion.rules.random_networks import random_network
from tests.companion.games.locomotion.table.sights import reading_of
from vision.watching.network_reading import NetworkReading, SeenPiece

QUARTER = Axes(Side.S, (5, -2))
"""Some other axes."""


def pieces_of(network: Network) -> tuple[SeenPiece, ...]:
    return tuple(SeenPiece(placed.cell, placed.heading) for placed in network.pieces)


def unsure(seen: SeenPiece, laid: Network) -> SeenPiece:
    """The same cells, and perhaps the wrong way round."""
    others = other_headings(laid.piece, PlacedPiece(seen.cell, seen.heading))
    return SeenPiece(others[0].cell, others[0].heading, is_sure=False) if others else replace(seen, is_sure=False)


def lies_right(axes: Axes, network: Network, told: Axes) -> bool:
    """Whether all pieces lie as in the network, when what was told by some axes is taken back by others."""
    looks = [look_of(network.piece, placed).moved(told).moved(axes) for placed in network.pieces]
    wanted = looks_of(network)
    return all(look.cells in wanted and look.is_like(wanted[look.cells]) for look in looks)


@pytest.mark.parametrize("shape", "TXD")
def test_the_axes_are_found_though_some_pieces_are_hidden_misread_or_unsure(shape: str) -> None:
    random = Random(shape)
    for count in (3, 6, 9):
        laid = random_network(random, shape, count)
        told = Axes(Side(random.randrange(4)), (random.randint(-9, 9), random.randint(-9, 9)))
        pieces = list(told.reading(NetworkReading(pieces_of(laid))).pieces)
        seen = random.sample(pieces, len(pieces) - count // 4)
        for place in random.sample(range(len(seen)), count // 4):
            seen[place] = unsure(seen[place], laid)
        for place in random.sample(range(len(seen)), count // 8):
            x, y = seen[place].cell
            seen[place] = replace(seen[place], cell=(x, y + 1), heading="ESWN"[random.randrange(4)])
        axes = registered(NetworkReading(tuple(seen)), laid)
        assert axes is not None
        assert lies_right(axes, laid, told)


def test_another_network_is_none() -> None:
    named = named_networks()
    lying = NetworkReading(pieces_of(named["old-town"].network()))
    assert registered(lying, network(PINWHEEL)) is None
    assert registered(lying, named["bridge"].network()) is None


def test_what_fits_in_several_places_is_none() -> None:
    laid = named_networks()["key"].network()
    assert registered(NetworkReading(pieces_of(laid)[:1]), laid) is None


def test_on_a_network_with_four_alike_sides_the_vehicles_tell() -> None:
    state = game_on(PINWHEEL, [(2, 0)], [[(1, 3)], [(-2, 2)]]).state
    reading, laid = QUARTER.reading(reading_of(state)), state.setup.network
    axes = registered(reading, laid, state)
    assert axes is not None
    assert axes.reading(reading).vehicles == reading_of(state).vehicles


def test_there_the_axes_stay_while_trains_move_until_all_stands_right_in_others() -> None:
    state = game_on(PINWHEEL, [(2, 0)], [[(1, 3)], [(-2, 2)]]).state
    reading, laid = QUARTER.reading(reading_of(state)), state.setup.network
    first = registered(reading, laid, state)
    # The locomotive takes red along: now more stands right when all is turned.
    later = QUARTER.reading(reading_of(state, {(2, 0): (-1, -1), (1, 3): (0, 0), (-2, 2): (2, 0)}))
    assert registered(later, laid, state, first) == first
    begun_anew = Axes(Side.W).reading(reading)
    axes = registered(begun_anew, laid, state, first)
    assert axes is not None
    assert axes.reading(begun_anew).vehicles == reading_of(state).vehicles
