"""Between two turns: the table comes to lie as it must, then a card is drawn."""

from __future__ import annotations

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.choosing import FaceEntry
from companion.games.loknroll.play.laying import tidied
from companion.games.loknroll.play.phases.building import TWICE_SECONDS
from companion.games.loknroll.play.trouble import accept, is_settled
from companion.games.loknroll.rules import Draw
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Face


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
        is_quiet = desk.now - desk.passed_at >= TWICE_SECONDS
        if button is Button.PASS and not desk.state.is_automatons_turn and is_quiet:
            desk.queued = (Button.PASS, desk.now)
        elif button is Button.ROLL and not is_settled(desk):
            accept(desk)
        elif button is Button.ROLL and desk.state.is_automatons_turn:
            unseen = desk.state.unseen()
            faces = [face for face in desk.state.setup.deck.faces if unseen[face.id]]
            desk.dialog = FaceEntry(desk.word("title-draw-for", player=desk.name), faces, _drawn)

    def screen(self, desk: Desk) -> Screen:
        """What Emma did and which cards are taken; then, whose card is drawn."""
        if desk.story is not None and not is_settled(desk):
            pass_key = "" if desk.queued or desk.state.is_automatons_turn else desk.word("key-pass")
            keys = (desk.word("key-right"), pass_key, desk.word("key-look"), "", "")
            return story_screen(desk, keys)
        left = desk.word("cards-left", count=desk.state.draw_pile)
        heading = desk.word("heading", player=desk.name, left=left)
        if desk.state.is_automatons_turn:
            lines = desk.story.lines[:1] if desk.story else ()
            keys = (desk.word("key-card"), "", desk.word("key-look"), "", "")
            return Screen(heading=heading, main=desk.word("draw-for", player=desk.name), lines=lines, keys=keys)
        main = desk.word("your-turn", player=desk.name)
        return Screen(heading=heading, main=main, keys=(desk.word("key-right"), "", desk.word("key-look"), "", ""))


def _drawn(desk: Desk, face: Face) -> None:
    desk.do(Draw(face.id))


def story_screen(desk: Desk, keys: tuple[str, str, str, str, str]) -> Screen:
    """What the last drive did: the first sentence large."""
    story = desk.story
    if story is None:
        return Screen()
    first, *rest = story.lines or ("",)
    return Screen(heading=story.heading, main=first, lines=tuple(rest), keys=keys)
