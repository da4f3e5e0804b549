"""What does not lie as it must before the next turn can begin."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules import Phase, State
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.table.comparison import Comparison

PATIENCE_SECONDS: Final = 3.0
"""So long people may slide pieces before they are told that something is wrong."""
REMINDER_SECONDS: Final = 20.0
"""After so long they are also told if they have not touched anything yet."""


class Difference(NamedTuple):
    """``kind``: missing, leftover, emma, emma-unseen; ``card``: the railway's index, or the leftover's number."""

    kind: str
    card: int


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
    if desk.is_blind:
        return True
    table = desk.table
    return table is not None and desk.accepted.issuperset(differences(desk.state, table, desk.excused))


def trouble(desk: Desk) -> list[Difference]:
    """What people are to be told: what is wrong and has been so for a while."""
    if desk.is_blind or desk.table is None or desk.state.phase in {Phase.SETTING_UP, Phase.LAYING_OPEN, Phase.OVER}:
        return []
    wrong = [each for each in differences(desk.state, desk.table, desk.excused) if each not in desk.accepted]
    stepped = desk.now - desk.stepped_at
    touched = desk.memory.changed_at > desk.stepped_at or desk.story is None
    waited = min(stepped, desk.memory.quiet_seconds(desk.now)) if touched else stepped
    return wrong if waited >= (PATIENCE_SECONDS if touched else REMINDER_SECONDS) else []


def accept(desk: Desk) -> None:
    """People say that the table is right as it lies."""
    if desk.table is not None:
        desk.accepted = frozenset(differences(desk.state, desk.table, desk.excused))


def trouble_lines(desk: Desk, wrong: list[Difference]) -> list[str]:
    """What is wrong, in sentences, the most important first."""
    state, table = desk.state, desk.table
    lines = []
    leftover = [state.setup.deck[card.face] for card in (table.leftover if table else ())]
    if leftover:
        lines.append(desk.word("take-away", cards=leftover))
    missing = [state.railway.cards[each.card].face for each in wrong if each.kind == "missing"]
    if missing:
        lines.append(desk.word("put-back", cards=missing))
    for each in wrong:
        if each.kind.startswith("emma") and state.emma is not None:
            face = state.railway.cards[state.emma].face
            left = len(state.railway) - state.emma
            lines.append(desk.word(each.kind, card=face, place=left))
    return lines
