"""Tables with random networks and vehicles on them, photographed, and what lies there in truth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.games.locomotion.artwork.rails import CELL_MM as DRAWN_MM
from companion.games.locomotion.artwork.rails import line
from companion.games.locomotion.networks.drawing_lots import draw_network
from companion.games.locomotion.printing.drawn_pieces import drawn_pieces, vehicle_looks
from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.rules import Network, Piece, load_piece
from companion.games.locomotion.rules.sides import Side, turned_cell
from vision.arrays import Floats32, Picture, Points
from vision.cards import Pose
from vision.cards.area import turned
from vision.deck_pictures import DeckPictures
from vision.networks.vehicles.paints import Colour
from vision.rendering import Block, Coin, LyingCard, Mug, Pile, Renderer, Scene
from vision.rendering.conditions import Conditions, Difficulty, draw_conditions
from vision.rendering.places import TABLE_MM
from vision.rendering.renderer import CARD_THICKNESS_MM
from vision.rendering.scene import Vehicle
from vision.watching.network_reading import Cell

IMPRECISION: Final = 1.0
"""How far off hands lay pieces, mm and degrees, at most: a piece lies beside others."""
_ASIDE: Final = (2.0, 8.0)
"""How far off the middle of its dot a vehicle stands at most, in mm, and how far it is turned, in degrees."""
_WOOD_PX_MM: Final = 6
_TOLD_APART: Final = 35.0
"""So far apart people's colours are, in CIELAB: where less is enough to tell them apart nobody would choose them."""


class RenderedNetwork(NamedTuple):
    """A network on a table. ``standing`` are colour and whether it is a locomotive by dots."""

    pictures: DeckPictures
    network: Network
    standing: dict[tuple[int, int], tuple[int, bool]]
    scene: Scene
    conditions: Conditions
    renderer: Renderer

    def photograph(self, seed: int = 0, *, vehicles: bool = True) -> Picture:
        """A picture of it, with other noise for each seed."""
        scene = self.scene if vehicles else replace(self.scene, vehicles=())
        return self.renderer.photograph(scene, self.conditions.light, self.conditions.sensor, seed).picture

    def told(self) -> set[str]:
        """What the game tells the eye: which pieces lie there, and which vehicles there are."""
        pieces = {f"piece {placed.cell[0]} {placed.cell[1]} {placed.heading}" for placed in self.network.pieces}
        counts = Counter(self.standing.values())
        return pieces | {
            f"vehicle {colour} {'locomotive' if is_locomotive else 'wagon'} {count}"
            for (colour, is_locomotive), count in counts.items()
        }

    def seen_as(self, cells: Points) -> tuple[set[frozenset[Cell]], dict[Cell, tuple[int, bool]]]:
        """The cells of each piece, and what stands on which, where the eye has its dots at these places (n × 2)."""
        seen = [(round(x), round(y)) for x, y in cells.tolist()]
        count = len(self.network.piece.cells)
        pieces = {frozenset(seen[first : first + count]) for first in range(0, len(seen), count)}
        own = [
            (placed.cell[0] + x, placed.cell[1] + y)
            for placed in self.network.pieces
            for x, y in (turned_cell(cell, Side[placed.heading]) for cell in self.network.piece.cells)
        ]
        return pieces, {there: self.standing[dot] for dot, there in zip(own, seen, strict=True) if dot in self.standing}

    def dots_px(self) -> Points:
        """Where the dots of the network are seen (n × 2, px), piece by piece."""
        piece = self.network.piece
        (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*piece.cells, strict=True))
        places = []
        for card in self.scene.cards:
            for x, y in piece.cells:
                own = (x - (left + right) / 2) * CELL_MM, (y - (top + bottom) / 2) * CELL_MM
                away_x, away_y = turned(own, card.pose.rotation_deg)
                places.append((card.pose.x_mm + away_x, card.pose.y_mm + away_y, -CARD_THICKNESS_MM))
        return self.renderer.camera.project(places)


