"""Past games on the page's server: whoever watches may look at them and keep them, those let in bring others."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.commands.shared.virtual_table import without_pins
from companion.device.virtual_device import VirtualDevice
from companion.games.evenings.evenings import Evenings
from companion.games.loknroll.record.solo_scores import keep_score_of, solo_scores_in
from companion.games.loknroll.rules import Mode
from companion.games.registry import games
from companion.games.settings import Settings
from companion.record import archive
from companion.record.file import LARGEST_BYTES, read_record, write_record
from companion.web.phone import evenings as evenings_module
from companion.web.phone.door import COOKIE
from companion.web.phone.keys import Keys
from companion.web.phone.news import SessionNews
from companion.web.phone.served import make_app
from tests.companion.games.evenings.test_evenings import EVENING, WHOLE, record_of
from tests.companion.games.test_recorded_games import RECORDS

PORT = 8056
FOUR, SOLO = "0001.jsonl", "0002-2026-11-28.jsonl"
GAMES = "/phone/evenings/games"
NO_NAMES = ["now", "x", "..%2F..%2Fphones.json", "%2e%2e", "0001.jsonl%00", "0001.jsonl%2F", "x" * 10_000, "9999.jsonl"]


class Page:
    """A companion that is not switched on, its page, and two games: one of four players, one alone on an evening."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.evenings = Evenings(folder, games())
        self.evenings.take_in((RECORDS / "loknroll/played/loose_caboose-4-finished.jsonl").read_bytes())
        self.evenings.take_in(record_of(folder, WHOLE[Mode.SOLO], id="solo", **EVENING))
        keep_score_of(folder / f"games/{SOLO}", solo_scores_in(folder), set())
        self.key = Keys(folder / "phones.json").make("Phone")
        self.device = VirtualDevice(without_pins(), folder, games())
        self.device.kept.settings = Settings(language="en")
        session = self.device.session
        self.app = make_app(session, SessionNews(session), self.device.visitors, folder, PORT)

    def files(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path)


@pytest.fixture
def watcher(page: Page) -> Iterator[TestClient]:
    with TestClient(page.app, base_url=f"http://127.0.0.1:{PORT}") as client:
        yield client


@pytest.fixture
def inside(page: Page, watcher: TestClient) -> TestClient:
    watcher.cookies.set(COOKIE, page.key)
    return watcher


def listed(client: TestClient, language: str = "en", first: int = 0) -> Any:
    return client.get(f"/phone/evenings/list/{language}.json?from={first}").json()


def test_all_games_are_listed_in_parts_and_in_the_readers_words(
    watcher: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evenings_module, "_AT_ONCE", 1)
    told = listed(watcher, "de")
    assert (told["count"], told["unknown"]) == (2, 0)
    (solo,) = told["games"]
    assert {name: solo[name] for name in EVENING} == EVENING
    assert (solo["name"], solo["kind"], solo["players"], solo["is_over"]) == (SOLO, "Allein", ["Ann"], True)
    (four,) = listed(watcher, "de", 1)["games"]
    assert (four["kind"], four["points"], four["winners"]) == ("Zu viert", [18, 18, 22, 38], ["Zoë"])
    assert listed(watcher, "de", 2)["games"] == []
    for path in ("fr.json", "de.json?from=-1", "de.json?from=x", "de.json?from=" + "9" * 5000):
        assert watcher.get(f"/phone/evenings/list/{path}").status_code == 404


