"""The moments of whole games as a perfect eye would read them, one after the other as cameras give them."""

from random import Random

import pytest

from companion.games.loknroll.robot.pictured_games import Moment, pictured_game
from companion.games.loknroll.rules import Mode
from tests.companion.games.loknroll.play.pictured_people import PicturedPeople, told_of
from tests.companion.games.loknroll.play.scripted_table import fresh
from vision.cards import Pose
from vision.watching.table_reading import SeenCard, TableReading

SHOWN = 10_000


def read(moment: Moment, random: Random, *, shown: bool = True) -> TableReading:
    """What the eye says; with the shown card, or just after it was taken away."""
    cards = []
    for card in moment.scene.cards:
        if card.on_show_spot and not shown:
            continue
        x, y, turn = (random.gauss(0, 0.3) for _ in range(3))
        pose = Pose(card.pose.x_mm + x, card.pose.y_mm + y, (card.pose.rotation_deg + turn) % 360)
        cards.append(SeenCard(card.face, pose, SHOWN if card.serial is None else card.serial))
    emma = moment.scene.emma
    return TableReading(tuple(cards), None if emma is None else emma.serial)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("seed", range(1))
def test_a_stream_of_moments_is_the_game_that_was_played(mode: Mode, seed: int) -> None:
    random = Random(seed)
    pictured = pictured_game(fresh(mode), random)
    people = PicturedPeople(told_of(pictured.game), pictured.game.state.setup.deck)
    last = max(index for index, moment in enumerate(pictured.moments) if moment.why == "turn-done")
    for index, moment in enumerate(pictured.moments):
        # The last turn is not counted on, since no other follows.
        frame = {"why": moment.why, "turn": moment.turn + (index == last)}
        people.see_reading(frame, read(moment, random))
        if moment.why == "hand-shows":
            people.see_reading({"why": "taken-away", "turn": moment.turn}, read(moment, random, shown=False))
    people.check_end()
