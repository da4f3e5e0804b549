"""Networks and puzzles: named ones, such as are drawn by lot, and files of them."""

from companion.games.locomotion.networks.drawing_lots import DrawnNetwork, NoRoom, Wish, draw_network, draw_start
from companion.games.locomotion.networks.files import BadFile, network_as_json, puzzle_as_json, read_network
from companion.games.locomotion.networks.puzzle import Puzzle
from companion.games.locomotion.networks.shape import NetworkShape, shape_of

__all__ = [
    "BadFile",
    "DrawnNetwork",
    "NetworkShape",
    "NoRoom",
    "Puzzle",
    "Wish",
    "draw_network",
    "draw_start",
    "network_as_json",
    "puzzle_as_json",
    "read_network",
    "shape_of",
]
