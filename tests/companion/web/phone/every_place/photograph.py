"""Every state of the phone's page as a picture, to be looked at: as first seen, and whole where it is longer."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Final

from tests.companion.web.browsers import Chromium
from tests.companion.web.phone.every_place.showcase import Showcase
from tests.companion.web.phone.every_place.views import VIEWS
from tests.companion.web.phone.phones import DESKTOP, PHONE, TABLET

SIZES: Final = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP, "large": (PHONE[0] // 2, PHONE[1] // 2)}
"""The window in px of the page; large: a phone at 200 %."""
_STILL_MS: Final = 300


def photograph(chromium: Chromium, folder: Path, language: str, looks: Sequence[str], sizes: Sequence[str]) -> None:
    """Each state in these looks and sizes."""
    with tempfile.TemporaryDirectory() as games, Showcase(Path(games), language) as showcase:
        for (name, view), size, look in product(VIEWS.items(), sizes, looks):
            more = {"locale": language, "color_scheme": look, "device_scale_factor": 2 if size == "large" else 1}
            with showcase.shown(chromium, SIZES[size], is_inside=view.is_inside, **more) as shown:
                view.show(shown)
                shown.page.wait_for_timeout(_STILL_MS)
                path = folder / f"phone-{name}-{size}-{look}-{language}.png"
                shown.page.screenshot(path=path)
                print(path, flush=True)
                is_long = shown.page.evaluate("document.documentElement.scrollHeight > innerHeight")
                if is_long and not shown.page.locator("dialog[open]").count():
                    # Else the places would stand in the middle of it.
                    shown.page.evaluate("() => { document.getElementById('places').style.position = 'static'; }")
                    shown.page.screenshot(path=path.with_stem(f"{path.stem}-whole"), full_page=True)
