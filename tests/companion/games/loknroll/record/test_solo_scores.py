"""Solo scores: kept, compared with their like, and safe."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.games.loknroll.record.recorded_game import start_recorded
from companion.games.loknroll.record.solo_scores import (
    SoloScore,
    SoloScores,
    best_points,
    curve_for,
    keep_score_of,
    solo_score,
)
from companion.games.loknroll.rules import Mode
from companion.record.file import read_record
from tests.companion.games.loknroll.play.scripted_table import dealt, fresh


def score(points: int, *, player: str = "Ann", mode: str = "solo", is_lost: bool = False) -> SoloScore:
    return SoloScore(player, "German", mode, points, cards=3, is_lost=is_lost)


@pytest.mark.rule("SOLO1")
def test_the_best_score_is_the_lowest_of_all_games(tmp_path: Path) -> None:
    path = tmp_path / "state/scores.jsonl"
    for points in (30, 21, 25):
        kept = SoloScores(path).add(score(points))
    assert [entry.points for entry in kept] == [30, 21, 25]
    assert best_points(kept) == 21


@pytest.mark.rule("SOLO2")
def test_a_lost_game_is_no_best_score(tmp_path: Path) -> None:
    scores = SoloScores(tmp_path / "scores.jsonl")
    assert best_points(scores.add(score(2, is_lost=True))) is None
    assert best_points(scores.add(score(40))) == 40


def test_only_the_same_player_and_mode_are_compared(tmp_path: Path) -> None:
    scores = SoloScores(tmp_path / "scores.jsonl")
    scores.add(score(1, player="Ben"))
    scores.add(score(2, mode="solo-hard"))
    assert best_points(scores.add(score(50))) == 50


def test_a_torn_line_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    SoloScores(path).add(score(12))
    path.write_bytes(path.read_bytes() + b'{"player":"A')
    assert [entry.points for entry in SoloScores(path).add(score(13))] == [12, 13]


def test_another_file_is_put_aside_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text("my diary\n")
    SoloScores(path).add(score(12))
    assert (tmp_path / "scores.jsonl.damaged-1").read_text() == "my diary\n"
    assert [entry.points for entry in SoloScores(path).past(score(12).kind)] == [12]


def test_of_one_game_only_the_last_score_counts(tmp_path: Path) -> None:
    scores = SoloScores(tmp_path / "scores.jsonl")
    for points, game in ((10, "a"), (20, "b"), (12, "a"), (12, "a")):
        told = scores.add(replace(score(points), game=game))
    assert [entry.points for entry in told] == [12, 20]
    assert scores.past(score(0).kind) == told
    assert len(read_record(scores.path).lines) == 3


def test_a_recorded_solo_game_has_its_score_kept_once_it_is_over(tmp_path: Path) -> None:
    played, path = dealt(Mode.SOLO, 1), tmp_path / "game.jsonl"
    scores = SoloScores(tmp_path / "scores.jsonl")
    game, journal = start_recorded(path, played.states[0])
    for step in played.steps:
        keep_score_of(path, scores)
        assert not scores.path.exists()
        game.do(step)
    journal.close()
    for _ in range(2):
        keep_score_of(path, scores, {"Ann"})
    points = solo_score(game.state).points
    assert curve_for(scores, played.states[0], {"Ann"}) == (() if game.state.is_lost else (points,))
    assert curve_for(scores, played.states[0]) == ()


def test_a_game_of_several_has_no_curve(tmp_path: Path) -> None:
    assert curve_for(SoloScores(tmp_path / "none.jsonl"), fresh(Mode.TWO)) == ()
