"""``companion dice --check``: dice thrown many times, counted, tested and shown."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from companion.commands.dice_box.dice_drawing import die_name, face_name, test_line
from companion.commands.shared.errors import CommandError
from companion.commands.shared.progress import progress_bar
from companion.commands.shared.whole import appearing, check_is_free
from companion.dice.box import SYSTEM, Die
from companion.dice.fairness import FaceCount, Fairness, count_throws, fairness, least_throws, percent, verdict
from companion.texts.harmless import harmless
from companion.texts.language import Texts

BAR_WIDTH: Final = 40
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"


def check(dice: Sequence[Die], options: argparse.Namespace, say: Texts) -> int:
    """Checks a die of each kind; returns the exit status: 1 where one is unfair, 130 where Ctrl-C stopped it."""
    kinds = tuple(dict.fromkeys(dice))
    _check_options(kinds, options, say)
    counts, stopped = _count(kinds, options.check, say)
    checked = [fairness(die, counted) for die, counted in counts.items() if counted.total() >= least_throws(die)]
    if options.json:
        print(json.dumps({"stopped": stopped, "checks": [_as_json(done) for done in checked]}))
    else:
        for done in checked:
            for line in _report(done, say):
                print(line)
    if options.plot is not None and checked:
        from companion.commands.dice_box.dice_plot import plot

        with appearing(options.plot) as file:
            plot(checked, say).save(file, "PNG")
        print(say("dice.plotted", file=harmless(options.plot)), file=sys.stderr if options.json else sys.stdout)
    if stopped:
        thrown = sum(counted.total() for counted in counts.values())
        print(say("dice.stopped", done=thrown, wanted=options.check * len(kinds)), file=sys.stderr)
        return 130
    return int(any(verdict(done.p_value) == "unfair" for done in checked))


def _check_options(kinds: Sequence[Die], options: argparse.Namespace, say: Texts) -> None:
    for die in kinds:
        if options.check < least_throws(die):
            message = say("dice.too-few", throws=options.check, die=die_name(die, say), least=least_throws(die))
            raise CommandError(message)
    if options.plot is not None:
        if options.plot.suffix.lower() != ".png":
            raise CommandError(say("dice.plot-name", file=options.plot))
        check_is_free(options.plot)


def _count(kinds: Sequence[Die], throws: int, say: Texts) -> tuple[dict[Die, Counter[int]], bool]:
    """The count of each kind's faces, and whether Ctrl-C stopped the counting."""
    counts: dict[Die, Counter[int]] = {}
    done = 0
    try:
        with progress_bar(say("dice.checking")) as told:
            for die in kinds:
                counts[die] = Counter()
                for counted in count_throws(die, throws, SYSTEM):
                    counts[die] += counted
                    done += counted.total()
                    told(done, throws * len(kinds))
    except KeyboardInterrupt:
        return counts, True
    return counts, False


def _report(done: Fairness, say: Texts) -> list[str]:
    """Counts with bars, the test, and what it means."""
    titles = [say(f"dice.{key}") for key in ("face", "count", "expected", "deviation")]
    rows = [_row(done.die, face, say) for face in done.faces]
    widths = [max(len(row[column]) for row in (titles, *rows)) for column in range(4)]
    largest = max(face.times for face in done.faces)
    bars = [_bar(face.times / largest) for face in done.faces]
    table = [
        "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) + f"  {bar}"
        for row, bar in zip((titles, *rows), ("", *bars), strict=True)
    ]
    return [
        say("dice.check-title", die=die_name(done.die, say), throws=done.throws),
        *(line.rstrip() for line in table),
        test_line(done, say),
        say(f"dice.{verdict(done.p_value)}", share=percent(done.p_value)),
        "",
    ]


def _row(die: Die, face: FaceCount, say: Texts) -> list[str]:
    return [face_name(die, face.face, say), str(face.times), f"{face.expected:.1f}", f"{face.deviation:+.2f}"]


def _bar(share: float) -> str:
    eighths = round(share * BAR_WIDTH * 8)
    bar = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
    try:
        bar.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return "#" * round(share * BAR_WIDTH)
    return bar


def _as_json(done: Fairness) -> dict[str, Any]:
    return {
        "die": done.die.name,
        "throws": done.throws,
        "counts": {str(face.face): face.times for face in done.faces},
        "expected": {str(face.face): face.expected for face in done.faces},
        "chi_square": done.chi_square,
        "degrees_of_freedom": done.degrees_of_freedom,
        "p_value": done.p_value,
    }
