"""A solo game with another deck is told as such, and its score is none of the edition's."""

import json
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.commands.cli import main
from companion.games.loknroll.record.recorded_game import start_recorded
from companion.games.loknroll.record.solo_scores import SoloScores, curve_for, keep_score_of
from companion.games.loknroll.rules import Mode, State, load_edition, set_up
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import GreedyPlayer
from vision.cards import Deck, standard_deck

STANDARD = standard_deck("standard-55")
ONES = replace(STANDARD, faces=(replace(STANDARD.faces[0], id="one", count=55),))


def played(record: Path, deck: Deck) -> State:
    start = set_up(load_edition(), deck, Mode.SOLO, ["Ann"], rails=False)
    game, journal = start_recorded(record, start)
    for _ in Dealer(game, [GreedyPlayer()], Random(1)).play():
        pass
    journal.close()
    return start


def test_scores_of_other_decks_are_kept_apart(tmp_path: Path) -> None:
    scores = SoloScores(tmp_path / "solo-scores.jsonl")
    starts = [played(tmp_path / f"{number}.jsonl", deck) for number, deck in enumerate((STANDARD, ONES))]
    for number in (0, 1):
        keep_score_of(tmp_path / f"{number}.jsonl", scores)
    ours, ones = (curve_for(scores, start) for start in starts)
    assert len(ours) == len(ones) == 1
    assert len(scores.past(("Ann", load_edition().title, "solo"))) == 1


@pytest.mark.parametrize(("deck", "says_so"), [(STANDARD, False), (ONES, True)])
def test_replay_says_so(deck: Deck, says_so: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(tmp_path / "game.jsonl", deck)
    assert main(["replay", str(tmp_path / "game.jsonl"), "--language", "en"]) == 0
    told = capsys.readouterr().out
    assert ("Played with a deck other than the edition's: standard-55." in told) is says_so
    assert ("kept apart" in told) is says_so
    assert main(["replay", str(tmp_path / "game.jsonl"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["other_deck"] is says_so
