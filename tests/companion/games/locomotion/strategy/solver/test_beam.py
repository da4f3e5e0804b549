"""A beam finds a way where it keeps but a small part of what a wave keeps."""

from itertools import pairwise

import numpy as np

from companion.games.locomotion.strategy.solver.beam import Beam, farness_on
from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.standing import starts_of
from companion.games.locomotion.strategy.solver.tracks import Tracks
from companion.games.locomotion.strategy.solver.waves import common
from tests.companion.games.locomotion.rules.networks import PINWHEEL, network
from tests.companion.games.locomotion.strategy.solver.puzzles import golden, start_of

WIDTH = 50
FEWEST = 29


def test_a_narrow_beam_comes_to_the_goal_though_not_by_the_shortest_way() -> None:
    motions = Motions(Tracks(network(PINWHEEL)), 4)
    starts = starts_of([start_of(golden(1, 2, 3, 4))], motions)
    beam = Beam(starts, motions.neighbours, WIDTH, farness_on(motions))
    goals = motions.goals()
    while (met := common(beam.layer, goals)) is None and beam.layer:
        beam.grow()
        assert all(len(codes) <= WIDTH for codes in beam.layer.values())
    assert met is not None
    way = beam.trail(met)
    assert way[0].key in starts
    assert FEWEST <= len(way) - 1 == beam.depth
    for before, after in pairwise(way):
        alone = {before.key: np.array([before.code], dtype=motions.dtype)}
        assert any(key is after.key and after.code in codes for key, codes in motions.neighbours(alone))
