"""The machine that all tests of a session share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.machine import RIG, Machine
from tests.appliance.supplies import bring, bring_programs


@pytest.fixture(scope="session")
def machine() -> Iterator[Machine]:
    if not RIG.exists():
        pytest.skip(f"{RIG} is not there: nothing boots a machine")
    if os.geteuid() != 0:
        pytest.skip("emulating a machine needs root")
    folder = Path(os.environ.get("RIG_DIR", Path.home() / ".cache/companion-rig"))
    made = Machine(folder)
    if os.environ.get("INSTALLED"):  # goes on with a machine as it was left
        made.up()
        bring_programs(made)
    else:
        made.forget()
        made.up()
        bring(made)
    yield made
    if made.is_running():
        made.off()