def painted(table: RenderedNetwork, paints: Mapping[int, Colour]) -> RenderedNetwork:
    """The same table with vehicles of other colours (R, G, B), by their numbers."""
    vehicles = tuple(
        replace(vehicle, look=replace(vehicle.look, colour=paints[vehicle.look.sign]))
        for vehicle in table.scene.vehicles
    )
    return table._replace(scene=replace(table.scene, vehicles=vehicles))


def other_paints(random: Random) -> dict[int, Colour]:
    """Four colours (R, G, B) of any kind that people tell apart, by their numbers."""
    while True:
        colours = [(random.randrange(20, 236), random.randrange(20, 236), random.randrange(20, 236)) for _ in range(4)]
        if all(
            np.linalg.norm(_lab(one[::-1]) - _lab(other[::-1])) > _TOLD_APART for one, other in combinations(colours, 2)
        ):
            return dict(enumerate(colours, 1))


def rendered_network(
    piece_name: str,
    pieces: int,
    seed: int,
    difficulty: Difficulty = "easy",
    make: str = "folded",
    size: tuple[int, int] = (1640, 1232),
) -> RenderedNetwork:
    """A random network with random vehicles in random conditions; ``make`` is that of pieces and vehicles."""
    random = Random(seed)
    piece = load_piece(piece_name)
    network = draw_network(random, piece, pieces).network
    pictures = _pictures(piece, make, random)
    conditions = draw_conditions(difficulty, random, size)
    motion = _place(random, network)
    cards = tuple(_lying(random, piece, placed.cell, placed.heading, motion) for placed in network.pieces)
    standing = _standing(random, network)
    passages = dict(zip(network.dots, network.passages, strict=True))
    vehicles = tuple(
        Vehicle(
            _standing_at(random, motion, dot, random.choice(passages[dot])),
            pictures.figures[f"{'locomotive' if is_locomotive else 'wagon'}-{colour}"],
        )
        for dot, (colour, is_locomotive) in standing.items()
    )
    clutter = tuple(_standing_still(thing) for thing in conditions.clutter if _is_free(thing, cards))
    scene = Scene(cards=cards, clutter=clutter, vehicles=vehicles)
    renderer = Renderer(
        conditions.camera, conditions.tabletop, pictures.faces, pictures.back, card_mm=pictures.deck.card_mm
    )
    return RenderedNetwork(pictures, network, standing, scene, conditions, renderer)


class _Placed(NamedTuple):
    """Where the cell (0, 0) lies, mm, and which way the east is, degrees clockwise from right."""

    x: float
    y: float
    turn: float

    def point(self, cell: tuple[float, float]) -> tuple[float, float]:
        x, y = turned((cell[0] * CELL_MM, cell[1] * CELL_MM), self.turn)
        return self.x + x, self.y + y


def _place(random: Random, network: Network) -> _Placed:
    """Anywhere on the table where all of it is seen, turned as people lay it: mostly about along the table."""
    xs, ys = zip(*network.dots, strict=True)
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    width, height = ((max(side) - min(side) + 1) * CELL_MM for side in (xs, ys))
    for spread in [180.0] * 20 + [8.0] * 20 + [0.0]:
        turn = (random.choice((0, 90, 180, 270)) + random.uniform(-spread, spread)) % 360
        radians = math.radians(turn)
        across = abs(width * math.cos(radians)) + abs(height * math.sin(radians))
        down = abs(width * math.sin(radians)) + abs(height * math.cos(radians))
        room_x, room_y = TABLE_MM[0] - across, TABLE_MM[1] - down
        if room_x > 0 and room_y > 0:
            break
    else:
        room_x = room_y = 0.0
    x = TABLE_MM[0] / 2 + random.uniform(-0.5, 0.5) * max(room_x, 0)
    y = TABLE_MM[1] / 2 + random.uniform(-0.5, 0.5) * max(room_y, 0)
    away_x, away_y = turned((-middle[0] * CELL_MM, -middle[1] * CELL_MM), turn)
    return _Placed(x + away_x, y + away_y, turn)


