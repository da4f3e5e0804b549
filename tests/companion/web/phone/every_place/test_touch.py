"""A whole deed on each place with a finger alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.web.phone.door import COOKIE
from tests.companion.web.browsers import Chromium, wait_until
from tests.companion.web.phone.every_place.showcase import FOUR, Showcase
from tests.companion.web.phone.home import ServedHome
from tests.companion.web.phone.phones import DESKTOP, PHONE, TABLET

SIZES = [PHONE, TABLET, DESKTOP]


@pytest.mark.further
@pytest.mark.parametrize("size", SIZES)
def test_aiming_and_care_at_the_list_of_games(
    other_home: ServedHome, chromium: Chromium, size: tuple[int, int]
) -> None:
    session = other_home.device.session
    context = chromium.browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en", has_touch=True)
    context.add_cookies([{"name": COOKIE, "value": other_home.key, "url": other_home.address}])
    page = context.new_page()
    page.goto(other_home.address)
    page.wait_for_selector("#ask-in", state="hidden")
    page.tap("#places a[href='#aim']")
    page.tap("#aim-begin")
    expect(page.locator("#spoken")).to_contain_text("Aim the camera")
    page.tap("[data-button=back]")
    page.wait_for_selector("#aim-begin:visible")
    assert session.handler is not None
    assert session.handler.facts()["room"] == "lobby"
    page.tap("#places a[href='#care']")
    page.tap("#care-settings > summary")
    page.wait_for_selector("#care-options button")
    sounds = other_home.device.kept.settings.sounds
    page.tap("[data-setting=sounds]")
    wait_until(lambda: other_home.device.kept.settings.sounds != sounds)
    page.tap("#care-settings > summary")
    page.tap("#care-saved > summary")
    with page.expect_download():
        page.tap("#care-save")
    page.get_by_role("button", name="Remove: Phone that is in").tap()
    page.locator("#care-sure").get_by_role("button", name="Cancel").tap()
    expect(page.locator("#care-sure")).not_to_be_visible()
    expect(page.locator("#care-inside")).to_be_visible()
    context.close()


@pytest.mark.further
@pytest.mark.parametrize("size", SIZES)
def test_rules_evenings_and_correcting_in_a_game(showcase: Showcase, chromium: Chromium, size: tuple[int, int]) -> None:
    with showcase.shown(chromium, size, has_touch=True) as shown:
        page = shown.page
        page.tap("#railway [data-card='0']")
        page.tap("#correct-close")
        expect(page.locator("#correct")).not_to_be_visible()
        page.tap("#places a[href='#rules']")
        page.tap("#rules-search")
        page.keyboard.type("steam train")
        expect(page.locator("#chapters dt")).to_have_text(["SET9"])
        page.tap("#places a[href='#evenings']")
        page.tap(f"[href='#evenings/{FOUR}']")
        page.wait_for_selector("#moment:visible")
        slider = page.locator("#moment").bounding_box()
        assert slider is not None
        page.touchscreen.tap(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
        expect(page.locator("#clock")).not_to_have_text("1/96")
        with page.expect_download():
            page.tap("#save-record")
        page.tap("#theme")
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
