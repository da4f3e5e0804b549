"""Between two turns: the table comes to lie as it must, then a card is drawn."""

from __future__ import annotations

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.about_card import ask_about
from companion.games.loknroll.play.dialogs.entering import enter_drawn
from companion.games.loknroll.play.laying import tidied
from companion.games.loknroll.play.trouble import accept, is_settled
from companion.games.loknroll.rules import Draw, RuleError
from companion.games.loknroll.rules.railway.geometry import match
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.table_reading import SeenCard


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
            if not desk.game.can(Draw(card.face)):
                continue
            if _is_laid(desk, card):
                # Somebody's own card, laid out of turn? What is drawn for the automaton is shown first.
                text = desk.word("hers", player=desk.name, card=desk.state.setup.deck[card.face])
                ask_about(desk, text, card, _draw)
                return False
            _draw(desk, card)
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
            keys = (desk.word("key-right"), "", desk.word("key-look"), "", "")
            return desk.story.screen(keys)
        left = desk.word("cards-left", count=desk.state.draw_pile)
        heading = desk.word("heading", player=desk.name, left=left)
        if desk.state.is_automatons_turn:
            lines = desk.story.lines[:1] if desk.story else ()
            keys = (desk.word("key-card"), "", desk.word("key-look"), "", "")
            return Screen(heading=heading, main=desk.word("draw-for", player=desk.name), lines=lines, keys=keys)
        main = desk.word("your-turn", player=desk.name)
        return Screen(heading=heading, main=main, keys=(desk.word("key-right"), "", desk.word("key-look"), "", ""))


def _draw(desk: Desk, card: SeenCard) -> None:
    desk.memory.deal(card)
    desk.do(Draw(card.face))
    desk.sound("right")


def _is_laid(desk: Desk, card: SeenCard) -> bool:
    """Whether a card is joined to the railway, as one that has been laid."""
    face = desk.state.setup.deck[card.face]
    if not face.is_track or not desk.state.setup.rails:
        return False
    try:
        match(desk.state.railway, face, card.pose)
    except RuleError:
        return False
    return True
