"""Looking after the companion from a phone: settings, devices and the log, for those that were let in alone."""

from __future__ import annotations

import logging
import sys

import pytest
from starlette.testclient import TestClient

from companion.device.settings_file import SettingsFile
from companion.texts.language import LANGUAGES
from companion.web.phone.care.log import MOST_LINES, RecentLines
from hardware.buttons import Button
from tests.companion.web.browsers import wait_until
from tests.companion.web.phone.home import CARE, Home, set_to

GETS = ("settings/en.json", "findings/en.json", "trial", "saved", "companion-backup.zip", "deck", "deck.zip", "version")
POSTS = ("settings", "trial", "load", "before", "deck", "wheel", "version", "answer")


def test_nothing_of_it_is_for_those_outside(home: Home) -> None:
    with home.client() as stranger:
        assert {stranger.get(CARE + path).status_code for path in (*GETS, "log")} == {403}
        assert {stranger.post(CARE + path, content=b"{}").status_code for path in POSTS} == {403}


# Settings


def test_each_setting_counts_at_once_and_is_kept(home: Home, phone: TestClient) -> None:
    assert set_to(phone, "large", value=True)["large"] is True
    set_to(phone, "names", "  Ann  Marie ", at=2)
    set_to(phone, "round", "Tuesdays")
    set_to(phone, "sounds", value=False)
    wait_until(lambda: home.device.session.handler.settings.large)

    def on_the_disk() -> tuple[object, ...]:
        kept = SettingsFile(home.folder / "settings.json").settings
        return kept.large, kept.sounds, kept.round, kept.seats

    wait_until(lambda: on_the_disk() == (True, False, "Tuesdays", ("", "", "Ann Marie", "")), 5)
    assert set_to(phone, "language", "de")["language"] == "de"
    wait_until(lambda: "Namen" in home.device.screen.choices)
    for name, value in (("language", "en"), ("large", False), ("sounds", True)):
        set_to(phone, name, value)


def test_neither_the_page_nor_the_buttons_lose_what_the_other_one_sets(home: Home, phone: TestClient) -> None:
    """The list of games stands at large type, which is pressed again and again while the page sets words."""
    lobby = home.device.session.handler
    presses = [Button.DOWN] * ((lobby.entries.index("large") - lobby._at) % len(lobby.entries))
    for button in (*presses, Button.ROLL):
        home.device.press(button)
    wait_until(lambda: home.device.kept.settings.large)
    for number in range(6):
        home.device.press(Button.ROLL)
        set_to(phone, "table", str(number))
        wait_until(lambda is_large=bool(number % 2): home.device.kept.settings.large is is_large)
        assert home.device.kept.settings.table == lobby.settings.table == str(number)
    set_to(phone, "large", value=False)


def test_a_games_own_setting_is_chosen_as_it_was_read(home: Home, phone: TestClient) -> None:
    read = phone.get(CARE + "settings/de.json").json()["games"][0]
    assert read == {"game": "loknroll", "title": "LOK'n'ROLL", "options": ["Regeln: deutsch"]}
    chosen = {"name": "games", "value": "Regeln: deutsch", "at": "loknroll"}
    then = phone.post(CARE + "settings?language=de", json=chosen).json()["games"][0]["options"]
    assert then != read["options"]
    # Another phone has been quicker: what this one has read is no longer so.
    assert phone.post(CARE + "settings?language=de", json=chosen).status_code == 400
    assert home.device.kept.settings.games["loknroll"]["edition"] != "german"


@pytest.mark.parametrize(
    "body",
    [
        {"name": "language", "value": "fr"},
        {"name": "large", "value": "yes"},
        {"name": "names", "value": "x" * 41},
        {"name": "names", "value": "a\u202eb"},
        {"name": "names", "value": "Ann", "at": 4},
        {"name": "place", "value": True},
        {"name": "has_camera", "value": False},
        {"name": "games", "value": "x"},
        {"name": "games", "value": "Rules: none", "at": "loknroll"},
        {"name": "games", "value": "Rules: German", "at": "chess"},
        [],
    ],
)
def test_what_is_no_setting_is_not_set(home: Home, phone: TestClient, body: object) -> None:
    before = home.device.kept.settings
    assert phone.post(CARE + "settings", json=body).status_code == 400
    assert home.device.kept.settings == before


# Devices


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_doctor_speaks_on_the_page_and_leaves_pins_and_camera_alone(phone: TestClient, language: str) -> None:
    found = phone.get(CARE + f"findings/{language}.json").json()["findings"]
    word = {
        "en": "You can try it from the page",
        "de": "Auf der Webseite kannst du es ausprobieren",
        "es": "Puedes probarlo desde la página",
    }
    assert sum(word[language] in each["says"] for each in found) == 2
    assert [each["verdict"] for each in found] == sorted(
        (each["verdict"] for each in found), key=["bad", "note", "good"].index
    )


def test_screen_and_buttons_are_tried_without_being_pressed(home: Home, phone: TestClient) -> None:
    before = home.device.screen
    assert phone.post(CARE + "trial").json() == {"on": True, "pressed": []}
    wait_until(lambda: home.device.screen.heading == "Top left")
    assert phone.post(CARE + "trial").status_code == 409
    home.device.press(Button.DOWN)
    wait_until(lambda: phone.get(CARE + "trial").json()["pressed"] == ["down"])
    wait_until(lambda: home.device.screen.keys[3] == "✓")
    for button in Button:
        home.device.press(button)
    wait_until(lambda: not phone.get(CARE + "trial").json()["on"])
    wait_until(lambda: home.device.screen == before)


# The log


def test_the_last_lines_of_the_log_can_be_read(phone: TestClient) -> None:
    for number in range(MOST_LINES + 50):
        logging.getLogger("companion.test").warning("line %s \x1b[2J %s", number, "x" * 5000)
    lines = phone.get(CARE + "log").json()["lines"]
    assert len(lines) == MOST_LINES
    assert f"line {MOST_LINES + 49} \\u001b[2J" in lines[-1]
    assert max(map(len, lines)) < 1100


def test_who_remembers_the_log_keeps_nothing_from_the_journal(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    others, root.handlers = root.handlers, []
    heard = RecentLines()
    try:
        heard.listen()
        logging.getLogger("companion.test").warning("to the journal")
        heard.stop_listening()
        assert root.handlers == []
    finally:
        root.handlers = others
    assert capsys.readouterr().err == "to the journal\n"
    assert "to the journal" in heard.lines[0]
    assert sys.stderr is not None
