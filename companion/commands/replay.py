"""``companion replay``: a record checked line by line against the rules, and told turn by turn."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.commands.shared.arguments import add_language
from companion.commands.shared.story import Story
from companion.games.recorded_game import BrokenRule, Line, Moment, Tone
from companion.games.registry import game_of, games
from companion.record.file import RecordError, Recording, read_record
from companion.texts.harmless import shortened
from companion.texts.language import Texts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "exit status:\n  0 if every step is legal\n\n"
        f"examples:\n  {parser.prog} game.jsonl\n  {parser.prog} game.jsonl --json"
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the record of a game")
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Replays a record."""
    say = Texts(options.language)
    try:
        recording = read_record(options.file)
        moments = _moments(options.file, recording, options.language)
        if options.json:
            print(json.dumps(_as_json(recording, moments)))
        else:
            _tell(recording, moments, say)
    except RecordError as error:
        _report(error, say, as_json=options.json)
        return 1
    return 0


def _moments(path: Path, recording: Recording, language: str) -> Iterator[Moment]:
    game = game_of(recording.header, games())
    if game is None:
        named = recording.header.get("game")
        raise RecordError(path, f"a game of {named!r}, which this companion does not know; please update.", 1)
    return game.told(path, recording, language)


def _tell(recording: Recording, moments: Iterator[Moment], say: Texts) -> None:
    story = Story()
    for moment in moments:
        story.tell(moment.lines)
    if recording.torn_bytes:
        story.tell([Line(Tone.EVENT, say("replay.torn", bytes=recording.torn_bytes))])
    story.tell([Line(Tone.EVENT, say("replay.legal", steps=len(recording.lines)))])


def _as_json(recording: Recording, moments: Iterator[Moment]) -> dict[str, Any]:
    first, *steps, last = (dict(moment.facts) for moment in moments)
    return {"legal": True, "torn_bytes": recording.torn_bytes, **first, "steps": steps, **last}


def _report(error: RecordError, say: Texts, *, as_json: bool) -> None:
    if as_json:
        clause = error.clause if isinstance(error, BrokenRule) else None
        print(json.dumps({"legal": False, "line": error.line, "clause": clause, "reason": error.reason}))
    elif error.line is None:
        print(shortened(f"{error.path}: {error.reason}"), file=sys.stderr)
    else:
        told = say("replay.illegal", line=error.line, file=error.path, reason=error.reason)
        print(shortened(told), file=sys.stderr)
