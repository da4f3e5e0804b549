"""What comes from elsewhere is a game that was played, or it is refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.games.evenings import evenings as evenings_module
from companion.games.evenings.evenings import NOW, Evenings, Refused
from companion.games.loknroll.rules import Mode
from companion.record.file import read_record, write_record
from companion.record.occasion import Occasion
from companion.texts.language import LANGUAGES
from tests.companion.games.evenings.made_records import WHOLE, record_of
from tests.companion.games.test_recorded_games import RECORDS


def told_differently(change: Callable[[list[dict[str, Any]]], object]) -> Callable[[bytes, Path], bytes]:
    """The same record, but for one thing, with checksums that fit."""

    def made(data: bytes, folder: Path) -> bytes:
        (folder / "source.jsonl").write_bytes(data)
        recording = read_record(folder / "source.jsonl")
        objects = [recording.header, *recording.lines]
        change(objects)
        first, *lines = objects
        write_record(folder / "changed.jsonl", first, lines)
        return (folder / "changed.jsonl").read_bytes()

    return made


HOSTILE: list[tuple[str, Callable[[bytes, Path], bytes], str]] = [
    ("empty", lambda _, __: b"", "no-record"),
    ("noise", lambda _, __: bytes(range(256)) * 50, "no-record"),
    ("a zip", lambda _, __: b"PK\3\4" + bytes(100), "no-record"),
    ("deep", lambda _, __: b'{"format":' * 100_000, "no-record"),
    ("huge", lambda data, _: data * 1000, "too-large"),
    ("changed", lambda data, _: data.replace(b"Ann", b"Bob"), "no-record"),
    ("twice", lambda data, _: data + data, "no-record"),
    ("no step", lambda data, _: data.splitlines(keepends=True)[0], "no-step"),
    ("another game", told_differently(lambda told: told[0].update(game="chess")), "unknown-game"),
    ("a game that is none", told_differently(lambda told: told[0].update(game=["loknroll"])), "unknown-game"),
    ("another die", told_differently(lambda told: told[0]["edition"].update(die=[9])), "against-rules"),
    ("a lost line", told_differently(lambda told: told.pop(9)), "against-rules"),
    ("a die that cannot fall", told_differently(lambda told: _first_roll(told).update(dice=[7])), "against-rules"),
    ("no such place", told_differently(lambda told: told[1].update(pose=[1e999, 0, 0])), "against-rules"),
    ("no such step", told_differently(lambda told: told[5].update(step="win")), "against-rules"),
    ("endless names", told_differently(lambda told: told[0].update(players=["x" * 100_000])), "against-rules"),
]


def _first_roll(told: list[dict[str, Any]]) -> dict[str, Any]:
    return next(line for line in told if line.get("step") == "roll")


@pytest.mark.parametrize(("made", "key"), [pytest.param(made, key, id=name) for name, made, key in HOSTILE])
def test_what_is_no_game_is_refused_in_words(
    evenings: Evenings, tmp_path: Path, solo: bytes, made: Callable[[bytes, Path], bytes], key: str
) -> None:
    with pytest.raises(Refused) as caught:
        evenings.take_in(made(solo, tmp_path))
    assert caught.value.key == key
    for language in LANGUAGES:
        assert evenings_module.refusal(caught.value, language)
    assert evenings.listed() == []


LOCOMOTION: list[tuple[str, Callable[[list[dict[str, Any]]], object]]] = [
    ("a piece that is none", lambda told: told[0]["piece"].update(cells=[[0, number] for number in range(10_000)])),
    ("pieces without end", lambda told: told[0].update(pieces=[[[0, number], "E"] for number in range(10_000)])),
    ("a piece far away", lambda told: told[0]["pieces"].append([[10**18, 0], "E"])),
    ("a dot that there is not", lambda told: told[0].update(locomotives=[[99, 99]])),
    ("a crowd", lambda told: told[0].update(players=["Ann"] * 1_000)),
    ("a die that cannot fall", lambda told: _first_roll(told).update(number=7)),
    ("a win too soon", lambda told: told[5].update(then={"won": "Zoë"})),
    ("a step back too many", lambda told: told.append({"step": "take-back", "count": 99})),
]


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change in LOCOMOTION])
def test_so_is_a_game_of_another_kind(
    evenings: Evenings, tmp_path: Path, change: Callable[[list[dict[str, Any]]], object]
) -> None:
    whole = (RECORDS / "locomotion/solo-die-finished.jsonl").read_bytes()
    with pytest.raises(Refused) as caught:
        evenings.take_in(told_differently(change)(whole, tmp_path))
    assert caught.value.key == "against-rules"
    assert evenings.listed() == []
    evenings.take_in(whole)
    assert [game.summary.winners for game in evenings.listed()] == [("Zoë",)]


def test_hostile_words_of_an_occasion_do_not_get_in(evenings: Evenings, tmp_path: Path) -> None:
    odd = {"date": "<script>", "place": "\x1b[2J", "round": 7, "table": "x" * 100, "id": ["a"] * 999}
    evenings.take_in(record_of(tmp_path, WHOLE[Mode.SOLO], **odd))
    (listed,) = evenings.listed()
    assert listed.summary.occasion == Occasion()
    assert len(listed.summary.id) < 100


def test_a_game_comes_in_once(evenings: Evenings, solo: bytes) -> None:
    evenings.take_in(solo)
    with pytest.raises(Refused) as caught:
        evenings.take_in(solo)
    assert caught.value.key == "kept-already"
    assert len(evenings.listed()) == 1


def test_the_game_that_is_played_does_not_come_in_beside_itself(
    evenings: Evenings, tmp_path: Path, solo: bytes
) -> None:
    (tmp_path / "game.jsonl").write_bytes(solo)
    with pytest.raises(Refused) as caught:
        evenings.take_in(evenings.exported(NOW))
    assert caught.value.key == "kept-already"


def test_a_full_disk_is_told_in_words(evenings: Evenings, solo: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.record.archive.write_whole", full)
    with pytest.raises(Refused) as caught:
        evenings.take_in(solo)
    assert caught.value.key == "not-kept"