def _lying(random: Random, piece: Piece, cell: tuple[int, int], heading: str, motion: _Placed) -> LyingCard:
    cells = [turned_cell(own, Side[heading]) for own in piece.cells]
    xs, ys = zip(*cells, strict=True)
    x, y = motion.point((cell[0] + (min(xs) + max(xs)) / 2, cell[1] + (min(ys) + max(ys)) / 2))
    off = [random.uniform(-IMPRECISION, IMPRECISION) for _ in range(3)]
    return LyingCard(piece.name, Pose(x + off[0], y + off[1], (motion.turn + 90 * Side[heading] + off[2]) % 360))


def _standing(random: Random, network: Network) -> dict[tuple[int, int], tuple[int, bool]]:
    """Locomotives and wagons of 2 to 4 players on dots, some in trains."""
    players = random.randint(1, 4)
    vehicles = [(colour, True) for colour in range(1, players + 1)]
    vehicles += [(colour, False) for colour in range(1, 5) for _ in range(players)]
    dots = list(network.dots)
    random.shuffle(dots)
    if random.random() < 0.5:  # pushed together: neighbours hide one another
        middle = dots[0]
        dots.sort(key=lambda dot: math.dist(dot, middle) + random.uniform(0, 3))
    most = len(dots) // 2
    random.shuffle(vehicles)
    return dict(zip(dots, vehicles[:most], strict=False))


def _standing_at(random: Random, motion: _Placed, dot: tuple[int, int], passage: tuple[Side, Side]) -> Pose:
    x, y = motion.point(dot)
    first, second = passage
    ways = {Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0), Side.N: (0, -1)}
    along = ways[second][0] - ways[first][0], ways[second][1] - ways[first][1]
    turn = math.degrees(math.atan2(along[1], along[0])) + 90 + random.choice((0, 180)) + motion.turn
    aside, askew = _ASIDE
    off = [random.uniform(-aside, aside) / math.sqrt(2) for _ in range(2)]
    return Pose(x + off[0], y + off[1], (turn + random.uniform(-askew, askew)) % 360)


def _standing_still(thing: Pile | Mug | Coin | Block) -> Mug | Coin | Block:
    """A thing that is alike in all pictures: the cards of a pile lie otherwise in each."""
    if isinstance(thing, Pile):
        return Block(thing.pose, (63.0, 88.0, 0.3 * thing.cards), (185, 174, 156))
    return thing


def _is_free(thing: Pile | Mug | Coin | Block, cards: tuple[LyingCard, ...]) -> bool:
    """Whether a thing lies beside the network, with room for the fingers."""
    match thing:
        case Pile() | Block():
            place, reach = (thing.pose.x_mm, thing.pose.y_mm), 85.0 if isinstance(thing, Block) else 50.0
        case Mug() | Coin():
            place, reach = thing.centre_mm, thing.radius_mm
    return all(math.dist(place, (card.pose.x_mm, card.pose.y_mm)) > reach + 2 * CELL_MM for card in cards)


def _pictures(piece: Piece, make: str, random: Random) -> DeckPictures:
    if make == "folded":
        return drawn_pieces(piece)
    pictures = drawn_pieces(piece, "wood")
    return pictures._replace(faces={piece.name: wooden_face(piece, random.choice(_WOODS))})


_WOODS: Final = ((150, 195, 222), (110, 160, 200), (170, 200, 215), (80, 120, 165))
"""B, G, R."""


