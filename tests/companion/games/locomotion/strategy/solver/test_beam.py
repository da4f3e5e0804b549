"""A beam finds a way where it keeps but a small part of what a wave keeps."""

from itertools import pairwise

import numpy as np

from companion.games.locomotion.strategy.solver.beam import Beam, farness_on
from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.tracks import Tracks
from companion.games.locomotion.strategy.solver.waves import common
from tests.companion.games.locomotion.rules.networks import PINWHEEL, network

WIDTH = 50
FEWEST = 29


def test_a_narrow_beam_comes_to_the_goal_though_not_by_the_shortest_way() -> None:
    pinwheel = network(PINWHEEL)
    motions = Motions(Tracks(pinwheel), 4)
    starts = motions.starts([pinwheel.dots.index(dot) for dot in ((2, 0), (1, 3), (-2, 2), (-1, -1), (0, 2))])
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
