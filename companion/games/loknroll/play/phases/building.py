"""A person's turn: cards laid, ROLL, or PASS."""

from __future__ import annotations

from typing import Final

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.chaos_cards import shown
from companion.games.loknroll.play.dialogs.choosing import WheelsEntry
from companion.games.loknroll.play.dialogs.corrections import correct
from companion.games.loknroll.play.dialogs.entering import enter_card
from companion.games.loknroll.play.laying import laid, object_to, tidied
from companion.games.loknroll.play.room import is_front_out_of_sight, wants_push
from companion.games.loknroll.play.sentences import odds_line
from companion.games.loknroll.play.trouble import GONE_SECONDS, is_front_hidden
from companion.games.loknroll.rules import Draw, Lay, Pass, Phase, Roll, RuleError, State, after
from companion.games.loknroll.rules.building import dice_to_roll
from companion.games.loknroll.table.comparison import Comparison
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Kind
from vision.watching.table_reading import SeenCard

HURRY_SECONDS: Final = 1.0
"""So long ROLL waits for a hand to leave the table: another card may lie under it."""
WAITING_SECONDS: Final = 1.5
"""So long ROLL waits for the first card where somebody is faster than the camera; then it is entered."""
NEWS_SECONDS: Final = 10.0
"""So long after a drive its sentence stands on the next player's screen."""


class Building:
    """ACTING and BUILDING of a person."""

    def watch(self, desk: Desk) -> bool:
        """Accepts what lies; says whether the game has gone on."""
        table = tidied(desk)
        if table is not None and self._look(desk, table):
            return True
        return self._hurried(desk)

    def _look(self, desk: Desk, table: Comparison) -> bool:
        deck, fresh = desk.state.setup.deck, desk.memory.fresh(table)
        if desk.state.phase is Phase.BUILDING and (self._slid(desk, table, fresh) or self._gone(desk, table)):
            return True
        chaos = [card for card in fresh if deck[card.face].kind is Kind.CHAOS]
        if chaos and desk.state.phase is Phase.ACTING:
            return shown(desk, chaos[0])
        tracks = [card for card in fresh if deck[card.face].is_track]
        if laid(desk, tracks):
            return True
        object_to(desk, tracks)
        return False

    @staticmethod
    def _slid(desk: Desk, table: Comparison, fresh: list[SeenCard]) -> bool:
        """The front card has been moved: it lies elsewhere now, or was read better."""
        front, seen = desk.state.railway.front, table.found[-1]
        is_other = seen is not None and not seen.may_be(front.face.id) and front not in desk.disputes.excused
        again = seen if is_other else None
        # What is open may be another one, and is asked about once the front card is known to be gone.
        moved = [card for card in fresh if card.face == front.face.id and not card.others] if seen is None else []
        for card in [again] if again else moved:
            step = Lay(card.face, card.pose)
            before = desk.game.states[-2]
            # A card that people have corrected goes on being read wrongly: news is only a reading other than the one
            # by which it was laid, or another card.
            if (card is not again or desk.memory.faces.reads_otherwise(card)) and _can_follow(before, step):
                desk.take_back(1)
                desk.lay(step, card)
                return True
        return False

    @staticmethod
    def _gone(desk: Desk, table: Comparison) -> bool:
        """The front card has been taken back into the hand."""
        is_quiet = desk.memory.rest.quiet_seconds(desk.now) >= GONE_SECONDS
        if table.found[-1] is None and is_quiet and not is_front_hidden(desk, table):
            desk.take_back(1)
            return True
        return False

    @staticmethod
    def _hurried(desk: Desk) -> bool:
        """Does what was pressed before the camera was ready for it."""
        button, waited = desk.early.button, desk.early.waited(desk.now)
        if button is None:
            return False
        is_ready = desk.is_blind or desk.table is not None
        if desk.state.phase is Phase.BUILDING and button is Button.ROLL:
            if is_ready or waited >= HURRY_SECONDS:
                desk.early.drop()
                roll(desk)
                return True
        elif button is Button.PASS:
            desk.early.drop()
            return do_pass(desk)
        elif waited >= WAITING_SECONDS:
            desk.early.drop()
            enter_card(desk)
        return False

    def press(self, desk: Desk, button: Button) -> None:
        """ROLL, or PASS: what they mean depends on whether a card lies."""
        is_building = desk.state.phase is Phase.BUILDING
        match button:
            case Button.ROLL if is_building and (desk.is_blind or desk.table is not None):
                roll(desk)
            case Button.ROLL if desk.is_blind:
                enter_card(desk)
            case Button.ROLL:
                # A hand is over the table, or the card has not been read yet.
                desk.early.keep(Button.ROLL, desk.now)
            case Button.PASS if not is_building:
                do_pass(desk)
            case Button.PASS if _enters_cards(desk):
                enter_card(desk)
            case Button.PASS:
                correct(desk)
            case _:
                pass

    def screen(self, desk: Desk) -> Screen:
        """Who is to play, or what has been laid and how many dice it gives."""
        left = desk.word("cards-left", count=desk.state.draw_pile)
        heading = desk.word("heading", player=desk.name, left=left)
        look, back = desk.word("key-look"), desk.word("key-back")
        if desk.state.phase is Phase.ACTING:
            enter = desk.word("key-card")
            is_news = desk.story is not None and desk.now - desk.story.at_seconds < NEWS_SECONDS
            lines = (desk.word("lay-or-pass"), *(desk.story.lines[:1] if desk.story and is_news else ()))
            if wants_push(desk):
                lines = (desk.word("push"),)
            main = desk.word("your-turn", player=desk.name)
            keys = (enter, desk.word("key-pass"), look, "", "")
            return Screen(heading=heading, main=main, lines=lines, keys=keys)
        values = [card.face.value for card in desk.state.railway.cards[-desk.state.laid :]]
        count = dice_to_roll(desk.state)
        summed = " + ".join(map(str, values))
        lines = (odds_line(desk.word, desk.state, count),)
        if desk.state.outcome.dead_end:
            lines += (desk.word("dead-end"),)
        other = desk.word("key-more" if _enters_cards(desk) else "key-other")
        keys = (desk.word("key-roll"), other, look, "", back)
        return Screen(heading=heading, main=desk.word("dice-of-sum", sum=summed, count=count), lines=lines, keys=keys)


