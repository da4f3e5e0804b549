"""``companion replay``: a record checked line by line against the rules, and told turn by turn."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from companion.commands.loknroll.story import Story
from companion.commands.shared.arguments import add_language
from companion.games.loknroll.record.narration import Line, Tone, closing, opening, table, telling
from companion.games.loknroll.record.recorded_game import Replayed, recorded_start, replay
from companion.games.loknroll.rules import Game, RuleError, State, result
from companion.games.loknroll.wording import Wording
from companion.record.file import RecordError, Recording, read_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = (
        "exit status:\n  0 if every step is legal\n\n"
        "examples:\n  companion replay game.jsonl\n  companion replay game.jsonl --json"
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the record of a game")
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Replays a record."""
    say = Wording(options.language)
    try:
        recording = read_record(options.file)
        game = recorded_start(options.file, recording)
        if options.json:
            print(json.dumps(_as_json(options.file, recording, game)))
        else:
            _tell(options.file, recording, game, say)
    except RecordError as error:
        _report(error, say, as_json=options.json)
        return 1
    return 0


def _tell(path: Path, recording: Recording, game: Game, say: Wording) -> None:
    story = Story()
    story.tell(opening(game.state, say))
    before = game.state
    for played in replay(path, recording, game):
        story.tell(_played(played, before, say))
        before = game.state
    story.tell(closing(game.state, say))
    if recording.torn_bytes:
        story.tell([Line(Tone.EVENT, say("record.torn", bytes=recording.torn_bytes))])
    story.tell([Line(Tone.EVENT, say("record.legal", steps=len(recording.lines)))])


def _played(played: Replayed, before: State, say: Wording) -> list[Line]:
    if played.taken_back:
        told = say("turn.taken-back", count=played.taken_back)
        return [Line(Tone.EVENT, told), Line(Tone.TABLE, table(played.game.state, say))]
    return list(telling(before, played.game.steps[-1], played.game.state, say))


def _as_json(path: Path, recording: Recording, game: Game) -> dict[str, Any]:
    setup = game.state.setup
    steps = [{**played.told, "table": _table(game.state)} for played in replay(path, recording, game)]
    outcome = result(game.state)
    return {
        "legal": True,
        "finished": outcome is not None,
        "torn_bytes": recording.torn_bytes,
        "mode": setup.mode.value,
        "players": setup.names,
        "steps": steps,
        "points": [score.points for score in outcome.scores] if outcome else None,
        "winners": [setup.names[number] for number in outcome.winners] if outcome else None,
    }


def _table(state: State) -> dict[str, Any]:
    return {
        "railway": [face.id for face in state.railway.faces],
        "emma": state.emma,
        "draw_pile": state.draw_pile,
        "hands": [player.hand for player in state.players],
        "piles": [[face.id for face in player.pile] for player in state.players],
    }


def _report(error: RecordError, say: Wording, *, as_json: bool) -> None:
    cause = error.__cause__
    reason = say.error(cause) if isinstance(cause, RuleError) else error.reason
    if as_json:
        clause = cause.clause if isinstance(cause, RuleError) else None
        print(json.dumps({"legal": False, "line": error.line, "clause": clause, "reason": reason}))
    elif error.line is None:
        print(f"{error.path}: {reason}", file=sys.stderr)
    else:
        print(say("record.illegal", line=error.line, file=error.path, reason=reason), file=sys.stderr)
