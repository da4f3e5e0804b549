"""Games that were played, as records with more or fewer lines."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.games.loknroll.record.notation import header
from companion.games.loknroll.record.recorded_game import save_recorded
from companion.games.loknroll.rules import Game, Mode, load_edition, set_up
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import RandomPlayer
from companion.record.file import read_record, write_record
from vision.cards import standard_deck

EVENING = {"date": "2026-11-28T20:15:00+01:00", "place": "Bären", "round": "2", "table": "7"}


def played(mode: Mode = Mode.SOLO, seed: int = 1, *, rails: bool = True) -> Game:
    """A game to its end."""
    edition = load_edition()
    start = set_up(
        edition, standard_deck(edition.deck), mode, ["Ann", "Ben", "Cem", "Dan"][: mode.persons], rails=rails
    )
    game = Game(start)
    for _ in Dealer(game, [RandomPlayer()] * 4, Random(seed)).play():
        pass
    return game


WHOLE = {mode: played(mode) for mode in (Mode.SOLO, Mode.BETSY)}


def record_of(folder: Path, game: Game, count: int | None = None, **more: object) -> bytes:
    """A game's record, or its first lines, with more in its first one."""
    path, timed = folder / "made.jsonl", folder / "timed.jsonl"
    save_recorded(path, game)
    lines = [{**line, "at": 2.5 * number} for number, line in enumerate(read_record(path).lines)][:count]
    write_record(timed, {**header(game.state), **more}, lines)
    data = timed.read_bytes()
    path.unlink()
    timed.unlink()
    return data


def lay_in(folder: Path, data: bytes, number: int = 1) -> Path:
    """A record in the archive as an older program, or a hand, has put it there."""
    (folder / "games").mkdir(exist_ok=True)
    path = folder / "games" / f"{number:04}.jsonl"
    path.write_bytes(data)
    return path
