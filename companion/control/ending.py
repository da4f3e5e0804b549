"""The end: hands are laid open, and the score sheet."""

from __future__ import annotations

from companion.control.choosing import FaceEntry
from companion.control.desk import Desk
from companion.control.eye import is_same_card, turned_deg
from companion.control.laying import tidied
from companion.loknroll import LayOpen, RuleError, result
from companion.loknroll.turn import hands_to_lay_open
from companion.screen import Screen
from companion.table_reading import SeenCard
from hardware.buttons import Button
from vision.cards import Face

_SAME_MM = 4.0
_SAME_DEG = 4.0


class Hands:
    """LAYING_OPEN: the cards of each hand are shown one after the other."""

    def __init__(self) -> None:
        """No card has been shown."""
        self._counted: list[SeenCard] = []

    def watch(self, desk: Desk) -> bool:
        """Counts each card that has been shown."""
        table = tidied(desk)
        if table is None:
            return False
        self._counted = [card for card in self._counted if any(_is_still(card, other) for other in table.new)]
        for card in desk.eye.fresh(table):
            if not any(_is_still(card, other) for other in self._counted):
                self._counted.append(card)
                return add_card(desk, desk.state.setup.deck[card.face])
        return False

    def press(self, desk: Desk, button: Button) -> None:
        """ROLL: a card is entered. PASS: the last one was another."""
        if button is Button.ROLL:
            unseen = desk.state.unseen()
            faces = [face for face in desk.state.setup.deck.faces if unseen[face.id]]
            desk.dialog = FaceEntry(desk.word("title-hand", player=_whose(desk)), faces, _entered)
        elif button is Button.PASS:
            from companion.control.corrections import correct

            correct(desk)
        elif button is Button.BACK:
            desk.keep_hand(desk.hand[:-1])

    def screen(self, desk: Desk) -> Screen:
        """Whose hand is shown, and what has been shown of it."""
        number = hands_to_lay_open(desk.state)[0]
        hand = desk.hand
        faces = [desk.state.setup.deck[face] for face in hand]
        wanted = desk.state.players[number].hand
        lines = (desk.word("shown-so-far", cards=faces),) if faces else ()
        keys = (desk.word("key-card"), desk.word("key-other") if hand else "", desk.word("key-look"), "", "")
        return Screen(
            heading=desk.word("hand-of", player=_whose(desk)),
            main=desk.word("show-card", number=len(hand) + 1, count=wanted),
            lines=lines,
            keys=keys,
        )


def _is_still(one: SeenCard, other: SeenCard) -> bool:
    """Whether a shown card is the one that was shown before: a little elsewhere it is another of the same face."""
    return one.serial == other.serial and is_same_card(one, other, _SAME_MM) and turned_deg(one, other) <= _SAME_DEG


def _whose(desk: Desk) -> str:
    return desk.state.setup.names[hands_to_lay_open(desk.state)[0]]


def _entered(desk: Desk, face: Face) -> None:
    add_card(desk, face)


def add_card(desk: Desk, face: Face) -> bool:
    """One more card of the hand; with the last one it is laid open. Says whether the card can be one of it."""
    number = hands_to_lay_open(desk.state)[0]
    hand = (*desk.hand, face.id)
    unseen = desk.state.unseen()
    if hand.count(face.id) > unseen[face.id]:
        desk.remark(desk.word("no-more", card=face))
        desk.sound("wrong")
        return False
    desk.sound("right")
    if len(hand) < desk.state.players[number].hand:
        desk.keep_hand(hand)
        return True
    try:
        desk.do(LayOpen(number, hand))
    except RuleError as error:
        desk.remark(desk.rules.error(error))
        return False
    return True


class Over:
    """OVER: the score sheet."""

    def watch(self, desk: Desk) -> bool:  # noqa: ARG002 - nothing more happens
        """Nothing more happens."""
        return False

    def press(self, desk: Desk, button: Button) -> None:
        """ROLL: a new game."""
        if button is Button.ROLL:
            from companion.control.events import Leave

            desk.effects.append(Leave("new-game"))

    def screen(self, desk: Desk) -> Screen:
        """Who has won, and with how many points."""
        outcome = result(desk.state)
        if outcome is None:
            return Screen()
        names = desk.state.setup.names
        lines = []
        for number, score in enumerate(outcome.scores):
            key = "score-automaton" if number == desk.state.setup.automaton else "score"
            lines.append(desk.word(key, player=names[number], points=score.points, cards=score.cards))
        return Screen(
            heading=desk.word("result"),
            main=verdict(desk),
            lines=tuple(lines),
            curve=desk.curve,
            keys=(desk.word("key-new"), "", desk.word("key-look"), "", ""),
        )


def verdict(desk: Desk) -> str:
    """Who has won."""
    state, outcome = desk.state, result(desk.state)
    if outcome is None:
        return ""
    winners = [state.setup.names[number] for number in outcome.winners]
    if not winners:
        return desk.word("lost")
    if state.setup.mode.is_solo:
        return desk.word("solo-points", points=outcome.scores[0].points)
    return desk.word("share" if len(winners) > 1 else "wins", player=winners)
