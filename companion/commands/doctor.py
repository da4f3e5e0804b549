"""``companion doctor``: what is right with the parts, what is wrong, and how to mend it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from companion.commands.shared.arguments import add_language
from companion.commands.shared.errors import CommandError
from companion.doctor.examination import examine
from companion.doctor.findings import Finding, Verdict
from companion.doctor.focusing import Sharpness, show_on, watch
from companion.doctor.machine import Machine
from companion.doctor.trying import Trial
from companion.record.state_folder import state_folder
from companion.texts.harmless import harmless
from companion.texts.language import Texts
from hardware.devices import open_devices
from hardware.settings import SettingsError, load_settings

INSTALLED_SETTINGS: Final = Path("/etc/companion/devices.toml")
_BAR: Final = 40
_COLOURS: Final = {"good": "32", "note": "33", "bad": "1;31"}
_PAUSE_SECONDS: Final = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "It ends with status 0 where nothing has to be mended, else with 1.\n\n"
        "examples:\n  companion doctor\n  companion doctor --try\n  companion doctor --focus\n  companion doctor --json"
    )
    parser.add_argument(
        "--devices",
        metavar="FILE",
        type=Path,
        default=INSTALLED_SETTINGS if INSTALLED_SETTINGS.exists() else None,
        help="pins, screen and camera (default: those of the service, or the usual ones)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--try", action="store_true", dest="tries", help="try the screen and the buttons with you")
    what.add_argument("--focus", action="store_true", help="show how sharp the pictures are while you turn the lens")
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Looks at every part, or tries what the person asks for."""
    say = Texts(options.language)
    if options.focus:
        return _focus(options.devices, say)
    if options.tries:
        return _try(options.devices, say)
    return tell(examine(Machine(), options.devices, state_folder()), say, as_json=options.json)


def tell(findings: Iterable[Finding], say: Texts, *, as_json: bool) -> int:
    """Prints the findings as they come; returns the exit status."""
    known = []
    for finding in findings:
        known.append(finding)
        if not as_json:
            _print(finding, say)
    count = sum(finding.verdict is Verdict.BAD for finding in known)
    if as_json:
        lines = [
            {"part": each.part, "verdict": each.verdict, "code": each.code, "says": harmless(each.told(say))}
            for each in known
        ]
        print(json.dumps({"good": not count, "findings": lines}, ensure_ascii=False, indent=1))
    else:
        print()
        print(say("doctor.mend", count=count) if count else say("doctor.all-good"))
    return 1 if count else 0


def _print(finding: Finding, say: Texts) -> None:
    verdict = f"{say(f'doctor.verdict-{finding.verdict}'):7}"
    if sys.stdout.isatty():
        verdict = f"\033[{_COLOURS[finding.verdict]}m{verdict}\033[0m"
    print(f"{verdict} {say(f'doctor.part-{finding.part}'):13} {harmless(finding.told(say))}", flush=True)


def _try(file: Path | None, say: Texts) -> int:
    if not sys.stdin.isatty():
        raise CommandError(say("doctor.no-terminal"))
    try:
        settings = load_settings(file)
    except SettingsError as error:
        raise CommandError(str(error)) from error
    devices = open_devices(settings)
    try:
        for fault in devices.faults:
            print(harmless(fault))
        trial = Trial(devices, input, print, say)
        screen = trial.screen() if settings.display.controller != "none" else ()
        return tell((*screen, *trial.buttons(settings.buttons)), say, as_json=False)
    finally:
        devices.close()


def _focus(file: Path | None, say: Texts) -> int:
    def line(seen: Sharpness) -> str:
        now = "?" if seen.now is None else seen.now
        return seen.trouble or say("doctor.focus-line", sharpness=now, best=seen.best)

    try:
        settings = load_settings(file)
    except SettingsError as error:
        raise CommandError(str(error)) from error
    devices = open_devices(settings)
    best = 0
    try:
        if devices.camera is None:
            raise CommandError(say("doctor.focus-none"))
        print(say("doctor.focus"))
        for seen in watch(devices.camera):
            best = seen.best
            bar = "█" * round((seen.now or 0) * _BAR / 100)
            print(f"\r\033[K{bar:{_BAR}} {line(seen)}" if sys.stdout.isatty() else line(seen), end="", flush=True)
            if not sys.stdout.isatty():
                print()
            show_on(devices.display, seen, line)
            time.sleep(_PAUSE_SECONDS)
    except KeyboardInterrupt:
        print()
    finally:
        devices.close()
    print(say("doctor.focus-best", best=best))
    return 0
