"""The page in real browsers: what it weighs, and two of them that steer at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from companion.device.last_game import Order
from companion.web.phone.door import COOKIE
from tests.companion.games.every_game import GAMES, check_told
from tests.companion.web.browsers import Chromium, wait_until, weights
from tests.companion.web.phone.served_session import Restless, ServedSession

HEAVIEST_BYTES = 300_000
RESTLESS = """(seed) => {
  let state = seed;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  const click = (nodes) => nodes[random(nodes.length || 1)]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const all = (what) => [...document.querySelectorAll(what)].filter((node) => !node.hidden && !node.disabled);
  window.did = { press: 0, correct: 0, back: 0 };
  window.restless = setInterval(() => {
    if (document.querySelector("#correct").open) {
      did.correct += 1;
      click(random(8) ? all("#faces button").slice(0, 6) : all("#correct-close"));
      return;
    }
    const what = random(10);
    if (what === 0) { did.back += 1; click(all("#take-back")); return; }
    if (what < 4) { click(all("#railway [data-card]")); return; }
    did.press += 1;
    // The way out of the menu, where games are left for other things.
    const isMenu = document.querySelectorAll("#choices li").length > 5;
    click(isMenu ? all("[data-button=back]") : all("[data-button=roll], [data-button=down], [data-button=up]"));
  }, 25);
}"""
SHOWN = """() => ["railway", "players", "heading", "words", "lines", "choices", "left"].map(
  (name) => document.getElementById(name).innerHTML).join("\\n")"""


@contextmanager
def opened(chromium: Chromium, served: ServedSession, place: str = "") -> Iterator[Page]:
    """The page in a browser that was let in, and has never been here."""
    context = chromium.browser.new_context(locale="en")
    context.add_cookies([{"name": COOKIE, "value": served.key, "url": served.address}])
    page = context.new_page()
    page.goto(f"{served.address}/phone{place}")
    page.wait_for_selector("body.ready")
    yield page
    context.close()


def test_every_place_is_light_and_asks_only_its_own_server(chromium: Chromium, tmp_path: Path) -> None:
    with ServedSession(tmp_path) as served, opened(chromium, served) as page:
        places = [link.get_attribute("href") for link in page.locator("#places a").all()]
        assert places
        for place in places:
            page.click(f'#places a[href="{place}"]')
            page.wait_for_selector(f"#place-{place[1:]}:not([hidden])")
        page.wait_for_load_state("networkidle")
        asked = weights(page)
    assert all(url.startswith(served.address) for url in asked)
    assert 10_000 < sum(asked.values()) < HEAVIEST_BYTES


@pytest.mark.further
def test_two_browsers_and_the_buttons_at_once(chromium: Chromium, tmp_path: Path) -> None:
    restless, steps = Restless("fingers"), 400
    with ServedSession(tmp_path, Order("loknroll", "2")) as served, ExitStack() as stack:
        served.playing()
        pages = [stack.enter_context(opened(chromium, served)) for _ in range(2)]
        for number, page in enumerate(pages):
            page.evaluate(RESTLESS, Random(number).randrange(1, 10**6))
        for _ in range(steps):
            menu = len(pages[0].locator("#choices li").all()) > 5
            served.buttons.press(restless.button({"choices": range(9 if menu else 0)}))
            served.playing()
            pages[1].wait_for_timeout(60)
        for page in pages:
            page.evaluate("() => { clearInterval(restless); document.querySelector('#correct').close(); }")
        wait_until(lambda: pages[0].evaluate(SHOWN) == pages[1].evaluate(SHOWN), 20)
        pages[0].wait_for_timeout(1000)
        assert pages[0].evaluate(SHOWN) == pages[1].evaluate(SHOWN)
        play: Any = served.playing()
        facts = play.facts()
        assert [page.locator("#railway [data-card]").count() for page in pages] == [len(facts["cards"])] * 2
        print([page.evaluate("did") for page in pages], served.judged.taken, served.judged.refused, facts["turn"])
        check_told(next(game for game in GAMES if game.name == play.game), served.session.record, play)
    assert served.judged.has_seen_all
