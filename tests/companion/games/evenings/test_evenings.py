"""Past games as a page shows them, of any game."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.dice.box import KINDS, Die
from companion.games.evenings import evenings as evenings_module
from companion.games.evenings import summaries
from companion.games.evenings.dice_check import checked
from companion.games.evenings.evenings import NOW, Evenings
from companion.games.loknroll.game import GAME
from companion.games.loknroll.rules import Mode
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from companion.record.file import read_record, write_record
from companion.record.occasion import Clock, Occasion
from companion.texts.language import LANGUAGES
from tests.companion.games.evenings.made_records import EVENING, WHOLE, lay_in, played, record_of
from tests.companion.games.every_game import GAMES
from tests.companion.games.test_recorded_games import RECORDS


def test_a_game_that_was_taken_in_is_listed_with_all_that_came_of_it(evenings: Evenings, solo: bytes) -> None:
    name = evenings.take_in(solo)
    (listed,) = evenings.listed()
    summary, end = listed.summary, GAME.summary(Path("x"), read_record(evenings._path(name)))
    assert (listed.name, listed.is_known, summary.game, summary.kind) == (name, True, "loknroll", "solo")
    assert summary.occasion == Occasion(**EVENING)
    assert (summary.players, summary.persons, summary.is_over) == (("Ann",), 1, True)
    assert (summary.points, summary.winners) == (end.points, end.winners) != ((), ())
    assert summary.seconds == 2.5 * (summary.steps - 1)


def test_the_newest_come_first_and_one_without_a_date_after_the_one_before_it(
    evenings: Evenings, tmp_path: Path
) -> None:
    dates = ["2026-11-28T20:00:00+01:00", "", "2026-11-28T19:30:00Z", "2020-01-01T00:00:00+00:00"]
    for number, date in enumerate(dates):
        evenings.take_in(record_of(tmp_path, WHOLE[Mode.SOLO], 6, id=str(number), **({"date": date} if date else {})))
    assert [listed.name[:4] for listed in evenings.listed()] == ["0003", "0002", "0001", "0004"]


def test_the_game_that_was_played_last_is_listed_before_it_joins_the_others(evenings: Evenings, tmp_path: Path) -> None:
    keep = Keep(tmp_path / "game.jsonl", tmp_path, Clock(lambda: 0.0, lambda: EVENING["date"]))
    GAME.begin("solo", keep, Settings(place="Bären", round="2", table="7"), None, Random(1)).close()
    (listed,) = evenings.listed()
    assert (listed.name, listed.is_known, listed.summary.occasion) == (NOW, False, Occasion(**EVENING))
    assert evenings.learn() == 0
    (listed,) = evenings.listed()
    assert (listed.is_known, listed.summary.is_over, listed.summary.points) == (True, False, ())
    assert evenings.exported(NOW) == keep.record.read_bytes()
    assert len(list(evenings.told(NOW, "en"))) == 2
    assert not (tmp_path / "games").exists()


def test_each_game_is_played_again_only_once(
    evenings: Evenings, tmp_path: Path, solo: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2, 3):
        lay_in(tmp_path, solo, number)
    assert [listed.is_known for listed in evenings.listed()] == [False] * 3
    assert [evenings.learn(), evenings.learn(5), evenings.learn()] == [2, 0, 0]
    learnt = evenings.listed()
    monkeypatch.setattr(evenings_module, "summary_of", lambda *_: pytest.fail("played once more"))
    again = Evenings(tmp_path, GAMES)
    assert again.learn(5) == 0
    assert again.listed() == learnt
    assert all(listed.is_known and listed.summary.points for listed in learnt)


def test_a_file_that_has_become_another_one_is_read_anew(evenings: Evenings, tmp_path: Path, solo: bytes) -> None:
    lay_in(tmp_path, solo)
    evenings.learn()
    lay_in(tmp_path, record_of(tmp_path, WHOLE[Mode.BETSY]))
    assert not evenings.listed()[0].is_known
    evenings.learn()
    assert evenings.listed()[0].summary.kind == "betsy"


def test_what_cannot_be_read_is_listed_and_spoils_nothing(evenings: Evenings, tmp_path: Path, solo: bytes) -> None:
    lay_in(tmp_path, solo)
    lay_in(tmp_path, b"\xff\0noise", 2)
    lay_in(tmp_path, solo.replace(b'"dice"', b'"dise"', 1), 3)
    (tmp_path / "games/0004.jsonl").mkdir()
    write_record(tmp_path / "games/0005.jsonl", {"game": "chess", **EVENING}, [{"step": "e4"}])
    write_record(tmp_path / "games/0006.jsonl", {"game": "rising", "id": "1"}, [{"step": "lay", "card": "x"}])
    evenings.listed()
    evenings.learn(9)
    troubles = {listed.name: listed.summary.trouble for listed in evenings.listed()}
    assert troubles == {
        "0001.jsonl": "",
        "0002.jsonl": summaries.UNREADABLE,
        "0003.jsonl": summaries.UNREADABLE,
        "0004.jsonl": summaries.UNREADABLE,
        "0005.jsonl": summaries.UNKNOWN_GAME,
        "0006.jsonl": summaries.UNREADABLE,
    }
    assert evenings.dice()[0].throws > 0


def test_summaries_that_are_damaged_or_of_another_form_are_made_anew(
    evenings: Evenings, tmp_path: Path, solo: bytes
) -> None:
    lay_in(tmp_path, solo)
    evenings.learn()
    learnt, path = evenings.listed(), tmp_path / "games/summaries.jsonl"
    whole = path.read_bytes()
    path.unlink()
    write_record(path, {"what": "summaries of games", "form": 2}, [{"x": 1}])
    other = path.read_bytes()
    for damaged in (b"", whole[:-40], whole.replace(b"Ann", b"Bob"), other, b"\0" * 5000):
        path.write_bytes(damaged)
        again = Evenings(tmp_path, GAMES)
        again.listed()
        again.learn()
        assert again.listed() == learnt
        assert Evenings(tmp_path, GAMES).listed() == learnt


def test_a_game_is_told_moment_by_moment_with_how_the_table_lies(evenings: Evenings, solo: bytes) -> None:
    name, game = evenings.take_in(solo), WHOLE[Mode.SOLO]
    for language in LANGUAGES:
        first, *moments, last = evenings.told(name, language)
        assert (first.table, first.at, last.at) == ({}, None, None)
        assert first.lines
        assert last.lines
        assert last.table == moments[-1].table
        for number, (told, state) in enumerate(zip(moments, game.states[1:], strict=True)):
            assert told.at == 2.5 * number
            cards = [(card["face"], card["x"], card["y"]) for card in told.table["cards"]]
            laid = [(card.face.id, card.pose) for card in state.railway.cards]
            assert cards == [(face, round(pose.x_mm, 2), round(pose.y_mm, 2)) for face, pose in laid if pose]
            assert len(cards) == len(state.railway)
            assert len(told.table["figures"]) == (state.emma is not None)
            assert len(told.table["points"]) == 1
    assert json.loads(msgspec.json.encode(moments))[3]["lines"][0][0] in {"event", "heading", "table"}


def test_without_rails_nobody_has_said_where_things_lie(evenings: Evenings, tmp_path: Path) -> None:
    name = evenings.take_in(record_of(tmp_path, played(rails=False)))
    *_, last = evenings.told(name, "en")
    assert {"cards", "figures"} & last.table.keys() == set()
    assert last.table["railway"]
    assert evenings.picture(name) == ""


def test_old_records_are_taken_in_as_they_are(evenings: Evenings) -> None:
    for number, path in enumerate(sorted((RECORDS / "loknroll/played").glob("*finished.jsonl")), start=1):
        name = evenings.take_in(path.read_bytes())
        assert evenings.exported(name) == path.read_bytes()
        assert len(evenings.listed()) == number
    assert {listed.summary.seconds for listed in evenings.listed()} == {None}
    assert {listed.summary.occasion for listed in evenings.listed()} == {Occasion()}


def test_dice_are_counted_over_all_games_and_judged(evenings: Evenings, tmp_path: Path) -> None:
    for mode, game in WHOLE.items():
        evenings.take_in(record_of(tmp_path, game, id=mode.value))
    write_record(tmp_path / "toy.jsonl", {"game": "rising", "id": "1"}, [{"step": "roll", "die": 6}])
    toy = evenings.take_in((tmp_path / "toy.jsonl").read_bytes())
    rolled = [wheels for game in WHOLE.values() for step in game.steps for wheels in getattr(step, "dice", ())]
    by_die = {check.die: check for check in evenings.dice()}
    wheel = by_die["wheel"]
    assert {face.face: face.times for face in wheel.faces} == Counter(rolled)
    assert (wheel.throws, wheel.verdict) == (len(rolled), "fair")
    assert by_die["d6"].verdict == "few"
    (of_toy,) = evenings.dice(toy)
    assert (of_toy.die, of_toy.throws) == ("d6", 1)
    for language in LANGUAGES:
        assert all(check.in_words(language) for check in by_die.values())


def test_before_the_first_roll_nothing_is_said_of_dice(evenings: Evenings, tmp_path: Path) -> None:
    whole = read_record(RECORDS / "loknroll/taken-back/finished.jsonl")
    lines = [{name: told for name, told in line.items() if name != "check"} for line in whole.lines[:3]]
    header = {name: told for name, told in whole.header.items() if name not in {"format", "version", "check"}}
    write_record(tmp_path / "begun.jsonl", header, lines)
    evenings.take_in((tmp_path / "begun.jsonl").read_bytes())
    assert not any("dice" in line for line in lines)
    assert evenings.dice() == []


@pytest.mark.parametrize(("wheels", "verdict"), [(67, "fair"), (82, "rare"), (95, "unfair")])
def test_what_chance_would_hardly_do_is_said(wheels: int, verdict: str) -> None:
    check = checked(KINDS["wheel"], Counter({1: wheels, 0: 100 - wheels}))
    assert check.verdict == verdict
    assert len({check.in_words(language) for language in LANGUAGES}) == 3


def test_a_die_with_one_face_is_as_chance_has_it() -> None:
    assert checked(Die("wheel", (1, 1)), Counter({1: 50})).verdict == "fair"


def test_dice_that_fall_again_after_a_step_back_are_counted_once(evenings: Evenings) -> None:
    path = RECORDS / "loknroll/taken-back/finished.jsonl"
    lines = read_record(path).lines
    told = sum(len(line.get("dice", ())) for line in lines)
    evenings.take_in(path.read_bytes())
    assert 0 < evenings.dice()[0].throws <= told


def test_all_games_are_given_away_together(evenings: Evenings, solo: bytes) -> None:
    name, file = evenings.take_in(solo), io.BytesIO()
    assert evenings.export_all(file) == []
    with zipfile.ZipFile(file) as told:
        assert told.read(f"games/{name}") == solo == evenings.exported(name)
