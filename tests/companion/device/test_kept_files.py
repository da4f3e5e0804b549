"""Whatever the files that the companion keeps have become, it starts, says what is wrong, and plays."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import companion
from companion.device.between_games.keeping.newer import looked
from companion.device.between_games.lobby import Lobby
from companion.device.last_game import Order
from companion.device.session import Session
from companion.device.settings_file import SettingsFile
from companion.device.table_file import TableFile
from companion.games.evenings.evenings import Evenings
from companion.games.loknroll.gallery.rehearsal import dealt
from companion.games.loknroll.game import GAME
from companion.games.loknroll.play.notes import Notes, NotesFile
from companion.games.loknroll.record.recorded_game import start_recorded
from companion.games.loknroll.record.solo_scores import SoloScore, solo_scores_in
from companion.games.loknroll.rules import Mode, load_edition, set_up
from companion.games.recorded_game import Keep
from companion.games.registry import games
from companion.games.settings import Settings
from companion.record.archive import Archive
from companion.record.file import RecordError, read_record
from companion.record.occasion import occasion_of
from companion.screen import draw
from companion.teaching.lesson import Lesson
from companion.teaching.own_deck import OwnDeck
from companion.web.phone.keys import Keys
from hardware.buttons import VirtualButtons
from hardware.devices import Devices
from hardware.display import VirtualDisplay
from hardware.lights import VirtualLights
from tests.companion.device.bad_files import BAD
from tests.companion.web.browsers import wait_until
from vision.cards import standard_deck
from vision.deck_pictures import EmmaPicture

SETTINGS = Settings(language="de", large=True, names=("Ann", "Bär"), games={"loknroll": {"edition": "spanish"}})


@pytest.fixture(params=BAD)
def bad(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    monkeypatch.chdir(Path.cwd())  # comes back from where a socket was made
    return BAD[request.param]


def shown(kept: SettingsFile) -> None:
    """The list of games can be shown and used with these settings."""
    lobby = Lobby(kept.settings, games())
    draw(lobby.screen(), large=kept.settings.large)
    for offer in GAME.offers(kept.settings, None):
        assert offer.title


def test_settings_that_cannot_be_read_are_put_aside_and_the_usual_ones_are_taken(
    tmp_path: Path, bad: Callable[[Path], None]
) -> None:
    path = tmp_path / "settings.json"
    bad(path)
    kept = SettingsFile(path)
    assert kept.were_damaged
    assert kept.settings.names == ()
    shown(kept)
    kept.keep(SETTINGS)
    again = SettingsFile(path)
    assert again.settings == SETTINGS
    assert not again.were_damaged
    assert os.path.lexists(tmp_path / "settings.json.damaged-1")


def test_settings_with_any_bit_flipped_or_cut_anywhere_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    SettingsFile(path).keep(SETTINGS)
    whole = path.read_bytes()
    flipped = [
        bytes([*whole[:at], whole[at] ^ (1 << bit), *whole[at + 1 :]]) for at in range(len(whole)) for bit in range(8)
    ]
    cut = [whole[:length] for length in range(len(whole))]
    damaged = 0
    for data in (*flipped, *cut):
        path.write_bytes(data)
        kept = SettingsFile(path)
        shown(kept)
        damaged += kept.were_damaged
        assert GAME.offers(kept.settings, None)
    assert damaged > len(cut)


@pytest.mark.parametrize(
    "told", [{"language": "xx"}, {"language": "../../x"}, {"games": {"loknroll": {"edition": "gone"}}}]
)
def test_settings_that_name_what_is_not_there_take_the_usual(tmp_path: Path, told: dict[str, object]) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(told))
    kept = SettingsFile(path)
    shown(kept)
    GAME.begin("betsy", Keep(tmp_path / "game.jsonl", tmp_path), kept.settings, None, os.urandom).close()  # type: ignore[arg-type]


def test_notes_that_cannot_be_read_are_put_aside(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    path = tmp_path / "game.notes"
    bad(path)
    notes = NotesFile(path)
    assert notes.were_damaged
    assert notes.read() == Notes()
    notes.keep(Notes(hand=("track-1-left",)))
    assert NotesFile(path).read() == Notes(hand=("track-1-left",))


def test_a_table_that_cannot_be_read_is_laid_anew(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    recorded(tmp_path)
    path = tmp_path / "table.json"
    bad(path)
    assert TableFile(path, tmp_path / "game.jsonl").read(standard_deck(load_edition().deck)) is None


def test_a_book_of_results_that_cannot_be_read_is_put_aside(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    book = solo_scores_in(tmp_path)
    bad(book.path)
    score = SoloScore("Ann", "German", "solo", points=12, cards=7, is_lost=False, game="1")
    assert book.add(score) == [score]
    assert book.past(score.kind) == [score]
    assert os.path.lexists(tmp_path / "solo-scores.jsonl.damaged-1")


def test_summaries_of_games_that_cannot_be_read_are_made_anew(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    recorded(tmp_path)
    name = Archive(tmp_path / "games").take_in(tmp_path / "game.jsonl")
    bad(tmp_path / "games/summaries.jsonl")
    evenings = Evenings(tmp_path, games())
    assert [(listed.name, listed.is_known) for listed in evenings.listed()] == [(name, False)]
    evenings.learn()
    assert [(listed.name, listed.is_known) for listed in evenings.listed()] == [(name, True)]


def test_the_game_that_is_left_for_another_one_joins_the_others_as_does_that_of_an_older_program(
    tmp_path: Path,
) -> None:
    recorded(tmp_path)
    before, left = tmp_path / "game.before.jsonl", tmp_path / "game.jsonl"
    left.replace(before)
    recorded(tmp_path)
    whole = [before.read_bytes(), left.read_bytes()]
    SettingsFile(tmp_path / "settings.json").keep(Settings(place="Bären", round="2", table="7"))
    with session(tmp_path, date=lambda: "2026-11-28T20:15:00+01:00") as (runs, _, _):
        for _ in range(2):
            play = runs.handler
            runs.order(Order("loknroll", Mode.TWO.value))
            wait_until(lambda before=play: runs.handler is not before and not isinstance(runs.handler, Lobby))
    archive = Archive(tmp_path / "games")
    # The game in between has no step: it is none.
    assert [archive.exported(name) for name in reversed(archive.names())] == whole
    assert not before.exists()
    header = read_record(left).header
    assert occasion_of(header) == ("2026-11-28T20:15:00+01:00", "Bären", "2", "7")


def test_where_a_game_cannot_be_kept_another_one_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path)
    whole = (tmp_path / "game.jsonl").read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Archive, "_opened", full)
    with session(tmp_path) as (runs, _, _):
        wait_until(lambda: runs.handler is not None and not isinstance(runs.handler, Lobby))
        runs.order(Order("loknroll", Mode.TWO.value))
        wait_until(lambda: isinstance(runs.handler, Lobby))
        assert isinstance(runs.handler, Lobby)
        assert "cannot be saved" in runs.handler.screen().main
        assert runs.can_resume()
    assert (tmp_path / "game.jsonl").read_bytes() == whole


def test_an_own_deck_that_cannot_be_read_is_put_aside(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    path = tmp_path / "deck.zip"
    bad(path)
    own = OwnDeck(path)
    assert own.was_damaged
    assert own.pictures is None
    assert os.path.lexists(tmp_path / "deck.zip.damaged-1")
    assert not OwnDeck(path).was_damaged


def test_a_lesson_that_cannot_be_read_is_put_aside_and_begins_anew(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    bad(tmp_path / "cards.json")
    lesson = Lesson(tmp_path)
    assert lesson.cards == ()
    lesson.clear()
    assert Lesson(tmp_path).cards == ()
    assert os.path.lexists(tmp_path / "cards.json.damaged-1")


def test_an_emma_that_cannot_be_read_is_put_aside_and_shown_again(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    bad(tmp_path / "emma.json")
    lesson = Lesson(tmp_path)
    assert lesson.emma is None
    assert os.path.lexists(tmp_path / "emma.json.damaged-1")
    lesson.keep_emma(EmmaPicture(np.full((60, 40, 3), 90, np.uint8), (20.0, 30.0)))
    assert Lesson(tmp_path).emma is not None


def test_what_was_found_of_newer_versions_and_cannot_be_read_is_looked_for_again(
    tmp_path: Path, bad: Callable[[Path], None]
) -> None:
    (tmp_path / "newer").mkdir()
    bad(tmp_path / "newer/found.json")
    told = looked(tmp_path, "0.1.0")
    assert told.found is None or told.found.version == ""
    assert told.is_due or told.found is not None


def recorded(folder: Path) -> None:
    """A game of some steps in the folder."""
    edition = load_edition()
    start = set_up(edition, standard_deck(edition.deck), Mode.TWO, ["Ann", "Ben"])
    game, journal = start_recorded(folder / "game.jsonl", start)
    for step in dealt(Mode.TWO, 1).steps[:12]:
        game.do(step)
    journal.close()


@contextmanager
def session(
    folder: Path, date: Callable[[], str] = lambda: ""
) -> Iterator[tuple[Session, VirtualDisplay, VirtualButtons]]:
    """A session in a thread, from its first screen."""
    display, buttons = VirtualDisplay(), VirtualButtons()
    devices = Devices(display, buttons, VirtualLights(), None, ())
    runs = Session(devices, SettingsFile(folder / "settings.json"), folder, games(), date=date)
    thread = threading.Thread(target=runs.run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: display.image is not None, seconds=10)
        yield runs, display, buttons
    finally:
        runs.stop()
        thread.join(10)
    assert not thread.is_alive()


def test_a_game_that_cannot_be_read_is_put_aside_and_said(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    bad(tmp_path / "game.jsonl")
    with session(tmp_path) as (runs, _, _):
        wait_until(lambda: isinstance(runs.handler, Lobby))
        assert isinstance(runs.handler, Lobby)
        assert "cannot be read" in runs.handler.screen().main
    assert os.path.lexists(tmp_path / "game.jsonl.damaged-1")
    assert not os.path.lexists(tmp_path / "game.jsonl")


@pytest.mark.parametrize(
    "name", ["settings.json", "game.notes", "game.before.jsonl", "solo-scores.jsonl", "deck.zip", "games"]
)
def test_whatever_lies_beside_it_the_game_goes_on(tmp_path: Path, bad: Callable[[Path], None], name: str) -> None:
    recorded(tmp_path)
    before = (tmp_path / "game.jsonl").read_bytes()
    bad(tmp_path / name)
    with session(tmp_path) as (runs, _, _):
        wait_until(lambda: runs.handler is not None and not isinstance(runs.handler, Lobby), seconds=10)
        assert len(runs.handler.controller.game.steps) == 12  # type: ignore[union-attr]
    assert (tmp_path / "game.jsonl").read_bytes() == before


def test_of_keys_that_cannot_be_read_none_counts_and_new_ones_are_made(
    tmp_path: Path, bad: Callable[[Path], None]
) -> None:
    path = tmp_path / "phones.json"
    bad(path)
    keys = Keys(path)
    assert keys.entries == ()
    assert not keys.knows("")
    key = keys.make("Phone")
    assert Keys(path).knows(key)


def test_no_kept_file_is_forgotten_here() -> None:
    """What the program keeps has its name in the code."""
    sources = [path.read_text() for path in Path(companion.__file__).parent.rglob("*.py")]
    names = {
        name for source in sources for name in re.findall(r'"([a-z-]*(?:\.before)?\.(?:jsonl?|notes|zip))"', source)
    }
    # The last two are in the file of a backup.
    given_away = {"companion-backup.zip", "games.zip"}
    # The last two come with the program, and lie where the owner keeps versions.
    elsewhere = {"deck.json", "truth.json", ".jsonl", ".json", "companion-backup.json"}
    elsewhere |= {"networks.json", "table-companion.json"}
    tried = {
        "settings.json",
        "table.json",
        "game.jsonl",
        ".before.jsonl",
        ".notes",
        "solo-scores.jsonl",
        "deck.zip",
        "cards.json",
        "phones.json",
        "summaries.jsonl",
        "emma.json",
        "found.json",
    }
    of_the_same_kind = {"automatic-solo-scores.jsonl", "locomotion-solo.jsonl", "locomotion-tournaments.jsonl"}
    assert names - elsewhere - given_away == tried | of_the_same_kind


def test_damaged_settings_are_said_in_the_game_that_goes_on(tmp_path: Path) -> None:
    recorded(tmp_path)
    (tmp_path / "settings.json").write_bytes(b"\xff")
    with session(tmp_path) as (runs, _, _):
        wait_until(lambda: runs.handler is not None and not isinstance(runs.handler, Lobby))
        play = runs.handler
        wait_until(lambda: "settings" in play.controller.desk.faults)  # type: ignore[union-attr]


def test_whatever_lies_where_a_new_game_is_kept_it_begins(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    for name in ("game.jsonl", "game.notes", "game.before.jsonl", "games"):
        bad(tmp_path / name)
    with session(tmp_path) as (runs, _, _):
        runs.order(Order("loknroll", Mode.TWO.value))
        wait_until(lambda: runs.handler is not None and not isinstance(runs.handler, Lobby))
        assert runs.record.is_file()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "none", folder], capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a disk")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_on_a_disk_that_can_only_be_read_the_game_is_shown_and_what_is_wrong_is_said(disk: Path) -> None:
    recorded(disk)
    before = (disk / "game.jsonl").read_bytes()
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    with session(disk) as (runs, _, _):
        wait_until(lambda: runs.handler is not None and not isinstance(runs.handler, Lobby))
        controller = runs.handler.controller  # type: ignore[union-attr]
        assert len(controller.game.steps) == 12
        wait_until(lambda: "read-only" in controller.desk.faults)
        with pytest.raises(RecordError, match="Read-only"):
            controller.game.do(dealt(Mode.TWO, 1).steps[12])
        assert len(controller.game.steps) == 12
    assert (disk / "game.jsonl").read_bytes() == before


def test_an_illegal_correction_in_the_notes_is_dropped_and_said(tmp_path: Path) -> None:
    recorded(tmp_path)
    step = dealt(Mode.TWO, 1).steps[0]
    NotesFile(tmp_path / "game.notes").keep(Notes(redo=(step,) * 20, redo_from=3))
    with session(tmp_path) as (runs, _, _):
        wait_until(lambda: runs.handler is not None and not isinstance(runs.handler, Lobby))
        controller = runs.handler.controller  # type: ignore[union-attr]
        wait_until(lambda: "correction" in controller.desk.notice)
    assert NotesFile(tmp_path / "game.notes").read() == Notes()
