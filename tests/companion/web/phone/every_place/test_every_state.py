"""Every state of the page fits, at every size and twice as large, in every language, and keeps nobody out."""

from __future__ import annotations

from itertools import product

import pytest

from companion.texts.language import LANGUAGES
from tests.companion.web.browsers import Chromium
from tests.companion.web.phone.every_place.checks import lost_keyboard, problems, violations
from tests.companion.web.phone.every_place.showcase import Showcase
from tests.companion.web.phone.every_place.views import VIEWS
from tests.companion.web.phone.phones import DESKTOP, PHONE, TABLET

SIZES = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP}
ALL = SIZES | {f"{name} at 200 %": (width // 2, height // 2) for name, (width, height) in SIZES.items()}
# Those that most is on, in the language with the longest words, are tried with each change.
QUICK = ("teach-asked", "care-all")


@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(*each, marks=[] if each[1] == "de" and each[0] in QUICK else pytest.mark.further)
        for each in product(VIEWS, LANGUAGES)
    ],
)
def test_every_state_fits_at_every_size(showcase: Showcase, chromium: Chromium, name: str, language: str) -> None:
    view = VIEWS[name]
    with showcase.shown(chromium, PHONE, is_inside=view.is_inside, locale=language) as shown:
        view.show(shown)
        for size, (width, height) in ALL.items():
            shown.page.set_viewport_size({"width": width, "height": height})
            assert problems(shown.page) == [], size


@pytest.mark.further
@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("name", VIEWS)
def test_axe_finds_nothing_serious(showcase: Showcase, chromium: Chromium, name: str, look: str) -> None:
    view = VIEWS[name]
    with showcase.shown(chromium, PHONE, is_inside=view.is_inside, color_scheme=look) as shown:
        view.show(shown)
        assert violations(shown.page) == []
        shown.page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        assert violations(shown.page) == []


@pytest.mark.further
@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("name", VIEWS)
def test_the_keyboard_goes_through_all_of_it_and_is_seen(
    showcase: Showcase, chromium: Chromium, name: str, size: tuple[int, int]
) -> None:
    view = VIEWS[name]
    with showcase.shown(chromium, size, is_inside=view.is_inside) as shown:
        view.show(shown)
        assert lost_keyboard(shown.page) == []
