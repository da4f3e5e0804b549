"""People who press anything and push cards about: the controller never fails, and the game stays a legal one."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.events import Fault, Restored
from companion.games.loknroll.rules import Game, Mode, Phase
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Fate, Player, dealt, seat
from vision.cards import Pose


class Endless(Fate):
    """Chance that falls as it is told to, and goes on by itself."""

    def __init__(self, random: Random) -> None:
        super().__init__()
        self.random = random

    def randrange(self, stop: int) -> int:
        return super().randrange(stop) if self.coming else self.random.randrange(stop)


def push_about(people: Player, random: Random) -> None:
    """Something happens on the table."""
    table, deck = people.table, people.game.state.setup.deck
    number = random.choice(list(table.cards)) if table.cards else 0
    match random.randrange(6):
        case 0 if table.cards:
            table.cards.pop(number)
        case 1 if table.cards:
            face, pose = table.cards[number]
            table.cards[number] = (face, Pose(pose.x_mm + random.gauss(0, 15), pose.y_mm, pose.rotation_deg))
        case 2:
            face = random.choice(deck.faces).id
            table.put(face, Pose(random.uniform(-300, 300), random.uniform(-300, 300), random.uniform(0, 360)))
        case 3 if table.cards:
            table.emma = random.choice([*table.cards, None])
        case 4:
            table.hand = not table.hand
        case _:
            table.as_in(people.game.state)
    people.look(random.choice((0.3, 1.0, 4.0)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("mode", [Mode.TWO, Mode.BETSY, Mode.SOLO_HARD])
def test_nothing_makes_it_fail(mode: Mode, seed: int) -> None:
    random = Random(seed)
    source = dealt(mode, seed)
    people = seat(mode, seed, fate=Endless(random))
    people.play(source, random.randrange(3, len(source.steps) - 5))
    people.controller.desk.use(with_own(Settings(), real_dice=seed % 2 == 0, people_place=seed % 3 == 0))
    for _ in range(200):
        match random.randrange(10):
            case 0 | 1 | 2:
                push_about(people, random)
            case 3:
                people.handle(Fault("camera", "away") if random.random() < 0.5 else Restored("camera"))
            case _:
                people.press(random.choice(list(Button)), held=random.random() < 0.15)
        people.wait(0.1)
    again = Game(people.game.states[0])
    for step in people.game.steps:
        again.do(step)
    assert again.state == people.game.state
    assert people.game.state.phase in Phase
    in_order(people)
    assert not people.screen.alert


def in_order(people: Player) -> None:
    """People leave what is open, and make the table as the game has it."""
    people.handle(Restored("camera"))
    people.table.hand = False
    while people.controller.desk.dialog is not None:
        people.press(Button.BACK, held=True)
    for _ in range(3):
        people.table.as_in(people.game.state)
        people.look(4.0)