def wooden_face(piece: Piece, wood: tuple[int, int, int]) -> Picture:
    """A piece sawn of wood: a dot in each cell, and nothing else but a little grain."""
    (left, right), (top, bottom) = ((min(cells), max(cells)) for cells in zip(*piece.cells, strict=True))
    cell = round(CELL_MM * _WOOD_PX_MM)
    size = (bottom - top + 1) * cell, (right - left + 1) * cell
    random = np.random.default_rng(sum(wood))
    grain = cv2.resize(random.normal(0, 6, (size[0] // 4, size[1] // 60)).astype(np.float32), size[::-1])
    face = np.clip(np.array(wood, np.float32) + grain[..., None], 0, 255).astype(np.uint8)
    for x, y in piece.cells:
        middle = round((x - left + 0.5) * cell), round((y - top + 0.5) * cell)
        cv2.circle(face, middle, round(2.2 * _WOOD_PX_MM), (45, 45, 50), -1, cv2.LINE_AA)
    return face


def with_face(table: RenderedNetwork, face: Picture) -> RenderedNetwork:
    """The same table with pieces that look otherwise."""
    pictures, conditions = table.pictures, table.conditions
    pictures = pictures._replace(faces={table.network.piece.name: face})
    renderer = Renderer(
        conditions.camera, conditions.tabletop, pictures.faces, pictures.back, card_mm=pictures.deck.card_mm
    )
    return table._replace(pictures=pictures, renderer=renderer)


def drawn_print(piece: Piece, seed: int) -> Picture:
    """Line art of a piece's tracks in random colours and widths: one line or two, with sleepers or none.

    Its dots are darker than all around them.
    """
    random = Random(seed)
    (left, right), (top, bottom) = ((min(cells), max(cells)) for cells in zip(*piece.cells, strict=True))
    cell = round(CELL_MM * _WOOD_PX_MM)
    ground, ink, sleeper, dot = (_drawn(random, *lightness) for lightness in ((70, 97), (35, 60), (35, 65), (3, 15)))
    face = np.empty(((bottom - top + 1) * cell, (right - left + 1) * cell, 3), np.uint8)
    face[:] = ground
    gauge, width = random.uniform(2.0, 6.0), random.uniform(0.5, 1.6)
    lines = random.choice((1, 2))
    has_sleepers = random.random() < 0.5
    radius = random.uniform(2.2, 3.0)

    def px(points: Sequence[tuple[float, float]] | Points) -> NDArray[np.int32]:
        moved = (np.array(points) - (left, top)) * cell
        return np.round(moved).astype(np.int32)

    for track in piece.passages:
        points = _resampled(np.array(line(track.cell, track.passage, 0)) / DRAWN_MM)
        along = np.gradient(points, axis=0)
        across = np.stack([-along[:, 1], along[:, 0]], 1) / np.maximum(np.linalg.norm(along, axis=1), 1e-9)[:, None]
        across /= CELL_MM
        if has_sleepers:
            for point, side in list(zip(points, across, strict=True))[3::6]:
                ends = px([point - side * (gauge / 2 + 1.5), point + side * (gauge / 2 + 1.5)])
                cv2.line(face, ends[0].tolist(), ends[1].tolist(), sleeper, round(1.2 * _WOOD_PX_MM), cv2.LINE_AA)
        for away in (0.0,) if lines == 1 else (-gauge / 2, gauge / 2):
            thick = round(width * (2 if lines == 1 else 1) * _WOOD_PX_MM)
            cv2.polylines(
                face,
                [px(points + away * across)],
                isClosed=False,
                color=ink,
                thickness=max(thick, 1),
                lineType=cv2.LINE_AA,
            )
    for x, y in piece.cells:
        at = px([(x + 0.5, y + 0.5)])[0].tolist()
        cv2.circle(face, at, round(radius * _WOOD_PX_MM), dot, -1, cv2.LINE_AA)
    return face


def _drawn(random: Random, darkest: float, lightest: float) -> list[int]:
    """A colour (B, G, R) of a lightness of CIELAB between these."""
    while True:
        colour = [random.randrange(256) for _ in range(3)]
        if darkest <= _lab(colour)[0] <= lightest:
            return colour


def _lab(colour: Sequence[int]) -> Floats32:
    """A colour (B, G, R) in CIELAB."""
    return np.asarray(cv2.cvtColor(np.array([[colour]], np.float32) / 255, cv2.COLOR_BGR2Lab)[0, 0], np.float32)


def _resampled(points: Points) -> Points:
    """So many points on the way, at equal distances."""
    steps = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    at = np.linspace(0, steps[-1], 40)
    return np.column_stack([np.interp(at, steps, points[:, axis]) for axis in (0, 1)])


__all__ = [
    "RenderedNetwork",
    "drawn_print",
    "other_paints",
    "painted",
    "rendered_network",
    "vehicle_looks",
    "with_face",
    "wooden_face",
]
