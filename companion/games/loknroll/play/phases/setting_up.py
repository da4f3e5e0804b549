"""The set-up: the initial railway, cards set aside, who begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.about_card import ask_whether_another
from companion.games.loknroll.play.dialogs.corrections import correct
from companion.games.loknroll.play.dialogs.entering import enter_start_card
from companion.games.loknroll.play.laying import is_near, laid, object_to, tidied
from companion.games.loknroll.play.room import wants_push
from companion.games.loknroll.play.trouble import GONE_SECONDS, is_front_hidden
from companion.games.loknroll.rules import Begin, Game, SetAside, StartCard, State
from companion.games.loknroll.rules.setting_up import layer, railway_is_ready, starters
from companion.games.loknroll.table.maps import railway_map
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.table_reading import SeenCard

_MOST_AT_ONCE: Final = 5


class SettingUp:
    """SETTING_UP: card by card, then what the camera cannot see, then the lot."""

    def __init__(self) -> None:
        """Nobody has been drawn by lot."""
        self._starter: int | None = None
        self._reverse = False

    def watch(self, desk: Desk) -> bool:
        """Accepts the cards of the initial railway, and those set aside."""
        table = tidied(desk)
        if table is None:
            return False
        deck, railway = desk.state.setup.deck, desk.state.railway
        if railway.cards and table.found[-1] is None and not is_front_hidden(desk, table):
            return self._taken_away(desk)
        fresh = desk.memory.fresh(table)
        if railway_is_ready(desk.state):
            return False
        for card in fresh:
            if desk.game.can(SetAside(card.face)) and (
                not deck[card.face].is_track or not is_near(railway, deck[card.face], card)
            ):
                desk.memory.deal(card)
                _set_aside(desk, card)
                return True
        ask_whether_another(desk, lambda card: desk.game.can(SetAside(card.face)), _set_aside)
        tracks = [card for card in fresh if deck[card.face].is_track]
        return self._lay(desk, tracks)

    @staticmethod
    def _taken_away(desk: Desk) -> bool:
        is_last = bool(desk.game.steps) and isinstance(desk.game.steps[-1], StartCard)
        if is_last and desk.memory.rest.quiet_seconds(desk.now) >= GONE_SECONDS:
            desk.take_back(1)
            return True
        return False

    @staticmethod
    def _lay(desk: Desk, tracks: Sequence[SeenCard]) -> bool:
        """Lays what lies there; if several cards have come at once, in the order in which they can have come."""
        count = desk.state.setup.edition.start_cards - len(desk.state.railway)
        if len(tracks) > 1 and not desk.state.railway.cards:
            order = best_sequence(desk, tracks[:_MOST_AT_ONCE], count)
            if order:
                for card in order:
                    desk.lay(StartCard(card.face, card.pose), card)
                desk.sound("right")
                return True
        if laid(desk, tracks, StartCard):
            return True
        object_to(desk, tracks, StartCard)
        return False

    def press(self, desk: Desk, button: Button) -> None:
        """Cards without a camera; then the lot and the beginning."""
        if not railway_is_ready(desk.state):
            self._press_laying(desk, button)
            return
        who = starters(desk.state)
        is_chosen = desk.state.setup.edition.direction == "chosen"
        match button:
            case Button.ROLL if self._starter is None and len(who) > 1:
                self._starter = who[desk.source.randrange(len(who))]
                desk.sound("dice")
            case Button.ROLL:
                desk.do(Begin(who[0] if self._starter is None else self._starter, self._reverse))
                desk.sound("turn")
            case Button.UP | Button.DOWN if len(who) > 1:
                now = who.index(self._starter) if self._starter in who else -1
                self._starter = who[(now + (1 if button is Button.DOWN else -1)) % len(who)]
            case Button.PASS if is_chosen:
                self._reverse = not self._reverse
            case _:
                pass

    @staticmethod
    def _press_laying(desk: Desk, button: Button) -> None:
        if button is Button.ROLL:
            enter_start_card(desk)
        elif button is Button.PASS:
            correct(desk)

    def screen(self, desk: Desk) -> Screen:
        """Who lays the next card; or what is left to do, and who begins."""
        if railway_is_ready(desk.state):
            return self._ready_screen(desk)
        state = desk.state
        name = state.setup.names[layer(state)]
        number, count = len(state.railway) + 1, state.setup.edition.start_cards
        lines = [desk.word("set-aside", cards=state.set_aside)] if state.set_aside else []
        if not desk.game.steps:
            lines.append(desk.word("start-card"))
        if wants_push(desk):
            lines = [desk.word("push")]
        other = desk.word("key-other") if desk.game.steps and not desk.is_blind else ""
        back = desk.word("key-back") if desk.game.steps else ""
        keys = (desk.word("key-card"), other, desk.word("key-look"), "", back)
        main = desk.word("lay-start", player=name)
        heading = desk.word("set-up-card", number=number, count=count)
        return Screen(heading=heading, main=main, lines=tuple(lines), map=railway_map(state), keys=keys)

    def _ready_screen(self, desk: Desk) -> Screen:
        state, edition = desk.state, desk.state.setup.edition
        who, names = starters(state), desk.state.setup.names
        emma = state.railway.cards[edition.emma_starts_on - 1].face
        lines = [desk.word("emma-on-start", card=emma, number=edition.emma_starts_on)]
        if state.set_aside:
            lines.append(desk.word("shuffle-in", count=len(state.set_aside)))
        deal = "deal-alone" if state.setup.mode.persons == 1 else "deal"
        lines.append(desk.word(deal, removed=edition.removed[state.setup.mode], count=edition.hand_cards))
        turn = ("↻✓" if self._reverse else "↻") if edition.direction == "chosen" else ""
        back = desk.word("key-back")
        if len(who) > 1 and self._starter is None:
            keys = (desk.word("key-roll"), turn, "▲", "▼", back)
            return Screen(heading=desk.word("set-up"), main=desk.word("who-begins"), lines=tuple(lines), keys=keys)
        starter = names[who[0] if self._starter is None else self._starter]
        arrows = ("▲", "▼") if len(who) > 1 else ("", "")
        keys = (desk.word("key-begin"), turn, *arrows, back)
        main = desk.word("begins", player=starter)
        return Screen(heading=desk.word("set-up"), main=main, lines=tuple(lines), keys=keys)


def best_sequence(desk: Desk, cards: Sequence[SeenCard], count: int) -> list[SeenCard] | None:
    """An order in which these cards can have been laid; Emma, if she stands there already, decides the direction.

    The cards that came first are the likelier beginning. None where they cannot all be laid.
    """
    emma = desk.memory.reading.emma if desk.memory.reading else None
    place = desk.state.setup.edition.emma_starts_on - 1
    found = None
    for order in permutations(sorted(cards, key=lambda card: card.serial), min(count, len(cards))):
        if not _can_be_laid_so(desk.state, order):
            continue
        if emma is None or (place < len(order) and order[place].serial == emma):
            return list(order)
        found = found or list(order)
    return found


def _can_be_laid_so(state: State, order: Sequence[SeenCard]) -> bool:
    game = Game(state)
    for card in order:
        step = StartCard(card.face, card.pose)
        if not game.can(step):
            return False
        game.do(step)
    return True


def _set_aside(desk: Desk, card: SeenCard) -> None:
    desk.do(SetAside(card.face))
