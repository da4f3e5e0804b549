"""One language on the page and on the device: a browser brings its own, and it is changed at once in every window."""

from __future__ import annotations

from pathlib import Path

from companion.texts.language import Texts
from tests.companion.web.browsers import Chromium, ServedTable, said, unplugged, wait_until


def speaks(served: ServedTable, language: str) -> bool:
    """Whether the device does, with the key that every first screen of a game has."""
    return served.device.kept.settings.language == language == served.controller.settings.language


def test_the_page_and_the_device_speak_one_language_also_when_it_changes_in_a_game(
    tmp_path: Path, chromium: Chromium
) -> None:
    with unplugged(ServedTable(tmp_path)) as served, chromium.page(served.address, language="de-AT") as page:
        game = served.device.play
        wait_until(lambda: speaks(served, "de"), what="the browser's language is not taken")
        assert page.locator("html").get_attribute("lang") == page.locator("#language").input_value() == "de"
        german = served.device.screen
        wait_until(lambda: german.main in said(page))
        read = "async (lines) => (await import('/shared/texts.js')).sentences(lines)"
        lines = [german.main, "Karte 4. Welcher Wert?", "Sieh hin."]
        assert page.evaluate(read, lines) == f"{german.main}. Karte 4. Welcher Wert? Sieh hin."
        assert ".." not in said(page)
        with chromium.page(served.address, language="fr-FR") as other:
            wait_until(lambda: speaks(served, "en"), what="a language that is none of ours is not English")
            other.select_option("#language", "es")
            for each in (page, other):
                each.get_by_role("button", name=Texts("es")("web.start-here")).wait_for()
            wait_until(lambda: speaks(served, "es"))
        assert served.device.screen.keys != german.keys
        wait_until(lambda: served.device.screen.main in said(page))
        page.reload()
        page.wait_for_selector("#things.ready .pile")
        assert page.locator("html").get_attribute("lang") == "es"
        assert served.device.play is game
        # Told on the device itself.
        served.device.speak("en")
        page.get_by_role("button", name=Texts("en")("web.start-here")).wait_for()


def test_a_language_that_was_asked_for_is_not_the_browsers(tmp_path: Path, chromium: Chromium) -> None:
    with unplugged(ServedTable(tmp_path, language="es")) as served:
        served.device.is_language_given = True
        with chromium.page(served.address, language="de") as page:
            page.get_by_role("button", name=Texts("es")("web.start-here")).wait_for()
            assert speaks(served, "es")
