"""Every registered game, and a toy beside them that shows what a game needs."""

from __future__ import annotations

from typing import Final

import pytest

from companion.games import registry
from companion.games.game import Game
from tests.companion.games import rising


def _registered() -> tuple[Game, ...]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "MODULES", [*registry.MODULES, rising.__name__])
        return registry.games()


GAMES: Final = _registered()
