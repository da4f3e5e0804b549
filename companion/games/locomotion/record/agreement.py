"""What people agreed on beside the rules: it stands in the first line of a record that was played at a table."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.locomotion.wording import Paints


class TournamentAgreed(msgspec.Struct, frozen=True):
    """Of which tournament a game is one (LTRN1): its ``id``, and how many ``games`` it has."""

    id: str
    games: int


class Agreement(msgspec.Struct, frozen=True, omit_defaults=True):
    """``kind`` is what was played, where that is not just the mode.

    ``automatic`` names for each seat the automatic player who has it, "" for a person's.
    ``puzzle`` is the number of the puzzle that is played alone; without one all was set up by people, or by lot.
    ``order`` are the colours from the locomotive on where they belong to the start; else they are drawn by lot.
    ``paints`` are those of the people's own vehicles; the printed game's where there are none.
    ``least`` are the fewest steps from the start of a game for one, if they were proven before it began.
    """

    kind: str = ""
    automatic: tuple[str, ...] = ()
    puzzle: int | None = None
    order: tuple[int, ...] = ()
    least: int | None = None
    paints: Paints = ()
    tournament: TournamentAgreed | None = None

    def fields(self) -> dict[str, Any]:
        """What of it stands in the first line."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        return told

    def is_automatic(self, seat: int) -> bool:
        """Whether the companion plays for a seat."""
        return seat < len(self.automatic) and bool(self.automatic[seat])


def agreement_in(first_line: dict[str, Any]) -> Agreement:
    """The one of a record; that of people alone where it tells none that can be read."""
    try:
        return msgspec.convert(first_line, Agreement)
    except msgspec.ValidationError:
        return Agreement()
