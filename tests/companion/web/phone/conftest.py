"""A companion that is looked after from a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.device import visitors
from companion.doctor.machine import Machine
from tests.companion.web.phone.home import Home


def untouched(*_: object) -> Any:
    raise AssertionError("the session holds it")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Nobody may take pins or camera from the session; another version can be put in."""
    root = tmp_path_factory.mktemp("root")
    (root / "etc/systemd/system").mkdir(parents=True)
    (root / "etc/systemd/system/companion-upgrade.path").touch()
    return Machine(root=root, pins=untouched, camera=untouched, service=lambda: "")


@pytest.fixture(scope="module")
def home(machine: Machine) -> Iterator[Home]:
    home = Home(machine.root / "home", machine=machine)
    yield home
    home.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to read here what the screen says."""
    monkeypatch.setattr(visitors, "_STEADY_SECONDS", 0.0)
    monkeypatch.setattr(visitors, "_LAST_LOOK_SECONDS", 0.1)


@pytest.fixture
def phone(home: Home, quick: None) -> Iterator[TestClient]:
    home.device.visitors._tried.clear()
    with home.inside() as client:
        yield client
