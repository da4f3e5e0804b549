"""The end: hands are laid open, and the score sheet."""

from __future__ import annotations

from typing import Final

from companion.games.events import Leave
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.about_card import AboutCard
from companion.games.loknroll.play.dialogs.choosing import FaceEntry
from companion.games.loknroll.play.dialogs.corrections import correct
from companion.games.loknroll.play.dialogs.entering import faces_left
from companion.games.loknroll.play.laying import tidied
from companion.games.loknroll.rules import LayOpen, RuleError, result
from companion.games.loknroll.rules.scoring import Result, Score
from companion.games.loknroll.rules.turn import hands_to_lay_open
from companion.games.loknroll.table.dealt_cards import Dealt
from companion.games.loknroll.table.same_cards import is_unmoved
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Face
from vision.watching.table_reading import SeenCard

_FEW: Final = 2
"""The scores of so many players stand in sentences."""


class Hands:
    """LAYING_OPEN: the cards of each hand are shown one after the other."""

    def __init__(self) -> None:
        self._counted: list[Dealt] = []

    def watch(self, desk: Desk) -> bool:
        """Counts each card that has been shown: one that has moved a little is another of the same face."""
        table = tidied(desk)
        if table is None:
            return False
        self._counted = [each for each in self._counted if any(is_unmoved(each.card, card) for card in table.new)]
        for card in desk.memory.fresh(table):
            same = next((each for each in self._counted if is_unmoved(each.card, card)), None)
            if same is not None and desk.memory.rest.visits > same.visits and desk.can_be_added(card.face):
                # Taken away, and another one put exactly there? Or only touched?
                text = desk.word("another", card=desk.state.setup.deck[card.face])
                desk.open(AboutCard(text, card, _one_more))
            self._counted = [each for each in self._counted if each is not same]
            self._counted.append(Dealt(card, desk.memory.rest.visits))
            if same is None:
                return add_card(desk, desk.state.setup.deck[card.face])
        return False

    def press(self, desk: Desk, button: Button) -> None:
        """ROLL: a card is entered. PASS: the last one was another."""
        if button is Button.ROLL:
            desk.open(FaceEntry(desk.word("title-hand", player=_whose(desk)), faces_left(desk.state), _entered))
        elif button is Button.PASS:
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


def _whose(desk: Desk) -> str:
    return desk.state.setup.names[hands_to_lay_open(desk.state)[0]]


def _one_more(desk: Desk, card: SeenCard) -> None:
    add_card(desk, desk.state.setup.deck[card.face])


def _entered(desk: Desk, face: Face) -> None:
    add_card(desk, face)


def add_card(desk: Desk, face: Face) -> bool:
    """One more card of the hand; with the last one it is laid open. Says whether the card can be one of it."""
    number = hands_to_lay_open(desk.state)[0]
    hand = (*desk.hand, face.id)
    if not desk.can_be_added(face.id):
        desk.disputes.forbid("MAT1")
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
        desk.refuse(error)
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
            desk.send(Leave("new-game"))

    def screen(self, desk: Desk) -> Screen:
        """Who has won, and with how many points."""
        outcome = result(desk.state)
        if outcome is None:
            return Screen()
        return Screen(
            heading=desk.word("result"),
            main=verdict(desk),
            lines=score_lines(desk, outcome),
            curve=curve(desk),
            keys=(desk.word("key-new"), "", desk.word("key-look"), "", ""),
        )


def curve(desk: Desk) -> tuple[int, ...]:
    """Past results of a solo player and this one; nothing where the game is lost."""
    outcome = result(desk.state)
    if outcome is None or not desk.state.setup.mode.is_solo or desk.state.is_lost:
        return ()
    return (*desk.curve, outcome.scores[0].points)


def score_lines(desk: Desk, outcome: Result) -> tuple[str, ...]:
    """What everybody has: of many the points, the cards only where they decide."""
    names, count = desk.state.setup.names, len(outcome.scores)
    if desk.state.is_lost:
        return (desk.word("lost-why"),)
    if desk.state.setup.mode.is_solo:
        return (desk.word("cards", count=outcome.scores[0].cards),)
    if count == _FEW:
        return tuple(score_line(desk, number, score) for number, score in enumerate(outcome.scores))
    order = sorted(range(count), key=lambda number: _rank(outcome.scores[number]))
    points = [f"{names[number]} {outcome.scores[number].points}" for number in order]
    lines = [desk.word("all-points", scores=points)]
    if len({score.points for score in outcome.scores}) < count:
        lines.append(desk.word("all-cards", scores=[f"{names[n]} {outcome.scores[n].cards}" for n in order]))
    return tuple(lines)


def _rank(score: Score) -> tuple[int, int]:
    return score.points, score.cards


def score_line(desk: Desk, number: int, score: Score) -> str:
    """A player's points and cards; of the automaton only its cards count."""
    name, cards = desk.state.setup.names[number], desk.word("cards", count=score.cards)
    if number == desk.state.setup.automaton:
        return desk.word("score-automaton", player=name, cards=cards)
    return desk.word("score", player=name, points=desk.word("points", count=score.points), cards=cards)


def verdict(desk: Desk) -> str:
    """Who has won."""
    state, outcome = desk.state, result(desk.state)
    if outcome is None:
        return ""
    winners = [state.setup.names[number] for number in outcome.winners]
    if not winners:
        return desk.word("lost")
    if state.setup.mode.is_solo:
        return desk.word("points", count=outcome.scores[0].points)
    return desk.word("share" if len(winners) > 1 else "wins", player=winners)
