"""The dice box on the device."""

from random import Random

from companion.device.between_games.dice_table import FALL_SECONDS, MOST_DICE, DiceTable
from companion.dice.box import KINDS
from companion.games.events import Changed, Kept, Leave, Pressed, Show, Sound, Tick
from companion.games.settings import Change, Settings
from companion.screen.screen import Screen
from hardware.buttons import Button


def last_screen(table: DiceTable, *buttons: Button, seconds: float = 0.0) -> Screen:
    shown = [
        effect.screen for button in buttons for effect in table.handle(Pressed(button)) if isinstance(effect, Show)
    ]
    shown += [effect.screen for effect in table.handle(Tick(seconds)) if isinstance(effect, Show)]
    return shown[-1]


def test_a_roll_falls_and_then_stands_with_its_sum() -> None:
    table = DiceTable(Settings(), Random(3))
    table.handle(Tick(0.0))
    assert Sound("dice") in table.handle(Pressed(Button.ROLL))
    falling = last_screen(table, seconds=FALL_SECONDS / 2)
    assert falling.tumbling > 0
    assert falling.lines == ()
    standing = last_screen(table, seconds=FALL_SECONDS)
    assert standing.tumbling == 0
    assert len(standing.dice) == 4
    assert standing.lines == (f"Wheels: {sum(standing.dice)}",)


def test_up_and_down_change_how_many_and_pass_which() -> None:
    table = DiceTable(Settings(language="de"), Random(3))
    assert "4 × " in last_screen(table).main
    assert last_screen(table, *[Button.UP] * 9).main.startswith(f"{MOST_DICE} × ")
    assert last_screen(table, *[Button.DOWN] * 9).main.startswith("1 × ")
    assert last_screen(table, Button.PASS).main == "1 × d4"
    rolled = last_screen(table, Button.ROLL, seconds=10.0)
    assert rolled.sides == (4,)
    assert 1 <= rolled.dice[0] <= 4
    for _ in range(len(KINDS) - 1):
        table.handle(Pressed(Button.PASS))
    assert table.handle(Pressed(Button.BACK))[0] == Leave("lobby")


def test_a_setting_that_a_page_changes_is_used_and_kept() -> None:
    table = DiceTable(Settings())
    table.handle(Tick(0.0))
    kept, shown = table.handle(Changed(Change("large", value=True)))
    assert kept == Kept(Settings(large=True))
    # The same words, but the screen draws them in another size.
    assert isinstance(shown, Show)
    assert table.settings.large