def _enters_cards(desk: Desk) -> bool:
    """Whether people say what they lay besides, since no camera sees it there."""
    return desk.is_blind or is_front_out_of_sight(desk)


def _can_follow(before: State, step: Lay) -> bool:
    try:
        after(before, step)
    except RuleError:
        return False
    return True


def roll(desk: Desk) -> None:
    """The dice fall, or people enter what theirs show."""
    if desk.objection is not None:
        desk.sound("wrong")
        return
    count = dice_to_roll(desk.state)
    if desk.own.real_dice and not desk.tape.knows(desk.game.steps, count):
        die = desk.state.setup.edition.die
        desk.open(WheelsEntry(count * max(die), lambda desk, wheels: _rolled(desk, as_dice(wheels, die, count))))
        return
    _rolled(desk, desk.dice(count))


def _rolled(desk: Desk, dice: tuple[int, ...]) -> None:
    desk.do(Roll(dice))
    desk.sound("dice")


def as_dice(wheels: int, die: tuple[int, ...], count: int) -> tuple[int, ...]:
    """So many wheels as faces of so many dice."""
    dice = []
    for left in range(count, 0, -1):
        # As many as leave the other dice what they show at least.
        face = max(face for face in set(die) if face <= wheels - (left - 1) * min(die))
        dice.append(face)
        wheels -= face
    return tuple(dice)


def do_pass(desk: Desk) -> bool:
    """The person passes; the card they have drawn goes into the hand before."""
    # Else a button pressed twice would pass for the next player too.
    if desk.clock.has_just_passed:
        return False
    if desk.state.phase is Phase.DRAWING:
        desk.do(Draw())
    desk.do(Pass())
    desk.clock.pass_on()
    return True
