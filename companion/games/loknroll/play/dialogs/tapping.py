"""Cards that people tap on a page, and say which they are; and taking back there. What is asked too late is refused."""

from __future__ import annotations

from companion.games.events import Corrected, TakenBack
from companion.games.game import TableCard
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.about_card import AboutCard
from companion.games.loknroll.play.dialogs.choosing import PlaceEntry
from companion.games.loknroll.play.dialogs.corrections import (
    cannot_be,
    face_of,
    last_read,
    others,
    others_of,
    redo,
    rename,
    steps_of_railway,
)
from companion.games.loknroll.play.dialogs.taking_back import take_back
from companion.games.loknroll.play.dialogs.which_card import WhichCard
from companion.games.loknroll.rules import Phase
from vision.cards import Face
from vision.watching.table_reading import SeenCard

_ABOUT_SEEN_CARD = (AboutCard, WhichCard, PlaceEntry)
"""The dialogs that keep a card as it was read: they would go on with what it is no more."""


def moment(desk: Desk) -> str:
    """Names how the game stands, by what is kept and by what has been shown of a hand."""
    return " ".join((str(desk.game.changes), *desk.hand))


def table_cards(desk: Desk) -> list[TableCard]:
    """What people may correct: the railway, the card shown last, and those that lie there and do not count yet.

    A card that counts has the number of the step by which it was read, the last one of a hand the number of the next
    step; what does not count yet has its serial's, below 0.
    """
    numbers = steps_of_railway(desk)
    cards = [
        TableCard(number, laid.face.id, place, laid.pose)
        for place, (number, laid) in enumerate(zip(numbers, desk.state.railway.cards, strict=True))
    ]
    shown = last_read(desk)
    if desk.hand:
        cards.append(TableCard(len(desk.game.steps), desk.hand[-1]))
    elif shown is not None and shown not in numbers:
        cards.append(TableCard(shown, face_of(desk, shown)))
    return cards + [TableCard(_number(card), card.face, pose=card.pose) for card in _fresh(desk)]


def corrections(desk: Desk, card: int) -> list[str]:
    """As which faces a card may be corrected, the likeliest first; the rules may still refuse them."""
    known = _known(desk, card)
    return [] if known is None else [face.id for face in _others(desk, known)]


def put_right(desk: Desk, told: Corrected) -> None:
    """Does what the buttons' correction does, for any card; refuses it where the card is taken for another one now."""
    known, deck = _known(desk, told.card), desk.state.setup.deck
    if known is None or known.face != told.was or told.face not in deck or told.face == told.was:
        _refuse(desk)
        return
    face = deck[told.face]
    if face not in _others(desk, known):
        cannot_be(desk, face, "MAT1")
    elif known.card < 0:
        if isinstance(desk.dialog, _ABOUT_SEEN_CARD):
            desk.close()
        for card in _fresh(desk):
            if _number(card) == known.card:
                rename(desk, card, face)
    elif known.card == len(desk.game.steps):
        desk.close()
        desk.keep_hand((*desk.hand[:-1], face.id))
        desk.remark(desk.word("corrected", card=face))
    else:
        redo(desk, known.card, face)


def go_back(desk: Desk, told: TakenBack) -> None:
    """Takes back as BACK does when it is held; refuses it where the game has gone on or back since it was asked."""
    if told.moment != moment(desk):
        _refuse(desk)
        return
    # It was meant for the cards as they lay.
    desk.early.drop()
    if desk.hand:
        desk.close()
        desk.keep_hand(desk.hand[:-1])
    else:
        take_back(desk, held=True)


def _refuse(desk: Desk) -> None:
    desk.remark(desk.word("meanwhile"))
    desk.sound("wrong")


def _known(desk: Desk, card: int) -> TableCard | None:
    return next((each for each in table_cards(desk) if each.card == card), None)


def _others(desk: Desk, known: TableCard) -> list[Face]:
    is_step = 0 <= known.card < len(desk.game.steps)
    return others_of(desk, known.card) if is_step else others(desk.state, known.face)


def _fresh(desk: Desk) -> list[SeenCard]:
    """What lies on the table and does not count yet, as it was seen last."""
    table = None if desk.is_blind else desk.memory.table
    cards = [] if table is None else desk.memory.fresh(table)
    # Cards of a hand lie there as new ones once they have been counted, too: only what cannot be told still waits.
    return [card for card in cards if card.others] if desk.state.phase is Phase.LAYING_OPEN else cards


def _number(card: SeenCard) -> int:
    return -1 - card.serial
