"""The page in a real browser: on phones, tablets and desktops, with fingers, a mouse, or the keyboard alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe

from companion.games.game import Play
from companion.texts.language import Texts
from tests.companion.games.test_recorded_games import RECORDS
from tests.companion.web.browsers import Chromium, ServedTable, unplugged, wait_until
from tests.companion.web.phone.phones import DESKTOP, PHONE, TABLET, digits_of, let_in, page_open, say_yes

SIZES = {"phone": PHONE, "desktop": DESKTOP, "zoomed": (TABLET[0] // 2, TABLET[1] // 2)}
SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    """A game in which some cards lie, without a camera: no eye has to get to know the deck."""
    folder = tmp_path_factory.mktemp("home")
    shutil.copy(RECORDS / "loknroll/played/online-2-drawing.jsonl", folder / "game.jsonl")
    with ServedTable(folder, None) as served:
        yield unplugged(served)


@pytest.mark.parametrize("size", [*SIZES, pytest.param("tablet", marks=pytest.mark.further)])
def test_every_place_fits_and_keeps_nobody_out(game: ServedTable, chromium: Chromium, size: str) -> None:
    with page_open(chromium, game.address, size=SIZES.get(size, TABLET)) as page:
        places = page.locator("#places a").evaluate_all("links => links.map((link) => link.hash)")
        assert len(places) >= 4
        for place in places:
            page.locator(f"#places a[href='{place}']").click()
            page.wait_for_selector(f"#place-{place[1:]}:visible")
            too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert too_wide <= 0, place
            if size in {"phone", "desktop"}:
                found = Axe().run(page).response["violations"]
                assert [each["id"] for each in found if each["impact"] in SERIOUS] == [], place


def test_all_that_is_touched_is_as_large_as_a_finger(game: ServedTable, chromium: Chromium) -> None:
    with page_open(chromium, game.address, has_touch=True) as page:
        small = page.locator("#places a, #buttons button, #come-in").evaluate_all(
            "nodes => nodes.filter((node) => Math.min(node.offsetWidth, node.offsetHeight) < 40)"
            ".map((node) => `${node.id || node.textContent} ${node.offsetWidth} x ${node.offsetHeight}`)"
        )
        assert small == []


def test_who_watches_sees_the_railway_grow_and_hears_the_screen(game: ServedTable, chromium: Chromium) -> None:
    with page_open(chromium, game.address) as page:
        assert game.device.play is not None
        assert page.locator("#railway [data-card]").count() == laid(game.device.play)
        assert page.locator("#players tbody tr").count() == 2
        assert game.device.screen.main in page.locator("#spoken").inner_text()
        assert page.locator("#buttons button:disabled").count() == 5


def test_the_keyboard_alone_comes_in_and_steers(game: ServedTable, chromium: Chromium) -> None:
    device = game.device
    device.visitors._tried.clear()
    with page_open(chromium, game.address, size=DESKTOP) as page:
        page.locator("#come-in").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#digits:focus")
        page.keyboard.type(digits_of(device))
        page.keyboard.press("Enter")
        say_yes(device)
        page.wait_for_selector("#door", state="hidden")
        page.wait_for_selector("#buttons button:enabled")
        before = device.screen
        page.locator("[data-button=up]").focus()
        page.keyboard.press("Enter")
        wait_until(lambda: device.screen != before)
        page.locator("[data-button=back]").focus()
        page.keyboard.press("Enter")
        wait_until(lambda: device.screen.heading == before.heading)


def test_a_card_that_was_read_wrongly_is_tapped_and_put_right(game: ServedTable, chromium: Chromium) -> None:
    device = game.device
    with page_open(chromium, game.address, has_touch=True) as page:
        let_in(page, device)
        play = device.play
        assert play is not None
        cards = [card for card in play.present().cards if card.place is not None]
        asked = next(card for card in cards if len(play.corrections(card.card)) > 1)
        page.locator(f"#railway [data-card='{asked.place}']").tap()
        page.wait_for_selector("#correct[open]")
        offered = page.locator("#faces img").evaluate_all("images => images.map((image) => image.dataset.face)")
        assert offered == list(play.corrections(asked.card))
        # Who cannot see the pictures hears what is on each card.
        names = page.locator("#faces img").evaluate_all("images => images.map((image) => image.alt)")
        assert len({*names}) == len(names)
        for face, name in zip(offered, names, strict=True):
            *_, rails = face.split("-")
            assert name.startswith(f"{play.deck[face].value}, "), face
            assert {"left": "curve left", "right": "curve right"}.get(rails, rails) in name
        # One with the same value and other rails would not lie there; another value may.
        before = play.present().moment
        page.locator("#faces button").first.tap()
        page.wait_for_selector("#correct", state="hidden")
        wait_until(lambda: play.present().moment != before or bool(play.present().forbidden))
        # What came after the card is done again, step by step.
        wait_until(lambda: page.locator("#railway [data-card]").count() == laid(play))


def laid(play: Play) -> int:
    """How many cards the railway has."""
    return len(play.facts()["railway"])  # type: ignore[arg-type]


def test_the_last_step_is_taken_back(game: ServedTable, chromium: Chromium) -> None:
    device = game.device
    with page_open(chromium, game.address, has_touch=True) as page:
        let_in(page, device)
        play = device.play
        assert play is not None
        before = play.present().moment
        page.locator("#take-back").tap()
        wait_until(lambda: play.present().moment != before)


def test_the_phone_says_when_the_companion_is_gone_and_finds_it_again(game: ServedTable, chromium: Chromium) -> None:
    with page_open(chromium, game.address) as page:
        page.evaluate("import('/shared/link.js').then((link) => link.again())")
        page.wait_for_selector("body:not(.lost)")
        assert page.locator("#lost").inner_text() == ""
        assert page.locator("#railway [data-card]").count() > 0


def test_light_dark_and_language_stay_as_somebody_wants_them(game: ServedTable, chromium: Chromium) -> None:
    with page_open(chromium, game.address, size=DESKTOP) as page:
        page.locator("#theme").click()
        page.locator("#language").select_option("de")
        page.wait_for_selector("html[lang=de]")
        page.reload()
        page.wait_for_selector("body.ready")
        assert page.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]") == [
            "de",
            "dark",
        ]
        assert page.locator("#come-in").inner_text() == "Von diesem Handy aus steuern"


def test_what_only_watches_presses_nothing(game: ServedTable, chromium: Chromium) -> None:
    with page_open(chromium, game.address) as page:
        before = game.device.screen
        page.evaluate(
            "import('/shared/link.js').then((link) => { link.send('press', { button: 'up' });"
            " link.send('back', { moment: '1' }); })"
        )
        page.wait_for_selector("#heard:not(:empty)")
        assert game.device.screen == before


def test_who_leaves_the_page_too_early_goes_on_with_the_same_digits(game: ServedTable, chromium: Chromium) -> None:
    device = game.device
    device.visitors._tried.clear()
    with page_open(chromium, game.address, has_touch=True) as page:
        page.locator("#come-in").tap()
        digits = digits_of(device)
        page.locator("#door-send").tap()
        page.wait_for_selector("#door-says:has-text('not the digits')")
        assert device.visitors.now is not None
        assert device.visitors.now.tries == 0
        page.reload()
        page.wait_for_selector("body.ready:not(.lost)")
        page.locator("#come-in").tap()
        page.locator("#digits").fill(digits)
        page.locator("#door-send").tap()
        say_yes(device)
        page.wait_for_selector("#ask-in", state="hidden")


@pytest.mark.parametrize("typed", [False, True])
def test_who_closes_the_question_takes_it_off_the_screen(game: ServedTable, chromium: Chromium, typed: bool) -> None:
    device = game.device
    device.visitors._tried.clear()
    question = Texts(device.kept.settings.language)("visitors.key-yes")
    with page_open(chromium, game.address) as page:
        page.locator("#come-in").press("Enter")
        digits = digits_of(device)
        page.wait_for_selector("#digits:focus")
        if typed:
            page.locator("#digits").fill(digits)
            page.locator("#digits").press("Enter")
            page.wait_for_selector("#door-says:has-text('ROLL')")
        page.keyboard.press("Escape")
        wait_until(lambda: device.visitors.now is None)
        wait_until(lambda: device.screen.main.replace(" ", "") != digits and device.screen.keys[0] != question)
