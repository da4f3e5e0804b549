"""The clause that forbade what was tried last: told until something is accepted."""

from __future__ import annotations

import pytest

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules import Mode, Phase, Roll
from companion.screen.screen import Screen
from hardware.buttons import Button
from tests.companion.games.loknroll.play.table_in_play import Table, acting, moved, present


@pytest.fixture
def table() -> Table:
    return Table(Mode.TWO, 4, acting)


def test_the_forbidding_clause_stays_until_something_is_accepted(table: Table) -> None:
    face, pose = table.layable()
    number = table.people.table.put(face.id, moved(pose, 400))
    table.people.look(4.0)
    assert present(table.people).forbidden == "LAY0"
    table.people.table.cards.pop(number)
    table.people.look(2.0)
    assert table.people.controller.desk.objection is None
    assert present(table.people).forbidden == "LAY0"
    table.press(Button.PASS)
    assert table.game.state.phase is not Phase.ACTING
    assert present(table.people).forbidden == ""


def test_a_card_too_many_is_forbidden_until_another_one_is_shown() -> None:
    table = Table(Mode.TWO, 2, lambda state: state.phase is Phase.LAYING_OPEN)
    unseen = table.game.state.unseen()
    seen = next(face.id for face in table.game.state.setup.deck.faces if not unseen[face.id])
    table.people.table.show(seen)
    table.people.look()
    assert present(table.people).forbidden == "MAT1"
    step = table.source.steps[table.at]
    table.people.table.show(step.faces[0])  # type: ignore[union-attr]
    table.people.look()
    assert table.people.controller.desk.hand == step.faces[:1]  # type: ignore[union-attr]
    assert present(table.people).forbidden == ""


def test_a_step_that_the_rules_refuse_is_told_with_its_clause(table: Table) -> None:
    class Rash:
        def press(self, desk: Desk, button: Button, *, held: bool) -> None:
            desk.do(Roll(()))

        def screen(self, desk: Desk) -> Screen:
            return Screen()

    table.people.controller.desk.open(Rash())
    table.people.press(Button.ROLL)
    assert present(table.people).forbidden == "ROLL1"
