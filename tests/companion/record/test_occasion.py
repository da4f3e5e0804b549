"""When and where a game is played: clocks may be wrong, and words anybody's."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.record.calendar_date import date_now
from companion.record.file import RecordWriter, read_record
from companion.record.occasion import Clock, Occasion, at_of, occasion_of

HEADER = {"game": "test"}


def clock(*seconds: float, date: str = "") -> Clock:
    """A clock that shows these seconds, one after the other, and this date."""
    shown: Iterator[float] = iter(seconds)
    return Clock(lambda: next(shown), lambda: date)


def ats(path: Path) -> list[float]:
    return [line["at"] for line in read_record(path).lines]


def test_lines_tell_how_long_has_been_played_also_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordWriter.create(path, HEADER, clock(100.0, 101.26, 103.0, date="2026-11-28T20:15:00+01:00")) as writer:
        writer.append({"step": 1})
        writer.append({"step": 2})
    # Another start of the machine: its clock begins anew, and how long it was off nobody knows.
    writer, _ = RecordWriter.resume(path, clock(5.0, 5.5))
    with writer:
        writer.append({"step": 3})
    assert ats(path) == [1.3, 3.0, 3.5]
    assert read_record(path).header["date"] == "2026-11-28T20:15:00+01:00"


def test_a_clock_that_jumps_breaks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    jumps = clock(100.0, 104.0, 3.0, 4.0, math.nan, 5.0, math.inf, 1e300, 2.0)
    with RecordWriter.create(path, HEADER, jumps) as writer:
        for step in range(8):
            writer.append({"step": step})
    told = ats(path)
    assert told == sorted(told)
    assert told[:3] == [4.0, 4.0, 5.0]
    assert all(at_of(line) is not None for line in read_record(path).lines)


def test_without_a_clock_nothing_is_said_of_time(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordWriter.create(path, HEADER) as writer:
        writer.append({"step": 1})
    recording = read_record(path)
    assert recording.lines == [{"step": 1}]
    assert "date" not in recording.header


def test_a_date_that_is_not_known_is_not_written(tmp_path: Path) -> None:
    RecordWriter.create(tmp_path / "game.jsonl", HEADER, clock(1.0)).close()
    assert "date" not in read_record(tmp_path / "game.jsonl").header


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("date", "yesterday"),
        ("date", "2026-11-28T20:15:00"),  # where on earth?
        ("date", "2026-11-28"),
        ("date", 20261128),
        ("date", "2026-11-28T20:15:00+01:00" + "0" * 500_000),
        ("place", "x" * 41),
        ("place", ["Berlin"]),
        ("round", "\x1b[2J"),
        ("table", "1\n2"),
        ("table", "\u202eleft"),
        ("table", None),
    ],
)
def test_what_cannot_be_is_left_out(field: str, told: object) -> None:
    good = {"date": "2026-11-28T20:15:00+01:00", "place": "Berlin", "round": "2", "table": "7"}
    wanted = Occasion(**good)._replace(**{field: ""})
    assert occasion_of({**good, field: told}) == wanted


def test_words_are_anybodys() -> None:
    told = {"place": "Zum Bären – <b>", "round": "3", "table": "B", "date": "2026-11-28T19:15:00Z"}
    assert occasion_of(told).fields() == told
    assert occasion_of(told).moment == 1795893300.0


@pytest.mark.parametrize("at", [None, "3", True, -1, math.nan, math.inf, 10**400, [3]])
def test_a_time_that_cannot_be_is_none(at: object) -> None:
    assert at_of({"at": at}) is None


def test_a_record_with_an_odd_time_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordWriter.create(path, HEADER) as writer:
        for at in (3.0, "x", -5, 1e300):
            writer.append({"step": 1, "at": at})
    writer, _ = RecordWriter.resume(path, clock(0.0, 2.0))
    with writer:
        writer.append({"step": 2})
    assert ats(path)[-1] == 5.0


def machine(root: Path, *, synchronized: bool = False, chip: str | None = None) -> Path:
    if synchronized:
        (root / "run/systemd/timesync").mkdir(parents=True)
        (root / "run/systemd/timesync/synchronized").touch()
    if chip is not None:
        (root / "sys/class/rtc/rtc0").mkdir(parents=True)
        (root / "sys/class/rtc/rtc0/since_epoch").write_text(chip)
    return root


def test_the_date_is_told_once_a_network_or_a_clock_chip_says_so(tmp_path: Path) -> None:
    now = 1_795_893_300.0
    for number, known in enumerate(
        ({"synchronized": True}, {"chip": f"{now + 3600:.0f}\n"}, {"synchronized": True, "chip": "0\n"})
    ):
        root = tmp_path / str(number)
        told = date_now(machine(root, **known), lambda: now)  # type: ignore[arg-type]
        assert occasion_of({"date": told}).moment == now


@pytest.mark.parametrize("chip", [None, "12\n", "", "noise"])
def test_no_date_is_better_than_a_wrong_one(tmp_path: Path, chip: str | None) -> None:
    assert date_now(machine(tmp_path, chip=chip), lambda: 1_795_893_300.0) == ""


def test_a_clock_beyond_all_years_is_no_date(tmp_path: Path) -> None:
    assert date_now(machine(tmp_path, synchronized=True), lambda: 1e18) == ""
