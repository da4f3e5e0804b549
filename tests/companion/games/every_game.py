"""Every registered game, a toy beside them that shows what a game needs, and what holds for the record of any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from companion.games import registry
from companion.games.game import Game, Play, Standing
from companion.record.file import read_record
from companion.texts.language import LANGUAGES
from tests.companion.games import rising


def _registered() -> tuple[Game, ...]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "MODULES", [*registry.MODULES, rising.__name__])
        return registry.games()


GAMES: Final = _registered()


def check_told(game: Game, path: Path, play: Play) -> None:
    """A record is told in every language, with a moment for each line, and ends where its play stands."""
    recording, facts = read_record(path), play.facts()
    assert registry.game_of(recording.header, GAMES) is game
    assert game.standing(path, recording) == Standing(play.kind, play.is_over)
    summary = game.summary(path, recording)
    assert (summary.kind, summary.is_over) == (play.kind, play.is_over)
    assert (summary.players, summary.persons) == play.seats
    assert bool(summary.points) == play.is_over
    assert all(set(rolled.faces) <= set(rolled.die.faces) for rolled in game.rolls(recording))
    for language in LANGUAGES:
        moments = list(game.told(path, recording, language))
        assert len(moments) == len(recording.lines) + 2
        for told in _said_of_the_end(moments[-2].facts, moments[-1].facts, facts):
            assert told == {name: facts[name] for name in told}


def _said_of_the_end(line: Mapping[str, Any], end: Mapping[str, Any], facts: Mapping[str, object]) -> Iterator[Any]:
    """What a story says in the words of the play's facts: at its end, and where its last line tells how it stands."""
    yield {name: value for name, value in end.items() if name in facts and value is not None}
    yield from (part for part in line.values() if isinstance(part, dict) and part.keys() <= facts.keys())
