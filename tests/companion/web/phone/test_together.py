"""Two phones and the buttons at once: whatever they do, all see the same game, and it is the one in the record."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.device.last_game import Order
from companion.dice.box import SYSTEM
from companion.games.recorded_game import Keep
from companion.games.registry import games
from companion.games.settings import Settings
from tests.companion.games.every_game import check_told
from tests.companion.web.browsers import wait_until
from tests.companion.web.phone.served_session import Phone, ServedSession, all_agree, anything_happens


@pytest.mark.parametrize(
    # So many steps take seconds; a busy machine needs many times as long until something of each kind was heard.
    ("steps", "seconds"),
    [pytest.param(150, 90.0), pytest.param(5_000, 150.0, marks=pytest.mark.further)],
)
def test_all_see_the_same_whatever_they_do_at_once(steps: int, seconds: float, tmp_path: Path) -> None:
    served = ServedSession(tmp_path, Order("loknroll", "2"))
    with served, Phone(served.port, served.key) as one, Phone(served.port, served.key) as other:
        did = anything_happens(served, [one, other], seconds=seconds, steps=steps, seed=steps)
        wait_until(lambda: not served.session.is_behind)
        # What was pressed last may be heard later on a busy machine: the record must not grow while it is compared.
        turns = served.turns
        wait_until(lambda: served.turns >= turns + 2)
        play = served.playing()
        all_agree([one, other], play)
        print(did.said, served.judged.taken, served.judged.refused, play.facts()["turn"], one.refused)
        game = next(game for game in games() if game.name == play.game)
        check_told(game, served.session.record, play)
        copied = shutil.copy(served.session.record, tmp_path / "copied.jsonl")
        again = game.resume(Keep(Path(copied), tmp_path / "books"), Settings(), SYSTEM)
        assert again.facts() == play.facts()
        again.close()
    assert served.judged.has_seen_all
