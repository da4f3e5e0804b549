"""Results over many games, those from elsewhere among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.evenings.evenings import Evenings, Refused
from companion.games.loknroll.game import GAME
from companion.games.loknroll.record.solo_scores import keep_score_of, solo_scores_in
from companion.games.recorded_game import Keep
from companion.record.file import read_record
from tests.companion.games.evenings.made_records import lay_in, played, record_of


def test_the_solo_curve_has_the_dates_of_its_games(evenings: Evenings, tmp_path: Path) -> None:
    points = {}
    for number, seed in enumerate((3, 4), start=1):
        game = played(seed=seed)
        path = lay_in(
            tmp_path, record_of(tmp_path, game, id=f"game {seed}", date=f"2026-11-0{number}T20:00:00Z"), number
        )
        keep_score_of(path, solo_scores_in(tmp_path))
        points[path.name] = GAME.summary(path, read_record(path)).points[0]
    (tmp_path / "games/0002.jsonl").unlink()
    evenings.learn(9)
    (curve,) = evenings.curves()
    assert (curve.game, curve.player, curve.kind) == ("loknroll", "Ann", "solo")
    assert [(result.points, result.date, result.name) for result in curve.results] == [
        (points["0001.jsonl"], "2026-11-01T20:00:00Z", "0001.jsonl"),
        (points["0002.jsonl"], "", ""),
    ]


def result_of(evenings: Evenings, data: bytes) -> int:
    """The points of a game that is taken in."""
    name = evenings.take_in(data)
    return next(listed.summary.points[0] for listed in evenings.listed() if listed.name == name)


def test_a_game_from_elsewhere_enters_the_curve_where_it_was_played(evenings: Evenings, tmp_path: Path) -> None:
    def dated(seed: int, day: int, **more: object) -> bytes:
        return record_of(tmp_path, played(seed=seed), **{"id": f"{seed}", "date": f"2026-11-0{day}T20:00:00Z", **more})

    ours = lay_in(tmp_path, dated(3, 5), 1)
    GAME.book.keep_result(Keep(ours, tmp_path))
    later, earlier = dated(4, 8), dated(5, 2)
    expected = [result_of(evenings, later), result_of(evenings, earlier)]
    evenings.learn(9)
    (curve,) = evenings.curves()
    dates = [result.date[:10] for result in curve.results]
    assert dates == ["2026-11-02", "2026-11-05", "2026-11-08"]
    assert [curve.results[2].points, curve.results[0].points] == expected
    # What another record says of a game that is in the book changes nothing, and what is too long for it stays out.
    evenings.take_in(dated(6, 6, id="3"))
    evenings.take_in(dated(7, 7, id="7" * 2_000))
    assert evenings.curves() == [curve]


def test_a_result_that_a_power_cut_has_kept_out_is_found_again(evenings: Evenings, tmp_path: Path, solo: bytes) -> None:
    name = evenings.take_in(solo)
    (curve,) = evenings.curves()
    book = solo_scores_in(tmp_path).path
    book.unlink()
    for _ in range(2):
        with pytest.raises(Refused, match="kept-already"):
            evenings.take_in(solo)
        assert evenings.curves() == [curve]
    # A book that cannot be written is said, and nothing is lost by trying again.
    book.unlink()
    (tmp_path / "games" / name).unlink()
    book.mkdir()
    with pytest.raises(Refused, match="not-kept"):
        evenings.take_in(solo)
    book.rmdir()
    with pytest.raises(Refused, match="kept-already"):
        evenings.take_in(solo)
    assert [len(found.results) for found in evenings.curves()] == [1]