def test_games_are_learnt_while_somebody_looks_and_rarely_while_one_is_played(
    page: Page, watcher: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock of its own: on a busy machine the pause, some milliseconds, was over before it was asked again.
    clock = SimpleNamespace(monotonic=count(0.0, 0.1).__next__)
    monkeypatch.setattr(evenings_module, "time", clock)
    for number in (11, 12, 13):
        (page.folder / f"games/00{number}.jsonl").write_bytes((RECORDS / "rising/rolled.jsonl").read_bytes())
    assert listed(watcher)["unknown"] == 3
    assert watcher.post("/phone/evenings/learn").json() == {"unknown": 2, "rest": 0.0}
    page.device.session.play = object()  # type: ignore[assignment]  # any game
    first, second = (watcher.post("/phone/evenings/learn").json() for _ in range(2))
    assert first["unknown"] == second["unknown"] == 1
    assert first["rest"] > second["rest"] > 0
    assert [game["trouble"] != "" for game in listed(watcher)["games"] if game["is_known"]].count(True) == 2


@pytest.mark.parametrize(("language", "word"), [("en", "rolls"), ("de", "würfelt"), ("es", "tira")])
def test_a_game_is_told_moment_by_moment(watcher: TestClient, language: str, word: str) -> None:
    told = watcher.get(f"{GAMES}/{FOUR}/told/{language}.json").json()
    assert told["is_whole"]
    assert len(told["moments"]) == 94 + 2
    assert word in json.dumps(told["moments"], ensure_ascii=False)
    assert {"face", "x", "y", "turn"} == told["moments"][40]["table"]["cards"][0].keys()
    assert told["moments"][40]["table"]["points"]


def test_what_is_too_long_or_wrong_is_told_as_far_as_it_goes(
    page: Page, watcher: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = read_record(page.folder / "games" / FOUR)
    write_record(page.folder / "games/0009.jsonl", recording.header, [*recording.lines[:10], {"step": "fly"}])
    wrong = watcher.get(f"{GAMES}/0009.jsonl/told/en.json").json()
    assert (wrong["is_whole"], len(wrong["moments"])) == (False, 11)
    monkeypatch.setattr(evenings_module, "LARGEST_BYTES", 5_000)
    answer = watcher.get(f"{GAMES}/{FOUR}/told/en.json")
    assert not answer.json()["is_whole"]
    assert len(answer.content) < 5_100


def test_cards_are_drawn_as_those_of_the_records_own_deck(page: Page, watcher: TestClient) -> None:
    recording = read_record(page.folder / "games" / FOUR)
    deck = json.loads(json.dumps(recording.header["deck"]))
    face = next(each for each in deck["faces"] if each["kind"] == "track")
    ours = watcher.get(f"{GAMES}/{FOUR}/faces/{face['id']}.svg")
    assert ours.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert 'viewBox="0 0 63 88"' in ours.text
    assert 'viewBox="0 0 18 40"' in watcher.get(f"{GAMES}/{FOUR}/faces/Emma.svg").text

    face["ports"][0]["offset_mm"] = 9.0
    for each in deck["faces"]:
        each["id"] = each["id"].replace("track-", "of/another deck ")
    write_record(page.folder / "games/0009.jsonl", {**recording.header, "deck": deck}, [])
    theirs = watcher.get(f"{GAMES}/0009.jsonl/faces/{face['id'].replace('/', '%2F')}.svg")
    assert len(theirs.text) < len(ours.text) / 4
    for none in ("chaos-2", "x", "..%2F..%2Fx", "x" * 5000):
        assert watcher.get(f"{GAMES}/{SOLO}/faces/{none}.svg").status_code == 404


def test_a_game_that_cannot_be_played_here_is_taken_in_listed_and_drawn(page: Page, inside: TestClient) -> None:
    record = (RECORDS / "locomotion/two-die-finished.jsonl").read_bytes()
    name = inside.post("/phone/evenings/take-in/en", content=record).json()["name"]
    (game,) = [game for game in listed(inside, "de")["games"] if game["name"] == name]
    told = (game["kind"], game["players"], game["points"], game["winners"], game["trouble"])
    assert told == ("Locomotion mit Würfel", ["Ann", "Ben"], [5, 0], ["Ann"], "")
    moments = inside.get(f"{GAMES}/{name}/told/es.json").json()["moments"]
    assert "engancha" in json.dumps(moments)
    for figure in {figure["name"] for figure in moments[-1]["table"]["figures"]} | {"network"}:
        assert inside.get(f"{GAMES}/{name}/faces/{figure}.svg").status_code == 200
    assert "<svg" in inside.get(f"{GAMES}/{name}/picture.svg?moment={len(moments) - 1}").text
    assert inside.get(f"{GAMES}/{name}/record.jsonl").content == record
    assert {curve["game"] for curve in inside.get("/phone/evenings/curves/en.json").json()["curves"]} == {"loknroll"}
    (die,) = inside.get(f"/phone/evenings/dice/en.json?game={name}").json()["dice"]
    assert (die["die"], die["throws"]) == (
        "d6",
        json.loads((RECORDS / "locomotion/summaries.json").read_bytes())["two-die-finished.jsonl"]["rolls"],
    )


def test_the_railway_is_a_picture_to_keep_in_which_nothing_can_run(watcher: TestClient) -> None:
    end = watcher.get(f"{GAMES}/{FOUR}/picture.svg")
    assert end.headers["content-type"] == "image/svg+xml"
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert end.headers["content-security-policy"] == policy
    assert end.headers["content-disposition"] == 'attachment; filename="0001.svg"'
    earlier = watcher.get(f"{GAMES}/{FOUR}/picture.svg?moment=12")
    assert earlier.headers["content-disposition"] == 'attachment; filename="0001-12.svg"'
    assert earlier.text != end.text
    for moment in ("-1", "96", "x", "", "9" * 5000, "²"):
        assert watcher.get(f"{GAMES}/{FOUR}/picture.svg", params={"moment": moment}).status_code == 404


def test_a_game_is_kept_as_a_file_by_whoever_watches(page: Page, watcher: TestClient) -> None:
    answer = watcher.get(f"{GAMES}/{SOLO}/record.jsonl")
    assert answer.content == (page.folder / "games" / SOLO).read_bytes()
    assert answer.headers["content-disposition"] == f'attachment; filename="{SOLO}"'


@pytest.mark.parametrize("name", NO_NAMES, ids=lambda name: name[:12])
def test_what_is_the_name_of_no_game_leads_nowhere(page: Page, watcher: TestClient, name: str) -> None:
    before = page.files()
    for path in ("told/en.json", "faces/track-2-left.svg", "picture.svg", "record.jsonl"):
        answer = watcher.get(f"{GAMES}/{name}/{path}")
        assert answer.status_code == 404, path
        assert str(page.folder) not in answer.text
    assert watcher.get(f"/phone/evenings/dice/en.json?game={name}").json() == {"dice": []}
    assert page.files() == before


def test_the_game_that_is_played_is_there_too(page: Page, watcher: TestClient) -> None:
    (page.folder / "game.jsonl").write_bytes((RECORDS / "loknroll/played/spanish-3-acting.jsonl").read_bytes())
    assert "now" in [game["name"] for game in listed(watcher)["games"]]
    assert watcher.get(f"{GAMES}/now/told/en.json").json()["is_whole"]
    kept = watcher.get(f"{GAMES}/now/record.jsonl").headers["content-disposition"]
    assert kept == 'attachment; filename="now.jsonl"'


def test_dice_are_judged_in_words_and_results_are_a_curve(watcher: TestClient) -> None:
    several = watcher.get("/phone/evenings/dice/de.json").json()["dice"]
    (one,) = watcher.get(f"/phone/evenings/dice/de.json?game={FOUR}").json()["dice"]
    assert len(several) == 2
    assert (one["throws"], [face["times"] for face in one["faces"]]) == (17, [6, 7, 4])
    assert "Würfel" in one["words"]
    (curve,) = watcher.get("/phone/evenings/curves/de.json").json()["curves"]
    assert (curve["player"], curve["kind"], curve["rules"]) == ("Ann", "Allein", "LOK'n'ROLL, deutsche Ausgabe")
    (point,) = curve["results"]
    assert (point["name"], point["date"]) == (SOLO, EVENING["date"])


def test_bringing_games_and_keeping_all_is_for_those_let_in(page: Page, watcher: TestClient) -> None:
    before = page.files()
    record = (RECORDS / "loknroll/played/spanish-3-acting.jsonl").read_bytes()
    assert watcher.post("/phone/evenings/take-in/en", content=record).status_code == 403
    assert watcher.get("/phone/evenings/all.zip").status_code == 403
    assert page.files() == before


def test_a_game_is_brought_once(page: Page, inside: TestClient) -> None:
    record = (RECORDS / "loknroll/played/spanish-3-acting.jsonl").read_bytes()
    name = inside.post("/phone/evenings/take-in/en", content=record).json()["name"]
    assert (page.folder / "games" / name).read_bytes() == record
    assert listed(inside)["count"] == 3
    again = inside.post("/phone/evenings/take-in/de", content=record)
    assert (again.status_code, again.json()) == (422, {"why": "Diese Partie ist schon da."})
    other = {"origin": "http://evil.example"}
    assert inside.post("/phone/evenings/take-in/en", content=record, headers=other).status_code == 403


@pytest.mark.parametrize(
    ("data", "status", "why"),
    [
        (b"", 422, "not the record"),
        (b"\x00" * 1000, 422, "not the record"),
        (b"[" * 100_000, 422, "not the record"),
        (b"PK\x03\x04" + bytes(100), 422, "not the record"),
        (b"\xff" * (LARGEST_BYTES + 1), 413, "4 MB"),
        ((RECORDS / "loknroll/played/german-3-nothing-yet.jsonl").read_bytes(), 422, "Nothing has been played"),
        ((RECORDS / "rising/rolled.jsonl").read_bytes(), 422, "does not know the game"),
    ],
    ids=["nothing", "zeros", "nested", "zip", "large", "no step", "other game"],
)
def test_what_is_no_game_is_refused_in_words(
    page: Page, inside: TestClient, data: bytes, status: int, why: str
) -> None:
    before = page.files()
    answer = inside.post("/phone/evenings/take-in/en", content=data)
    assert answer.status_code == status
    assert why in answer.json()["why"]
    assert page.files() == before


def test_all_games_are_one_file_that_says_what_found_no_room(
    page: Page, inside: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = page.files()

    def kept() -> zipfile.ZipFile:
        return zipfile.ZipFile(io.BytesIO(inside.get("/phone/evenings/all.zip").content))

    assert sorted(kept().namelist()) == [f"games/{FOUR}", f"games/{SOLO}"]
    monkeypatch.setattr(archive, "MOST_TOGETHER_BYTES", (page.folder / "games" / SOLO).stat().st_size)
    few = kept()
    assert few.namelist() == [f"games/{SOLO}", "left-out.txt"]
    assert few.read("left-out.txt").decode() == f"{FOUR}\n"
    assert page.files() == before
