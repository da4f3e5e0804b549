"""Before the record: people lay the network and put everything on it, until it can be begun."""

from __future__ import annotations

from companion.games.events import Kept
from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import State
from companion.games.locomotion.settings import with_own
from companion.screen.screen import Screen
from hardware.buttons import Button


class Preparing:
    """There is no game yet: all is on the table alone."""

    def watch(self, desk: Desk) -> bool:  # noqa: ARG002 - it begins with a press
        """Nothing begins by itself."""
        return False

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: it begins as it lies there. DOWN: another suggestion."""
        match button:
            case Button.ROLL:
                start = start_now(desk)
                if start is None:
                    desk.sound("wrong")
                else:
                    desk.begin(start)
                    desk.sound("right")
            case Button.DOWN if desk.preparation is not None and desk.preparation.suggestion is not None:
                lot = 1 + desk.source.randrange(2**31)
                desk.use(with_own(desk.settings, lot=lot))
                desk.preparation.draw_again(lot)
                desk.send(Kept(desk.settings))
            case _:
                pass

    def screen(self, desk: Desk) -> Screen:
        """What to set up, and what is still wrong with it."""
        preparation = desk.preparation
        if preparation is None:
            return Screen()
        suggestion = preparation.suggestion
        keys = (desk.word("key-begin"), "", desk.word("key-look"), "" if suggestion is None else "↻", "")
        picture = None if suggestion is None else state_map(suggestion)
        return Screen(heading=desk.word("set-up"), main=desk.word("set-up-so"), map=picture, keys=keys)


def start_now(desk: Desk) -> State | None:
    """The game that begins with what lies there; None where that is no set-up."""
    preparation = desk.preparation
    if preparation is None:
        return None
    return preparation.suggestion
