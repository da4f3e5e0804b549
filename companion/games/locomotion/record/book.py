"""What is kept of games that are over: results of games for one, and tournaments."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.games.locomotion.record.solo_results import SoloResults, Sort, keep_result_of
from companion.games.locomotion.record.tournaments import Tournaments, keep_points_of
from companion.games.locomotion.wording import Wording
from companion.games.recorded_game import Keep, Score
from companion.games.settings import nameless

SOLO = "solo"
"""The kind of a game for one; those for more are called as the rules call their modes."""


class LocomotionBook:
    """Both books (``companion.games.recorded_game.Book``)."""

    def keep_result(self, keep: Keep) -> None:
        """Keeps what came of a game for one (LSOLO2), or the points of one of a tournament (LTRN1)."""
        nobody = nameless()
        keep_result_of(keep.record, SoloResults(keep.books), nobody)
        keep_points_of(keep.record, Tournaments(keep.books), nobody)

    def scores(self, keep: Keep) -> Sequence[Score]:
        """Those of games for one: the fewer points the better."""
        return [
            Score(result.player, SOLO, _as_word(result.compared), result.points, is_lost=False, game=result.game)
            for result in SoloResults(keep.books).all()
        ]

    def rules_called(self, rules: str, language: str) -> str:
        """How large the game is, and what the points are."""
        say = Wording(language)
        try:
            sort = msgspec.json.decode(rules, type=Sort)
        except msgspec.MsgspecError:
            return rules
        size = say("solo.size", piece=sort.piece, pieces=sort.pieces, wagons=sort.wagons)
        return say("solo.points-steps" if sort.start else "solo.points-more", size=size, start=sort.start[:4])


def _as_word(sort: Sort) -> str:
    return msgspec.json.encode(sort).decode()
