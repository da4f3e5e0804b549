"""What does not lie as it must before the next turn can begin."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Final

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.desk.disputes import Difference
from companion.games.loknroll.rules import Phase, State
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.table.comparison import Comparison
from vision.cards import Face
from vision.watching.table_reading import SeenCard

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


def _all(desk: Desk, table: Comparison) -> list[Difference]:
    """All differences; between two turns nothing that was shown may lie there either."""
    shown = desk.memory.lying(table) if desk.state.phase is Phase.DRAWING else []
    return differences(desk.state, table, desk.disputes.excused) + [Difference("shown", card.serial) for card in shown]


def _wrong(desk: Desk, table: Comparison) -> list[Difference]:
    """The differences that people have not accepted."""
    found = _all(desk, table)
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
        desk.disputes.accept(_all(desk, desk.table))


def is_front_hidden(desk: Desk, table: Comparison) -> bool:
    """Whether the camera need not see the front card: it lies outside of the picture, or people have said it lies."""
    railway = desk.state.railway
    return len(railway) - 1 in table.outside or (bool(railway.cards) and railway.front in desk.disputes.excused)


def going_lines(desk: Desk, cards: Sequence[SeenCard]) -> list[str]:
    """Which of these cards go where, a sentence for each place."""
    places: dict[str, list[Face]] = {}
    for card in cards:
        face = desk.state.setup.deck[card.face]
        places.setdefault(_destiny(desk, face), []).append(face)
    lying = [*itertools.chain.from_iterable(places.values()), *desk.state.railway.faces]
    return [desk.word("goes", cards=desk.word.apart(faces, lying), place=place) for place, faces in places.items()]


def _destiny(desk: Desk, face: Face) -> str:
    """Where a card goes that is no more part of the railway: where such a card has come in the last two turns.

    One like it may have come onto a pile long before; this one was never played.
    """
    if face in desk.state.taken:
        return desk.word("onto-pile-of", player=desk.name)
    lately = itertools.takewhile(lambda state: state.turn >= desk.state.turn - 1, reversed(desk.game.states))
    for after, before in itertools.pairwise(lately):
        for name, old, new in zip(after.setup.names, before.players, after.players, strict=True):
            if new.pile.count(face) > old.pile.count(face):
                return desk.word("onto-pile-of", player=name)
        if after.box.count(face) > before.box.count(face):
            return desk.word("into-box")
    return desk.word("into-hand")


def trouble_lines(desk: Desk, wrong: list[Difference]) -> list[str]:
    """What is wrong, in sentences, the most important first."""
    state, table = desk.state, desk.table
    lines = []
    if table is not None:
        wanted = {each.card for each in wrong if each.kind in {"leftover", "shown"}}
        lines += going_lines(desk, [card for card in (*table.leftover, *table.new) if card.serial in wanted])
    missing = [state.railway.cards[each.card].face for each in wrong if each.kind == "missing"]
    if missing:
        lines.append(desk.word("put-back", cards=desk.word.apart(missing, state.railway.faces)))
    for each in wrong:
        if each.kind.startswith("emma") and state.emma is not None:
            face = state.railway.cards[state.emma].face
            left = len(state.railway) - state.emma
            lines.append(desk.word(each.kind, card=face, place=left))
    return lines
