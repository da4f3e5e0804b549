"""Teaching on the page: what is asked there, and that nothing somebody has said is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.screen.screen import Screen
from tests.companion.web.browsers import Chromium
from tests.companion.web.phone.home import ServedHome
from tests.companion.web.phone.phones import PHONE, Line

_ASKED = {"question": 3, "value": None, "kind": "track", "ports": [["S", 0.0], ["N", 0.0]]}
_CARD = {"number": 1, "value": 1, "kind": "track", "ports": [["S", 0.0], ["N", 0.0]]}
_FACTS = {"room": "teaching", "step": "whichvalue", "card_mm": [63, 88], "cards": [_CARD], "asked": _ASKED}


class TeachingLine(Line):
    """The same while cards are taught."""

    def teach(self, **more: object) -> None:
        """The companion asks about a card."""
        self.tell("facts", facts=_FACTS | more)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHome]:
    home = ServedHome(tmp_path_factory.mktemp("home"))
    yield home
    home.close()


@pytest.fixture
def phone(home: ServedHome, chromium: Chromium) -> Iterator[tuple[Page, TeachingLine]]:
    """A phone that is in, at the place where cards are taught."""
    context = chromium.browser.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en", has_touch=True
    )
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.route("**/phone/cards/*", lambda route: route.fulfill(status=204))
    line = TeachingLine(page)
    page.goto(f"{home.address}#teach")
    page.wait_for_selector("body.ready")
    line.tell("you", are="phone", inside=True)
    yield page, line
    context.close()
    assert wrong == []


def test_another_language_takes_nothing_back_that_was_said_of_the_card(phone: tuple[Page, TeachingLine]) -> None:
    page, line = phone
    line.teach()
    page.locator("#values label").nth(1).tap()
    page.locator("#kinds label", has_text="broken").tap()
    page.locator("#language").select_option("de")
    expect(page.locator("#kinds label", has_text="Gleisbruch").locator("input")).to_be_checked()
    assert page.locator("#values :checked").input_value() == "2"
    expect(page.locator("#right")).to_be_enabled()


def test_what_is_asked_of_twins_is_seen_at_once_with_both_cards(phone: tuple[Page, TeachingLine]) -> None:
    page, line = phone
    line.teach()
    page.evaluate("scrollTo(0, 200)")
    line.teach(step="twin", asked=_ASKED | {"value": 1}, other=1)
    line.show(Screen("Another 1, straight?", choices=("The same card", "A different picture")))
    expect(page.locator("#pair figcaption")).to_have_text(["This one", "The other one"])
    expect(page.locator("#heading")).to_be_in_viewport(ratio=1)
    assert not page.locator("#right").is_visible()


def test_buttons_stay_where_they_are_while_the_screen_says_more(phone: tuple[Page, TeachingLine]) -> None:
    page, line = phone
    places = []
    for screen in (Screen("Betsy", "Lay 4 here"), Screen("Betsy", "4 laid: derailed, 1 forward", ("One", "Two"))):
        line.show(screen)
        expect(page.locator("#words")).to_have_text(screen.main)
        page.evaluate("location.hash = '#watch'")
        places.append(page.locator("[data-button=roll]").bounding_box())
    assert places[0] == places[1]


def test_the_chosen_line_of_a_long_list_is_seen(phone: tuple[Page, TeachingLine]) -> None:
    page, line = phone
    line.show(Screen("Games", choices=tuple(f"Line {number}" for number in range(14)), chosen=12))
    page.evaluate("location.hash = '#watch'")
    expect(page.locator("#choices [aria-current]")).to_be_in_viewport(ratio=1)
    assert page.evaluate(
        "document.querySelector('#choices [aria-current]').getBoundingClientRect().bottom"
        " <= document.getElementById('choices').getBoundingClientRect().bottom"
    )


def test_the_screen_is_spoken_as_sentences(phone: tuple[Page, TeachingLine]) -> None:
    page, line = phone
    line.show(Screen("Card 4", "Which value?", ("Reading it ...",)))
    expect(page.locator("#spoken")).to_have_text("Card 4. Which value? Reading it ...")


def test_who_watches_is_told_why_the_screen_is_dark(phone: tuple[Page, TeachingLine]) -> None:
    page, line = phone
    line.show(Screen())
    expect(page.locator("#spoken")).to_contain_text("only for the people at the table")
