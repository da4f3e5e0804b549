"""A whole deed on each place with the keyboard alone: where it goes next is never lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.device.session import Session
from companion.web.phone.door import COOKIE
from tests.companion.web.browsers import Chromium, wait_until
from tests.companion.web.phone.every_place.showcase import FOUR, Showcase, tab_to
from tests.companion.web.phone.every_place.views import VIEWS, teaching
from tests.companion.web.phone.home import ServedHome
from tests.companion.web.phone.phones import DESKTOP, PHONE


@pytest.fixture
def inside(other_home: ServedHome, chromium: Chromium) -> Iterator[Page]:
    """The page of a companion that shows its list of games, to a phone that is in."""
    context = chromium.browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en")
    context.add_cookies([{"name": COOKIE, "value": other_home.key, "url": other_home.address}])
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(other_home.address)
    page.wait_for_selector("body.ready:not(.lost)")
    page.wait_for_selector("#ask-in", state="hidden")
    yield page
    context.close()
    assert wrong == []


def has_keyboard(page: Page, wanted: str) -> None:
    expect(page.locator(wanted)).to_be_focused()


def test_correct_a_card_is_chosen_and_what_it_is(showcase: Showcase, chromium: Chromium) -> None:
    play = showcase.served.device.play
    assert play is not None
    with showcase.shown(chromium, DESKTOP) as shown:
        page = shown.page
        tab_to(page, "#railway [data-card='1']")
        page.keyboard.press("Enter")
        has_keyboard(page, "#faces button:first-child")
        page.keyboard.press("Escape")
        expect(page.locator("#correct")).not_to_be_visible()
        has_keyboard(page, "#railway [data-card='1']")
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        has_keyboard(page, "#faces button:nth-child(2)")
        before = play.present().moment
        page.keyboard.press("Enter")
        expect(page.locator("#correct")).not_to_be_visible()
        wait_until(lambda: play.present().moment != before or bool(play.present().forbidden))
        # The railway is drawn anew.
        has_keyboard(page, "#railway [data-card='1']")
        assert json.loads(shown.said[-1])["type"] == "correct"


def test_teach_an_end_of_rails_is_moved_a_value_is_changed_and_the_card_confirmed(
    showcase: Showcase, chromium: Chromium
) -> None:
    with showcase.shown(chromium, PHONE) as shown:
        page = shown.page
        VIEWS["teach-asked"].show(shown)
        tab_to(page, "#card g[role=slider]")
        before = int(page.locator("#card g").first.get_attribute("aria-valuenow") or 0)
        for key in ("ArrowRight", "ArrowRight", "PageDown"):
            page.keyboard.press(key)
        assert page.locator("#card g").first.get_attribute("aria-valuenow") == str(before - 8)
        assert page.locator("#card g").first.get_attribute("aria-valuetext") == "bottom edge, 8 mm from its middle"
        tab_to(page, "[name=value]")
        page.keyboard.press("ArrowRight")
        tab_to(page, "[name=kind]")
        page.keyboard.press("ArrowRight")
        tab_to(page, "#right")
        page.keyboard.press("Enter")
        wait_until(lambda: shown.said and "card" in shown.said[-1])
        told = {"type": "card", "asked": 3, "value": 4, "kind": "broken", "placed": True}
        assert json.loads(shown.said[-1]) == told | {"ports": [["S", 8.0], ["N", 8.0]]}
        # How many there are is said, and the next card is gone on with.
        shown.tell("facts", teaching(step="waiting"))
        has_keyboard(page, "#taught-count")
        shown.tell("facts", teaching(step="offered", question=4))
        has_keyboard(page, "[name=value]:checked")


def test_aim_is_begun_its_words_are_read_and_it_is_ended(inside: Page, other_home: ServedHome) -> None:
    session: Session = other_home.device.session
    tab_to(inside, "#places a[href='#aim']")
    inside.keyboard.press("Enter")
    tab_to(inside, "#aim-begin")
    inside.keyboard.press("Enter")
    has_keyboard(inside, "#screen")
    assert session.handler is not None
    assert session.handler.facts()["room"] == "aiming"
    expect(inside.locator("#spoken")).to_contain_text("Aim the camera")
    tab_to(inside, "[data-button=back]")
    inside.keyboard.press("Enter")
    has_keyboard(inside, "#aim-begin")


@pytest.mark.further
def test_care_a_setting_is_changed_a_phone_sent_away_and_all_saved(inside: Page, other_home: ServedHome) -> None:
    assert not other_home.device.kept.settings.large
    tab_to(inside, "#places a[href='#care']")
    inside.keyboard.press("Enter")
    inside.wait_for_selector("#care-phones-list li:has-text('Other')")
    tab_to(inside, "[aria-label='Remove: Other']")
    inside.keyboard.press("Enter")
    expect(inside.locator("#care-phones-said")).to_contain_text("Other only watches")
    tab_to(inside, "#care-settings > summary")
    inside.keyboard.press("Enter")
    tab_to(inside, "[data-setting=large]")
    inside.keyboard.press("Space")
    wait_until(lambda: other_home.device.kept.settings.large)
    tab_to(inside, "#care-saved > summary")
    inside.keyboard.press("Enter")
    inside.wait_for_selector("#care-save:visible")
    tab_to(inside, "#care-save")
    with inside.expect_download() as download:
        inside.keyboard.press("Enter")
    assert Path(download.value.path()).read_bytes()[:2] == b"PK"
    tab_to(inside, "#care-devices > summary")
    inside.keyboard.press("Enter")
    tab_to(inside, "#care-examine")
    inside.keyboard.press("Enter")
    inside.wait_for_selector("#care-findings li")
    has_keyboard(inside, "#care-examine")


@pytest.mark.further
def test_rules_a_clause_is_found_and_evenings_a_game_is_saved(showcase: Showcase, chromium: Chromium) -> None:
    with showcase.shown(chromium, PHONE) as shown:
        page = shown.page
        tab_to(page, "#places a[href='#rules']")
        page.keyboard.press("Enter")
        tab_to(page, "#rules-search")
        page.keyboard.type("steam train")
        expect(page.locator("#chapters dt")).to_have_text(["SET9"])
        tab_to(page, "#places a[href='#evenings']")
        page.keyboard.press("Enter")
        page.wait_for_selector("#games a")
        tab_to(page, f"[href='#evenings/{FOUR}']")
        page.keyboard.press("Enter")
        page.wait_for_selector("#moment")
        tab_to(page, "#save-record")
        with page.expect_download() as download:
            page.keyboard.press("Enter")
        assert b"Zo" in Path(download.value.path()).read_bytes()
        tab_to(page, "#to-all a")
        page.keyboard.press("Enter")
        has_keyboard(page, f"[href='#evenings/{FOUR}']")


def test_the_door_gives_the_keyboard_back(showcase: Showcase, chromium: Chromium) -> None:
    with showcase.shown(chromium, PHONE, is_inside=False) as shown:
        page = shown.page
        VIEWS["door"].show(shown)
        page.keyboard.press("Escape")
        has_keyboard(page, "#come-in")
        # What opened it is gone when it closes: whoever is in goes on with what is there for them.
        shown.go("teach")
        tab_to(page, "#teach-outside [data-comes-in]")
        page.keyboard.press("Enter")
        has_keyboard(page, "#digits")
        shown.tell_you(is_inside=True)
        shown.tell("facts", {"room": "lobby"})
        page.keyboard.press("Escape")
        has_keyboard(page, "#teach-begin")
