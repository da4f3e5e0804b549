"""What the machine needs and cannot fetch, since it has no network: the checkout, wheels, packages of Debian."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from packaging.markers import Marker

from tests.appliance.machine import PROJECT, Machine

_PARTS: Final = ("companion", "vision", "hardware", "systemd")
_FILES: Final = ("pyproject.toml", "README.md", "LICENSE", "Makefile")
_PYTHON: Final = "3.11"
_PLATFORMS: Final = ("manylinux2014_x86_64", "manylinux_2_28_x86_64", "manylinux_2_34_x86_64")
_PACKAGES: Final = ("make", "libgl1", "libglib2.0-0")
"""Of Debian: make, and what OpenCV needs."""


def bring(machine: Machine) -> None:
    """Puts all of it where the machine sees it as /host; the machine runs."""
    bring_checkout(machine)
    bring_programs(machine)
    _bring_wheels(machine.share / "the wheels")
    shutil.rmtree(machine.share / "dist", ignore_errors=True)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", machine.share / "dist"]
    subprocess.run([*command, machine.share / "checkout"], check=True, timeout=600)
    _bring_packages(machine, machine.share / "debs")


def bring_checkout(machine: Machine) -> None:
    """The checkout as it is now."""
    checkout = machine.share / "checkout"
    shutil.rmtree(checkout, ignore_errors=True)
    checkout.mkdir()
    for part in _PARTS:
        shutil.copytree(PROJECT / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in _FILES:
        shutil.copy(PROJECT / file, checkout)


def bring_programs(machine: Machine) -> None:
    """The programs that run in the machine for the tests, as they are now."""
    for program in Path(__file__).parent.glob("guest_*.py"):
        shutil.copy(program, machine.share)


def _bring_wheels(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    # pip asks for the markers of the Python it runs on; the machine has another one.
    place = {"python_version": _PYTHON, "python_full_version": f"{_PYTHON}.2", "platform_machine": "x86_64"}
    lines = (PROJECT / "systemd/locks/appliance.txt").read_text().replace("\\\n", " ").splitlines()
    wanted = []
    for line in (line for line in lines if not line.startswith("#")):
        requirement, checksums = line.split("--hash", 1)
        name, _, marker = requirement.partition(";")
        if not marker or Marker(marker.strip()).evaluate(place):
            wanted.append(f"{name.strip()} --hash{checksums}")
    lock = folder.with_name("wheels.txt")
    lock.write_text("\n".join(wanted) + "\n")
    platforms = [word for platform in _PLATFORMS for word in ("--platform", platform)]
    options = ["--no-deps", "--only-binary=:all:", "--python-version", _PYTHON, "--implementation", "cp", *platforms]
    command = [sys.executable, "-m", "pip", "download", "-q", "-d", folder, *options, "--require-hashes", "-r", lock]
    subprocess.run(command, check=True, timeout=1800)


def _bring_packages(machine: Machine, folder: Path) -> None:
    (folder / "partial").mkdir(parents=True, exist_ok=True)
    machine.run("cp /var/lib/dpkg/status /host/status")
    options = [
        f"Dir::State::status={machine.share / 'status'}",
        f"Dir::Cache::archives={folder}",
        "APT::Install-Recommends=false",
        "APT::Sandbox::User=root",
    ]
    command = ["apt-get", "-qq", "-y", "--download-only", *(f"-o{each}" for each in options), "install", *_PACKAGES]
    subprocess.run(command, check=True, timeout=1800)
    with (folder / "Packages").open("w") as index:
        for package in sorted(folder.glob("*.deb")):
            told = subprocess.run(["dpkg-deb", "-f", package], capture_output=True, text=True, check=True).stdout
            data = package.read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            index.write(f"{told.strip()}\nFilename: ./{package.name}\nSize: {len(data)}\nSHA256: {digest}\n\n")
    machine.run(
        "rm -f /etc/apt/sources.list.d/*; echo 'deb [trusted=yes] file:/host/debs ./' >/etc/apt/sources.list;"
        "apt-get update -qq && apt-get install -qq make",
        seconds=900,
    )
