"""The locks: everything that is installed, exactly and with checksums, for every Python and machine that is served."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from packaging.requirements import Requirement

ROOT: Final = Path(__file__).parents[2]
EXTRAS: Final = {"appliance": "pi", "play": "web", "test": "test", "fuzz": "fuzz"}
LOCKS: Final = [ROOT / "systemd/locks" / f"{name}.txt" for name in EXTRAS]
PYTHONS: Final = ("3.11", "3.12", "3.13")
MACHINES: Final = ("aarch64", "x86_64")


class Locked(NamedTuple):
    requirement: Requirement
    checksums: list[str]


def locked(lock: Path) -> list[Locked]:
    """Each package of a lock."""
    lines = lock.read_text().replace("\\\n", " ").splitlines()
    entries = [line.split("--hash=") for line in lines if not line.startswith("#")]
    return [Locked(Requirement(entry[0].strip()), [each.strip() for each in entry[1:]]) for entry in entries]


def wanted(extra: str) -> Iterator[Requirement]:
    """What pyproject.toml asks for, and what builds the project."""
    about: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = about["project"]
    for line in (
        *project["dependencies"],
        *project["optional-dependencies"][extra],
        *about["build-system"]["requires"],
    ):
        requirement = Requirement(line)
        if requirement.name == project["name"]:
            for inner in requirement.extras:
                yield from map(Requirement, project["optional-dependencies"][inner])
        else:
            yield requirement


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_each_version_is_exact_and_each_wheel_known(lock: Path) -> None:
    packages = locked(lock)
    assert len(packages) > 15
    for requirement, checksums in packages:
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), requirement
        assert checksums, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in checksums), requirement


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_does_not_say_where_packages_come_from(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    assert [line for line in text.splitlines() if line.startswith("-")] == []


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_what_the_project_asks_for_is_locked_once(lock: Path, python: str, machine: str) -> None:
    place = {
        "python_version": python, "python_full_version": f"{python}.2", "platform_machine": machine,
        "sys_platform": "linux", "platform_system": "Linux", "platform_python_implementation": "CPython",
    }  # fmt: skip
    found = {
        requirement.name.replace("-", "").replace("_", "").replace(".", "").lower(): requirement
        for requirement, _ in locked(lock)
        if requirement.marker is None or requirement.marker.evaluate(place)
    }
    for requirement in wanted(EXTRAS[lock.stem]):
        if requirement.marker is None or requirement.marker.evaluate(place):
            exact = found[requirement.name.replace("-", "").replace("_", "").replace(".", "").lower()]
            (version,) = [each.version for each in exact.specifier]
            assert version in requirement.specifier, f"{requirement} is not {version}: make lock"


def test_pip_is_given_nothing_but_the_locks_and_ourselves() -> None:
    for file in (ROOT / "Makefile", ROOT / "systemd/install.sh"):
        text = re.sub(r"^\s*#.*", "", file.read_text(), flags=re.MULTILINE)
        calls = [line for line in text.splitlines() if re.search(r"\b(install|wheel) -q ", line)]
        assert len(calls) >= 2
        for call in calls:
            is_locked = "--require-hashes --only-binary :all:" in call
            is_ourselves = "--no-index --no-deps --no-build-isolation" in call
            is_the_locksmith = "'uv" in call and "--only-binary :all:" in call
            assert is_locked or is_ourselves or is_the_locksmith, call
