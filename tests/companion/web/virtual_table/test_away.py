"""The page while the program is away and when it is back, and a game with other cards: as a browser shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

from companion.games import registry
from companion.games.loknroll.settings import with_own
from companion.texts.language import Texts
from companion.virtual.things import Place
from tests.companion.web.browsers import REFUSED, Chromium, ServedTable, said, unplugged, wait_until
from tests.companion.web.virtual_table.hands import MouseHands
from vision.cards import Pose


def hand(page: Page) -> list[str]:
    """The names of the cards in the hand that is held up."""
    return page.locator("#things > .doubled").evaluate_all("all => all.map((each) => each.ariaLabel)")


def is_veiled(page: Page, place: str) -> bool:
    """Whether the veil lies over a place, and nothing in it can be used."""
    return page.locator(place).evaluate("""(node) => {
      const box = node.getBoundingClientRect();
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return top.closest("#veil") !== null && node.closest("[inert]") !== null;
    }""")


def test_a_program_that_is_away_is_missed_where_one_looks_and_found_again(tmp_path: Path, chromium: Chromium) -> None:
    with (
        unplugged(ServedTable(tmp_path, language="de")) as served,
        chromium.page(served.address, language="de", forgiven=REFUSED) as page,
    ):
        lost, places = page.locator("#lost"), ("#table", "#device", "#robot-panel", "#new-game")
        assert not lost.is_visible()
        served.device.world.draw(0)
        wait_until(lambda: hand(page))
        held = hand(page)
        page.click("#new-game")
        page.wait_for_selector("#new-dialog[open]")
        served.close()
        lost.wait_for()
        assert lost.inner_text() == Texts("de")("web.lost")
        assert lost.evaluate("node => node.closest('[role=status]') !== null")
        assert page.locator("dialog[open]").count() == 0
        assert [is_veiled(page, place) for place in places] == [True] * len(places)
        page.keyboard.press("r")
        assert page.locator(".pressed").count() == 0
        with unplugged(ServedTable(tmp_path, None, port=served.port, seed=8, language="de")) as again:
            lost.wait_for(state="hidden")
            assert not any(is_veiled(page, place) for place in places)
            assert hand(page) == held
            wait_until(lambda: again.device.screen.main in said(page))
            page.click("[data-button=up]")
            wait_until(lambda: again.device.screen.choices and again.device.screen.choices[0] in said(page))


def test_what_was_asked_for_before_the_program_went_away_is_not_shown_over_that(
    tmp_path: Path, chromium: Chromium
) -> None:
    with unplugged(ServedTable(tmp_path)) as served, chromium.page(served.address, forgiven=REFUSED) as page:
        asked: list[Route] = []
        page.route("**/deck.json", lambda route: asked.append(route))  # noqa: PLW0108  # playwright counts arguments
        page.click("#new-game")
        wait_until(lambda: page.evaluate("1") and asked)
        served.close()
        page.locator("#lost").wait_for()
        asked[0].abort()
        page.wait_for_timeout(200)
        assert page.locator("dialog[open]").count() == 0


def test_a_game_with_other_cards_begins_on_the_page(
    tmp_path: Path, chromium: Chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is offered is what can be played now, also where a setting was changed after the page was opened."""
    monkeypatch.setattr(registry, "MODULES", [*registry.MODULES, "tests.companion.games.rising"])
    with unplugged(ServedTable(tmp_path)) as served, chromium.page(served.address) as page:
        device = served.device
        assert page.title() == page.inner_text("#title") == "LOK'n'ROLL".replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
        device.kept.keep(with_own(device.kept.settings, edition="loose_caboose"))
        page.click("#new-game")
        page.check("[name=mode][value='rising alone']")
        assert page.locator("[name=mode][value='loknroll betsy']").count() == 0
        page.click("#new-dialog [value=begin]")
        wait_until(lambda: page.title() == "RISING")
        hands = MouseHands(device.world, page, 1)
        hands.draw(0)
        (card,) = device.world.cards(Place.HAND)
        hands.place(card.number, Pose(400, 300))
        page.get_by_label(f"{card.face}, chaos, on the table", exact=True).wait_for()
        pictures = page.locator("#things img")
        assert all(pictures.evaluate_all("all => all.map((each) => each.complete && each.naturalWidth)"))
        backs = page.locator(".pile img").evaluate_all("all => all.map((each) => each.src)")
        assert all("deck=rising" in back for back in backs)
        while device.world.cards(Place.PILE):
            device.world.draw(0)
        page.reload()
        page.wait_for_selector("#things.ready .pile.empty", state="attached")
        assert len(hand(page)) == len(device.world.cards(Place.HAND))
