"""Before anything is laid: people tell on the page what their own piece of rail is like."""

from __future__ import annotations

from companion.games.events import Kept, Leave
from companion.games.locomotion.artwork.map import network_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import PlacedPiece
from companion.games.locomotion.rules.network import joined
from companion.games.locomotion.settings import with_own
from companion.screen.screen import Screen
from hardware.buttons import Button


class Describing:
    """The piece is not known yet."""

    def watch(self, desk: Desk) -> bool:  # noqa: ARG002 - it is told by touches
        """Nothing goes on by itself."""
        return False

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: that is the piece. It is kept, and games begin with it from then on."""
        piece = None if desk.draft is None else desk.draft.piece
        if button is not Button.ROLL:
            return
        if piece is None:
            desk.sound("wrong")
        else:
            desk.use(with_own(desk.settings, own_piece=piece, own_print=""))
            desk.send(Kept(desk.settings))
            desk.sound("right")
            # What reads the table has to know it from the beginning.
            desk.send(Leave("new-game"))

    def screen(self, desk: Desk) -> Screen:
        """How it is told, and what it looks like so far."""
        piece = None if desk.draft is None else desk.draft.piece
        ready = "" if piece is None else desk.word("key-ok")
        picture = None if piece is None else network_map(joined(piece, [PlacedPiece((0, 0), "E")]))
        return Screen(
            heading=desk.word("describe"),
            main=desk.word("describe-how"),
            lines=(desk.word("describe-so"),),
            map=picture,
            keys=(ready, "", desk.word("key-look"), "", ""),
        )
