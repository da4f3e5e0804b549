"""A table laid out as a game stands, or as it is suggested that it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.recorded_play import RecordedPlay
from companion.games.locomotion.robot.places import look_of, looks_of, onto_the_table, piece_pose, vehicle_poses
from companion.games.locomotion.rules import State
from companion.virtual.robot_hands import imprecise
from companion.virtual.snapshot import Snapshot
from companion.virtual.things import Card, Figure, Place
from companion.virtual.world import World
from vision.cards import Pose

DRAWING_SECONDS: Final = 60.0
"""So long a network is drawn at most before the table is laid without it."""


def lay_out(world: World, play: RecordedPlay, random: Random) -> None:
    """Lays the network in the middle of the table and puts all vehicles on it.

    Where people lay as they like, all pieces and vehicles are beside the table.
    """
    desk = play.controller.desk
    state = _to_be_seen(desk)
    pieces, vehicles = _beside(desk) if state is None else _as_it_stands(state, play, random)
    cards = [
        Card(number, face.id, Place.TABLE, pose=pieces[number])
        if number in pieces
        else Card(number, face.id, Place.AWAY)
        for number, face in enumerate(play.deck.cards(), 1)
    ]
    figures = [Figure(-1 - vehicle, look, pose) for vehicle, (look, pose) in enumerate(vehicles)]
    names, persons = play.seats
    world.restore(Snapshot(tuple(cards), names, persons, play.deck.card_mm, 0, tuple(figures), is_dealt=True))


Vehicles = Sequence[tuple[str, Pose | None]]
"""What each looks like, and where it stands; None beside the table."""


def _to_be_seen(desk: Desk) -> State | None:
    if desk.preparation is None:
        return desk.state
    if desk.chooses_puzzle:
        return None
    # At a virtual table nobody lays it.
    desk.preparation.wait(DRAWING_SECONDS)
    return desk.preparation.suggestion


def _beside(desk: Desk) -> tuple[Mapping[int, Pose], Vehicles]:
    preparation = desk.preparation
    if preparation is None:
        return {}, []
    wish = preparation.wish
    players = range(1, len(wish.names) + 1)
    looks = [look_of(colour, is_locomotive=True) for colour in players]
    looks += [look_of(colour, is_locomotive=False) for colour in range(1, wish.colours + 1) for _ in players]
    return {}, [(look, None) for look in looks]


def _as_it_stands(state: State, play: RecordedPlay, random: Random) -> tuple[Mapping[int, Pose], Vehicles]:
    network = state.setup.network
    motion = onto_the_table(network, random)
    numbers = random.sample(range(1, play.deck.size + 1), len(network.pieces))
    pieces = {
        number: imprecise(motion(piece_pose(network.piece, placed)), random, is_joined=True)
        for number, placed in zip(numbers, network.pieces, strict=True)
    }
    poses = map(motion, vehicle_poses(state, random))
    return pieces, list(zip(looks_of(state.setup), poses, strict=True))
