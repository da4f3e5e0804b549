"""Looking after the companion on the page itself, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, Page, expect

from companion.device.between_games.keeping.fetching import fetch
from companion.device.between_games.keeping.saving import saved
from companion.doctor.machine import Machine
from companion.texts.language import LANGUAGES
from companion.web.phone.door import COOKIE
from tests.companion.device.between_games.keeping.test_newer import lay
from tests.companion.device.between_games.keeping.whole_companion import made
from tests.companion.web.browsers import NARROW, Chromium, wait_until
from tests.companion.web.phone.home import ServedHome


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHome]:
    home = ServedHome(tmp_path_factory.mktemp("home"))
    yield home
    home.close()


@contextmanager
def care(chromium: Chromium, home: ServedHome, language: str = "en", *, is_in: bool = True) -> Iterator[Page]:
    """The place on a phone, as it is first seen; it must not complain."""
    context = chromium.browser.new_context(
        viewport={"width": NARROW[0], "height": NARROW[1]}, locale=language, accept_downloads=True
    )
    if is_in:
        context.add_cookies([{"name": COOKIE, "value": home.key, "url": home.address}])
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(f"{home.address}#care")
    page.wait_for_selector("body.ready")
    yield page
    context.close()
    assert [each for each in complaints if not each.startswith("Failed to load resource")] == []


def pressed(page: Page, button: str, comes: str) -> None:
    """Pressed again, as people do, where a busy machine lost the line and the page heard nothing for a moment."""

    def is_heard() -> bool:
        page.locator(button).press("Enter")
        try:
            page.locator(comes).first.wait_for(state="attached", timeout=10_000)
        except Error:
            return False
        return True

    wait_until(is_heard, 60)


def opened(page: Page, part: str) -> None:
    pressed(page, f"#care-{part} > summary", f"#care-{part}[open]")


@pytest.mark.further
def test_who_only_watches_is_told_how_to_come_in(home: ServedHome, chromium: Chromium) -> None:
    with care(chromium, home, is_in=False) as page:
        page.get_by_text("have to be let in").wait_for()
        assert not page.locator("#care-inside").is_visible()


def test_settings_are_set_by_keys_and_follow_the_buttons(home: ServedHome, chromium: Chromium) -> None:
    with care(chromium, home) as page:
        opened(page, "settings")
        name = page.get_by_label("Player 2")
        wait_until(lambda: page.evaluate("document.getElementById('care-language').value === 'en'"))
        name.fill("Bea")
        name.press("Tab")
        wait_until(lambda: home.device.kept.settings.seats[1] == "Bea")
        page.get_by_label("Large type").press("Space")
        wait_until(lambda: home.device.kept.settings.large)
        rules = page.locator("#care-options button").first
        before = rules.inner_text()
        rules.press("Enter")
        wait_until(lambda: page.evaluate("document.querySelector('#care-options button').innerText") != before)
        # It is the same list as on the companion's screen.
        assert rules.inner_text() in home.device.screen.choices
        assert page.evaluate("document.activeElement === document.querySelector('#care-options button')")
        home.device.speak("de")
        wait_until(lambda: page.evaluate("document.getElementById('care-language').value === 'de'"))
        home.device.speak("en")


def test_this_phone_itself_is_sent_away_only_after_a_question(home: ServedHome, chromium: Chromium) -> None:
    with care(chromium, home) as page:
        page.get_by_role("button", name="Remove").press("Enter")
        page.locator("#care-sure").get_by_role("button", name="Cancel").press("Enter")
        page.locator("#care-sure").wait_for(state="hidden")
        assert page.evaluate("fetch('/phone/keys').then((answer) => answer.status)") == 200


def test_who_sends_this_phone_away_hears_it_and_is_at_the_way_back_in(tmp_path: Path, chromium: Chromium) -> None:
    home = ServedHome(tmp_path)
    with care(chromium, home, "de") as page:
        page.get_by_role("button", name="Entfernen").press("Enter")
        page.locator("#care-sure-yes").press("Enter")
        expect(page.locator("#care-outside [data-comes-in]")).to_be_focused()
        expect(page.locator("#heard")).to_have_text("Dieses Handy ist entfernt. Es sieht jetzt nur noch zu.")
    home.close()


@pytest.mark.further
def test_a_phone_is_sent_away_and_the_log_is_read(home: ServedHome, chromium: Chromium) -> None:
    with care(chromium, home) as page:
        page.get_by_text("Phone that is in (this one)").wait_for()
        opened(page, "log")
        wait_until(lambda: page.evaluate("document.getElementById('care-log-lines').value"))
        page.locator("#care-copy").press("Enter")
        page.get_by_text("Copied.").wait_for()


def test_all_is_saved_and_loaded_on_the_page(tmp_path: Path, chromium: Chromium) -> None:
    file, wrong = tmp_path / "saved.zip", tmp_path / "wrong.zip"
    file.write_bytes(b"".join(saved(made(tmp_path / "other"))))
    wrong.write_bytes(b"wrong")
    home = ServedHome(tmp_path / "here")
    try:
        home.device.kept.keep(home.device.kept.settings)
        (home.folder / "deck.zip").write_bytes(b"rotten")
        with care(chromium, home, "de") as page:
            # The line is lost for a moment: it is asked again, or nothing could be saved.
            page.route("**/phone/care/saved?*", lambda route: route.abort(), times=1)
            opened(page, "saved")
            with page.expect_download() as download:
                page.get_by_role("link", name="Alles sichern").press("Enter")
            page.get_by_text("nicht in der Sicherung: deck.zip.").wait_for()
            assert Path(download.value.path()).read_bytes()[:2] == b"PK"
            page.set_input_files("#care-load-file", wrong)
            page.locator("#care-sure-yes").press("Enter")
            page.get_by_text("Die Datei ist keine Sicherung.").wait_for()
            page.set_input_files("#care-load-file", file)
            page.locator("#care-sure-yes").press("Enter")
            page.locator("#heard", has_text="startet neu").wait_for()
            assert home.device.session.begins_anew
    finally:
        home.close()


def test_the_page_says_that_a_newer_version_is_there(tmp_path: Path, chromium: Chromium) -> None:
    units = tmp_path / "root/etc/systemd/system"
    units.mkdir(parents=True)
    for unit in ("companion-upgrade.path", "companion-newer.path"):
        (units / unit).touch()
    home = ServedHome(tmp_path / "here", machine=Machine(root=tmp_path / "root"))
    try:
        with care(chromium, home) as page:
            opened(page, "version")
            wait_until((home.folder / "newer/wanted").exists)
            page.get_by_text("Looking for a newer version").wait_for()
            lay(tmp_path / "there", "9.8.8")
            fetch(str(tmp_path / "there"), home.folder, "0.1.0")
            page.get_by_text("Version 9.8.8 is available, newer than yours.").wait_for()
            page.locator("#care-newer-put-in").press("Enter")
            page.locator("#care-sure-yes").press("Enter")
            wait_until(lambda: "9.8.8" in home.device.screen.main)
    finally:
        home.close()


@pytest.mark.parametrize("language", ["en", *(pytest.param(each, marks=pytest.mark.further) for each in LANGUAGES[1:])])
def test_nobody_is_kept_out(home: ServedHome, chromium: Chromium, language: str) -> None:
    with care(chromium, home, language) as page:
        page.evaluate("for (const part of document.querySelectorAll('#care-inside details')) part.open = true")
        pressed(page, "#care-examine", "#care-findings li")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # A text that is missing would be seen by its name.
        assert "care-" not in page.locator("body").inner_text()
        found = Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in {"serious", "critical"}]
    assert not serious, json.dumps([(each["id"], each["nodes"][0]["html"]) for each in serious], indent=1)
