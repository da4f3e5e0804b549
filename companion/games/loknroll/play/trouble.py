"""What does not lie as it must before the next turn can begin."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.desk.disputes import Difference
from companion.games.loknroll.rules import Phase, State
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.table.comparison import Comparison

PATIENCE_SECONDS: Final = 3.0
"""So long people may slide pieces before they are told that something is wrong."""
REMINDER_SECONDS: Final = 20.0
"""After so long they are also told if they have not touched anything yet."""
GONE_SECONDS: Final = 1.5
"""A card that is not seen for so long has been taken back: shorter, it was hidden."""


def differences(state: State, table: Comparison, excused: Collection[LaidCard] = ()) -> list[Difference]:
    """What keeps the table from being as the game stands; cards that are new are no difference.

    ``excused`` are cards of the railway that the camera need not see; nor need it what lies outside of its picture.
    """
    found = [Difference("leftover", card.serial) for card in table.leftover]
    missing = [index for index in table.missing if index not in table.outside]
    found += [Difference("missing", index) for index in missing if state.railway.cards[index] not in excused]
    is_hidden = not table.emma_seen and state.emma in table.outside
    if state.emma is not None and table.emma != state.emma and not is_hidden:
        found.append(Difference("emma" if table.emma_seen else "emma-unseen", -1 if table.emma is None else table.emma))
    return found


def is_settled(desk: Desk) -> bool:
    """Whether the table lies as it must, or people say that it does."""
    return desk.is_blind or (desk.table is not None and not _wrong(desk, desk.table))


def _wrong(desk: Desk, table: Comparison) -> list[Difference]:
    """The differences that people have not accepted."""
    found = differences(desk.state, table, desk.disputes.excused)
    return [each for each in found if each not in desk.disputes.accepted]


def trouble(desk: Desk) -> list[Difference]:
    """What people are to be told: what is wrong and has been so for a while.

    After a drive the table is always wrong at first: people read what Emma does, then move her, and look for the cards
    to take. Nobody is reminded of what they are about to do. Once they have touched the table, or where there is no
    drive to read about, hands that rest say that people take it to be right.
    """
    if desk.table is None or desk.state.phase in {Phase.SETTING_UP, Phase.LAYING_OPEN, Phase.OVER}:
        return []
    stepped = desk.now - desk.clock.stepped_at
    touched = desk.memory.rest.changed_at > desk.clock.stepped_at or desk.story is None
    waited = min(stepped, desk.memory.rest.quiet_seconds(desk.now)) if touched else stepped
    is_late = waited >= (PATIENCE_SECONDS if touched else REMINDER_SECONDS)
    return _wrong(desk, desk.table) if is_late else []


def accept(desk: Desk) -> None:
    """People say that the table is right as it lies."""
    if desk.table is not None:
        desk.disputes.accept(differences(desk.state, desk.table, desk.disputes.excused))


def is_front_hidden(desk: Desk, table: Comparison) -> bool:
    """Whether the camera need not see the front card: it lies outside of the picture, or people have said it lies."""
    railway = desk.state.railway
    return len(railway) - 1 in table.outside or (bool(railway.cards) and railway.front in desk.disputes.excused)


def trouble_lines(desk: Desk, wrong: list[Difference]) -> list[str]:
    """What is wrong, in sentences, the most important first."""
    state, table = desk.state, desk.table
    lines = []
    leftover = [state.setup.deck[card.face] for card in (table.leftover if table else ())]
    lying = [*leftover, *state.railway.faces]
    if leftover:
        lines.append(desk.word("take-away", cards=desk.word.apart(leftover, lying)))
    missing = [state.railway.cards[each.card].face for each in wrong if each.kind == "missing"]
    if missing:
        lines.append(desk.word("put-back", cards=desk.word.apart(missing, lying)))
    for each in wrong:
        if each.kind.startswith("emma") and state.emma is not None:
            face = state.railway.cards[state.emma].face
            left = len(state.railway) - state.emma
            lines.append(desk.word(each.kind, card=face, place=left))
    return lines
