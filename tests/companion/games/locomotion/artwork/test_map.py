"""A state on the small screen's map: dots, tracks and vehicles are where the network has them."""

from companion.games.locomotion.artwork.map import network_map, state_map
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.rules import Couple, DrawLots, Game, Piece, PlacedPiece, Roll, lay, load_piece, set_up
from companion.games.locomotion.rules.piece import Track


def test_tracks_lead_from_dot_to_dot() -> None:
    network = named_networks()["starfish"].network()
    drawn = network_map(network)
    assert [(round(x), round(y)) for x, y in drawn.dots] == list(network.dots)
    ends = {point for track in drawn.tracks for point in (track[0], track[-1])}
    for dot, joined in zip(network.dots, network.neighbours, strict=True):
        for other in filter(None, joined):
            beside = network.dots[other]
            assert ((dot[0] + beside[0]) / 2, (dot[1] + beside[1]) / 2) in ends


def test_a_dot_with_nothing_but_an_arc_lies_on_the_arc() -> None:
    piece = Piece("bend", ((0, 0), (1, 0)), (Track((0, 0), ("W", "E")), Track((1, 0), ("W", "S"))))
    straight, arc = network_map(lay(piece, [PlacedPiece((0, 0), "E")])).dots
    assert straight == (0, 0)
    assert 0.5 < arc[0] < 1
    assert 0 < arc[1] < 0.5


def test_vehicles_have_their_colours_and_couplings() -> None:
    network = lay(load_piece("T"), [PlacedPiece((0, 0), "E"), PlacedPiece((3, 0), "E")])
    game = Game(set_up(network, ["Ann"], [(1, 0)], [[(2, 0)], [(4, 0)]]))
    game.do(DrawLots(locomotives=(1,), order=(1, 2)))
    game.do(Roll(4))
    game.do(Couple(wagon=1))
    drawn = state_map(game.state, moved=(0,), way=(1, 0), marked=(4,))
    assert [(figure.label, figure.leads) for figure in drawn.figures] == [("1", True), ("1", False), ("2", False)]
    stock = game.state.stock
    assert [figure.dot for figure in drawn.figures] == list(stock.dots)
    assert drawn.couplings == ((stock.dots[0], stock.dots[1]),)
    assert (drawn.moved, drawn.way, drawn.marked) == ((0,), (1, 0), (4,))
