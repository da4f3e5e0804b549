"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.commands.shared.errors import CommandError
from companion.games.loknroll.rules import (
    Edition,
    Mode,
    RuleError,
    State,
    edition_names,
    load_edition,
    set_up,
    with_knobs,
)
from companion.games.loknroll.rules.errors import BadEdition
from companion.games.loknroll.strategy.players import AutomaticPlayer, GreedyPlayer, RandomPlayer
from companion.games.loknroll.wording import Wording
from companion.texts.language import LANGUAGES, preferred_language
from vision.cards import Deck, DeckError, standard_deck
from vision.files import read_deck

_LONGEST_ADDRESS: Final = 200
PLAYERS: dict[str, type[AutomaticPlayer]] = {"random": RandomPlayer, "greedy": GreedyPlayer}


def add_language(parser: argparse.ArgumentParser) -> None:
    """``--language``."""
    parser.add_argument(
        "--language", choices=LANGUAGES, default=preferred_language(), help="of what is told (default: yours)"
    )


def add_page(parser: argparse.ArgumentParser, what: str) -> None:
    """``--page``; ``what`` says what comes of it."""
    parser.add_argument(
        "--page",
        metavar="ADDRESS",
        type=_address,
        help=f"{what} that leads to the companion's page, as http://companion.local:8055/",
    )


def _address(text: str) -> str:
    if not text.startswith("http://") or not text.isprintable() or len(text) > _LONGEST_ADDRESS:
        raise argparse.ArgumentTypeError("an address begins with http:// and has 200 letters at most")
    return text


def add_edition(parser: argparse.ArgumentParser) -> None:
    """``--edition`` and ``--knob``."""
    _add_edition_name(parser)
    parser.add_argument(
        "--knob",
        metavar="NAME=VALUE",
        type=_knob,
        action="append",
        default=[],
        help="change a knob of the edition, as dead_end=forbid; can be given several times",
    )


def add_deck(parser: argparse.ArgumentParser) -> None:
    """``--edition`` and ``--deck``, for who wants the cards and no game."""
    _add_edition_name(parser)
    _add_deck_file(parser)
    parser.set_defaults(knob=[])


def add_game(parser: argparse.ArgumentParser) -> None:
    """What a game is played with: ``--mode``, the edition, ``--deck``, ``--players``, ``--seed``."""
    modes = [mode.value for mode in Mode]
    parser.add_argument("--mode", choices=modes, default="betsy", help="who plays (default: %(default)s)")
    add_edition(parser)
    _add_deck_file(parser)
    parser.add_argument("--without-rails", action="store_true", help="check values only, not where cards lie")
    parser.add_argument("--players", choices=list(PLAYERS), default="random", help="(default: %(default)s)")
    parser.add_argument("--seed", metavar="N", type=whole_number(0), help="the same number plays the same games")
    add_language(parser)


def whole_number(lowest: int, highest: int = 10**9) -> Callable[[str], int]:
    """Reads a whole number from a range."""

    def read(text: str) -> int:
        if not (text.isdecimal() and lowest <= int(text[:20]) <= highest):
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {lowest} to {highest}")
        return int(text)

    return read


def edition_of(options: argparse.Namespace) -> Edition:
    """The edition with its knobs; raises CommandError."""
    try:
        return with_knobs(load_edition(options.edition), dict(options.knob))
    except BadEdition as error:
        raise CommandError(str(error)) from error


def start_of(options: argparse.Namespace, names: tuple[str, ...]) -> State:
    """The state before the first card; raises CommandError."""
    edition, mode = edition_of(options), Mode(options.mode)
    try:
        return set_up(edition, deck_of(options, edition), mode, names, rails=False if options.without_rails else None)
    except RuleError as error:
        raise CommandError(Wording(options.language).error(error)) from error


def names_of(options: argparse.Namespace) -> tuple[str, ...]:
    """What the automatic players are called."""
    name, persons = options.players.capitalize(), Mode(options.mode).persons
    return (name,) if persons == 1 else tuple(f"{name} {number}" for number in range(1, persons + 1))


def automatic_players(options: argparse.Namespace) -> list[AutomaticPlayer]:
    """A player for each person of the mode."""
    return [PLAYERS[options.players]() for _ in range(Mode(options.mode).persons)]


def seed_of(options: argparse.Namespace) -> int:
    """The seed asked for, or a fresh one."""
    seed: int = secrets.randbelow(10**6) if options.seed is None else options.seed
    return seed


def deck_of(options: argparse.Namespace, edition: Edition) -> Deck:
    """The deck asked for, or the edition's own; raises CommandError."""
    try:
        return standard_deck(edition.deck) if options.deck is None else read_deck(options.deck)
    except DeckError as error:
        raise CommandError(str(error)) from error


def _add_edition_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--edition", choices=edition_names(), default="german", help="rules (default: %(default)s)")


def _add_deck_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--deck", metavar="DECK", type=Path, help="a deck: folder, deck.json or ZIP (default: the edition's own)"
    )


def _knob(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, as dead_end=forbid")
    return name, value
