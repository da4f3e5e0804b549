"""Where the companion keeps what outlives it: games, results, settings."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """The service's state directory, else the user's; it need not be there yet."""
    state = os.environ.get("STATE_DIRECTORY")
    if state:
        return Path(state)
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(home) / "companion"
