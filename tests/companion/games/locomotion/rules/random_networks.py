"""Networks and starts that nobody chose, for tests."""

from random import Random

from companion.games.locomotion.rules import BadNetwork, Network, PlacedPiece, Side, lay, load_piece
from companion.games.locomotion.rules.sides import beyond

Dot = tuple[int, int]


def random_network(random: Random, shape: str, pieces: int) -> Network:
    """A network grown piece by piece; each attempt that the rules refuse is forgotten."""
    piece = load_piece(shape)
    network = lay(piece, [PlacedPiece((0, 0), random.choice("ESWN"))])
    while len(network.pieces) < pieces:
        dot = random.choice(network.dots)
        beside = beyond(dot, random.choice(list(Side)))
        heading = random.choice("ESWN")
        # Any of its cells may come to lie beside that dot.
        cell = random.choice(piece.cells)
        x, y = {"E": cell, "S": (-cell[1], cell[0]), "W": (-cell[0], -cell[1]), "N": (cell[1], -cell[0])}[heading]
        try:
            network = lay(piece, [*network.pieces, PlacedPiece((beside[0] - x, beside[1] - y), heading)])
        except BadNetwork:
            continue
    return network


def random_places(random: Random, network: Network, count: int) -> list[Dot]:
    return random.sample(network.dots, count)
