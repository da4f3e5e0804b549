"""Where people and the companion see the table otherwise: what it objects to, and what they say is right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.games.loknroll.rules.railway.railway import LaidCard
from vision.watching.table_reading import SeenCard


class Objection(NamedTuple):
    """What is wrong with a card on the table, by which clause, and what to do.

    ``can_stay``: people may leave it as it lies.
    """

    text: str
    clause: str
    card: SeenCard
    advice: str = ""
    marked: tuple[int, ...] = ()
    is_place: bool = False
    can_stay: bool = False


class Difference(NamedTuple):
    """``kind``: missing, leftover, shown, emma, emma-unseen; ``card``: the railway's index, or a loose card's."""

    kind: str
    card: int


class Disputes:
    """The objection to a card that lies there, the differences people accept, the cards the camera need not see."""

    def __init__(self) -> None:
        self.objection: Objection | None = None
        self.accepted: frozenset[Difference] = frozenset()
        self.excused: frozenset[LaidCard] = frozenset()
        self.forbidden = ""
        """The clause that forbade what was tried last; "" once something has been accepted since."""

    def object_to(self, objection: Objection) -> None:
        """Something is wrong with a card."""
        if self.objection is None or self.objection.text != objection.text:
            self.forbidden = objection.clause
        self.objection = objection

    def forbid(self, clause: str) -> None:
        """People have tried what this clause forbids."""
        self.forbidden = clause

    def permit(self) -> None:
        """Something has been accepted."""
        self.forbidden = ""

    def withdraw(self) -> None:
        """Nothing is wrong with any card."""
        self.objection = None

    def accept(self, differences: Iterable[Difference]) -> None:
        """People say that the table is right as it lies, until the game goes on."""
        self.accepted = frozenset(differences)

    def excuse(self, card: LaidCard) -> None:
        """People have said that this card lies there: the camera need not see it."""
        self.excused |= {card}

    def step(self) -> None:
        """The game has gone on, or back: only what is excused stays so."""
        self.permit()
        self.objection = None
        self.accepted = frozenset()
