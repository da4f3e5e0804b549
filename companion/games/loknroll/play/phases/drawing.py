"""Between two turns: the table comes to lie as it must, then a card is drawn."""

from __future__ import annotations

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.entering import enter_drawn
from companion.games.loknroll.play.laying import tidied
from companion.games.loknroll.play.trouble import accept, is_settled
from companion.games.loknroll.rules import Draw
from companion.screen.screen import Screen
from hardware.buttons import Button


class Drawing:
    """DRAWING: a person draws in secret, for the automaton a card is shown."""

    def watch(self, desk: Desk) -> bool:
        """Begins the next turn once the table is as it must be."""
        table = tidied(desk)
        if not is_settled(desk):
            return False
        if not desk.state.is_automatons_turn:
            desk.do(Draw())
            return True
        fresh = desk.memory.fresh(table) if table is not None else []
        for card in fresh:
            if desk.game.can(Draw(card.face)):
                desk.memory.deal(card)
                desk.do(Draw(card.face))
                desk.sound("right")
                return True
        return False

    def press(self, desk: Desk, button: Button) -> None:
        """PASS of somebody who is faster than the screen; ROLL: the table is right so, or the card is entered."""
        if button is Button.PASS and not desk.state.is_automatons_turn and not desk.clock.has_just_passed:
            desk.early.keep(Button.PASS, desk.now)
        elif button is Button.ROLL and not is_settled(desk):
            accept(desk)
        elif button is Button.ROLL and desk.state.is_automatons_turn:
            enter_drawn(desk)

    def screen(self, desk: Desk) -> Screen:
        """What Emma did and which cards are taken; then, whose card is drawn."""
        if desk.story is not None and not is_settled(desk):
            pass_key = "" if desk.early.button or desk.state.is_automatons_turn else desk.word("key-pass")
            keys = (desk.word("key-right"), pass_key, desk.word("key-look"), "", "")
            return desk.story.screen(keys)
        left = desk.word("cards-left", count=desk.state.draw_pile)
        heading = desk.word("heading", player=desk.name, left=left)
        if desk.state.is_automatons_turn:
            lines = desk.story.lines[:1] if desk.story else ()
            keys = (desk.word("key-card"), "", desk.word("key-look"), "", "")
            return Screen(heading=heading, main=desk.word("draw-for", player=desk.name), lines=lines, keys=keys)
        main = desk.word("your-turn", player=desk.name)
        return Screen(heading=heading, main=main, keys=(desk.word("key-right"), "", desk.word("key-look"), "", ""))
