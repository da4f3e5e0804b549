"""The automaton's turn: where its card is laid, and whether it was laid so."""

from __future__ import annotations

from companion.games.loknroll.play.desk import Desk, Objection
from companion.games.loknroll.play.dialogs.choosing import PlaceEntry
from companion.games.loknroll.play.dialogs.corrections import correct
from companion.games.loknroll.play.laying import is_near, laid, object_to, tell, tidied
from companion.games.loknroll.play.room import wants_push
from companion.games.loknroll.rules import Lay, Pass, RuleError
from companion.games.loknroll.rules.building import can_be_laid, legal_placements
from companion.games.loknroll.rules.railway.geometry import Placement, match
from companion.games.loknroll.table.maps import railway_map
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.table_reading import SeenCard


class Betsy:
    """ACTING of the automaton: its card has been drawn."""

    def watch(self, desk: Desk) -> bool:
        """Passes where the card fits nowhere; accepts it where it should lie."""
        drawn = desk.state.drawn
        if drawn is None:
            return False
        if not can_be_laid(desk.state, drawn):
            desk.do(Pass())
            return True
        table = tidied(desk)
        if table is None:
            return False
        deck, railway = desk.state.setup.deck, desk.state.railway
        near = [card for card in desk.memory.fresh(table) if is_near(railway, deck[card.face], card)]
        if desk.own.people_place:
            if laid(desk, near):
                return True
        elif self._laid_as_told(desk, near):
            return True
        if not self._lies_elsewhere(desk, near):
            object_to(desk, near)
        return False

    @staticmethod
    def _laid_as_told(desk: Desk, near: list[SeenCard]) -> bool:
        return laid(desk, [card for card in near if is_as_told(desk, card)])

    @staticmethod
    def _lies_elsewhere(desk: Desk, near: list[SeenCard]) -> bool:
        """Whether the card could lie so, but the automaton wants it elsewhere."""
        for card in near:
            if desk.game.can(Lay(card.face, card.pose)):
                tell(desk, Objection(desk.word("elsewhere", player=desk.name), "BET2", card, can_stay=True))
                return True
        return False

    def press(self, desk: Desk, button: Button) -> None:
        """ROLL: it lies where it should, or may stay where it lies. PASS: it is another card, or has no place."""
        drawn, choice = desk.state.drawn, desk.choice
        if drawn is None:
            return
        if button is Button.ROLL and desk.objection is not None and desk.objection.can_stay:
            laid(desk, [desk.objection.card])
        elif button is Button.ROLL and not desk.state.setup.rails:
            desk.do(Lay(drawn.id))
        elif button is Button.ROLL and desk.own.people_place:
            desk.open(PlaceEntry(desk.name, drawn, legal_placements(desk.state, drawn), lay_at))
        elif button is Button.ROLL and choice is not None:
            lay_at(desk, choice.placement)
        elif button is Button.PASS and not desk.state.setup.rails:
            desk.do(Pass())
        elif button is Button.PASS:
            correct(desk)

    def screen(self, desk: Desk) -> Screen:
        """The card, and where it goes."""
        drawn, choice = desk.state.drawn, desk.choice
        left = desk.word("cards-left", count=desk.state.draw_pile)
        heading = desk.word("heading", player=desk.name, left=left)
        other = desk.word("key-other" if desk.state.setup.rails else "key-pass")
        keys = (desk.word("key-done"), other, desk.word("key-look"), "", "")
        if drawn is None:
            return Screen(heading=heading)
        if wants_push(desk):
            place = None if choice is None or desk.own.people_place else choice.placement
            picture = railway_map(desk.state, drawn, place)
            return Screen(heading=heading, main=desk.word("push-first"), map=picture, keys=keys)
        if choice is None or desk.own.people_place:
            return Screen(
                heading=heading,
                main=desk.word.face(drawn),
                lines=(desk.word("lay-anywhere"),),
                map=railway_map(desk.state),
                keys=keys,
            )
        picture = railway_map(desk.state, drawn, choice.placement)
        main = desk.word("lay-here", card=drawn)
        return Screen(heading=heading, main=main, map=picture, keys=keys)


def is_as_told(desk: Desk, card: SeenCard) -> bool:
    """Whether a card lies where the automaton wants it."""
    choice, drawn = desk.choice, desk.state.drawn
    if choice is None or drawn is None or card.face != drawn.id:
        return False
    try:
        meant = match(desk.state.railway, drawn, card.pose)
    except RuleError:
        return False
    told = choice.placement
    return (meant.entry, meant.quarter_turn, meant.exit_port) == (told.entry, told.quarter_turn, told.exit_port)


def lay_at(desk: Desk, place: Placement) -> None:
    """People say that the automaton's card lies there."""
    if desk.state.drawn is not None:
        desk.lay(Lay(desk.state.drawn.id, place.pose))
