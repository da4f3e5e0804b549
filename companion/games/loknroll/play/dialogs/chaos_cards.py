"""Chaos cards that are shown to the camera, or entered: they are discarded, and may combine."""

from __future__ import annotations

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules import Discard
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Face
from vision.watching.table_reading import SeenCard


class Combining:
    """Whether a chaos card is combined with the top of the pile."""

    def __init__(self, face: Face) -> None:
        self._face = face

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """Yes or no."""
        if button in {Button.ROLL, Button.PASS}:
            desk.do(Discard(self._face.id, combine=button is Button.ROLL))
        elif button is Button.BACK:
            desk.close()

    def screen(self, desk: Desk) -> Screen:
        main = desk.word("combine", card=self._face, top=desk.state.player.top)
        keys = (desk.word("key-yes"), desk.word("key-no"), "", "", desk.word("key-back"))
        return Screen(heading=desk.name, main=main, keys=keys)


def shown(desk: Desk, card: SeenCard) -> bool:
    """A chaos card lies on the table; says whether the game has gone on."""
    face = desk.state.setup.deck[card.face]
    if not desk.game.can(Discard(face.id)):
        return False
    discard(desk, face)
    desk.memory.deal(card)
    desk.sound("right")
    return True


def discard(desk: Desk, face: Face) -> None:
    """Discards a chaos card; asks where there is a choice."""
    top = desk.state.player.top
    combines = top is not None and top.value == face.value
    if combines and not desk.own.puts_by_itself:
        desk.open(Combining(face))
        desk.sound("right")
    else:
        desk.do(Discard(face.id, combine=combines))
