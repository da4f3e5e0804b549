"""Where a robot pushes a railway to."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.games.loknroll.robot.pushing import best_push, stays_in
from companion.games.loknroll.rules import Mode, Phase, State
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import card_boxes, placement_box
from companion.games.loknroll.rules.railway.railway import Railway
from companion.games.loknroll.strategy.automaton import ways_ahead
from tests.companion.games.loknroll.play.scripted_table import dealt
from vision.cards import Pose
from vision.cards.area import Area

AREA = Area(40, 40, 620, 520)


def moved(state: State, right: float, down: float) -> State:
    """The same game with its railway elsewhere on the table."""
    cards = [
        replace(card, pose=Pose(card.pose.x_mm + right, card.pose.y_mm + down, card.pose.rotation_deg))
        for card in state.railway.cards
        if card.pose
    ]
    return replace(state, railway=Railway(tuple(cards), state.railway.angle_deg))


@pytest.mark.parametrize("seed", range(6))
def test_a_railway_at_the_border_is_pushed_to_where_it_can_go_on(seed: int) -> None:
    random = Random(seed)
    state = next(state for state in dealt(Mode.TWO, seed).states if state.phase is Phase.ACTING)
    there = moved(state, random.uniform(-900, 900), random.uniform(-900, 900))
    face = next(face for face in there.setup.deck.faces if legal_placements(there, face))
    place = legal_placements(there, face)[0].pose
    push = best_push(there, (face, place), AREA)
    assert stays_in(there.railway, push, AREA)
    assert not stays_in(there.railway, (push[0] + AREA.width_mm, push[1]), AREA)
    pushed_there = moved(there, *push)
    railway = pushed_there.railway
    assert any(
        AREA.holds(placement_box(railway, face, way), railway.angle_deg) for way in legal_placements(pushed_there, face)
    )
    assert ways_ahead(railway, state.setup.deck.passages, AREA) > 0
    assert all(AREA.holds(box, railway.angle_deg) for box in card_boxes(railway))
