"""What can be played: what a kind of game and the settings come to, and the lines in which they are set."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.games.game import Option
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.play.desk.suggestion import Wish
from companion.games.locomotion.record.agreement import Agreement
from companion.games.locomotion.record.book import SOLO
from companion.games.locomotion.rules import Behind, Gap, Mode, piece_names
from companion.games.locomotion.rules.piece import PIECES
from companion.games.locomotion.rules.state import COLOURS, MOST_PLAYERS
from companion.games.locomotion.settings import AS_IT_LIES, AUTOMATIC, BY_LOT, OWN, OwnSettings, own, with_own
from companion.games.locomotion.wording import Wording
from companion.games.settings import Settings, player_names

_PUZZLES = (6, 8, 10, 13, 16, 20)
"""The numbers of pieces that are offered for a puzzle: of more it takes long to prove one."""
_GAMES = (1, 2, 3, 4, 5, 6)
"""The numbers of games that are offered; of more than one there is a tournament."""
_PIECES = (8, 13, 20, 30, PIECES)
"""The numbers of pieces that are offered for a network by lot."""


def wish_of(kind: str, settings: Settings) -> Wish:
    """What is to be set up for a kind of game; raises ValueError for a kind that is none."""
    part, say = own(settings), Wording(settings.language)
    is_alone = kind == SOLO
    mode = Mode.DIE if is_alone else Mode(kind)
    people = 1 if is_alone else part.people
    automatic = () if is_alone else _against(part)
    named = [say(f"automatic.{name}") for name in automatic]
    numbered = [name if named.count(name) == 1 else f"{name} {place + 1}" for place, name in enumerate(named)]
    names = (*player_names(settings, people), *numbered)
    agreement = Agreement(kind * is_alone, ("",) * people + automatic if automatic else ())
    return Wish(kind, mode, names, agreement, part.colours, part.shape, part.knobs)


def _against(part: OwnSettings) -> tuple[str, ...]:
    """The automatic players: whoever is the only person plays against one at least."""
    return part.automatic or ("good",) * (part.people == 1)


def options(settings: Settings) -> Sequence[Option]:
    """A line for all that is set, with the settings after it has been chosen once more."""
    part, say = own(settings), Wording(settings.language)
    automatic = [("good",) * count for count in range(part.people == 1, MOST_PLAYERS)] + [AUTOMATIC[1:]]
    part = replace(part, automatic=_against(part))
    fitting = [each for each in automatic if part.people + len(each) <= MOST_PLAYERS]
    networks = (AS_IT_LIES, BY_LOT, *named_networks())

    def option(title: str, field: str, values: Sequence[object], **details: object) -> Option:
        now = getattr(part, field)
        following = values[(values.index(now) + 1) % len(values)] if now in values else values[0]
        return Option(say.counted(f"offers.{title}", **details), with_own(settings, **{field: following}))

    titles = [say(f"automatic.{name}") for name in part.automatic]
    shown = [
        option("people", "people", range(1, MOST_PLAYERS - len(part.automatic) + 1), count=part.people),
        option("automatic" if titles else "automatic-none", "automatic", fitting, names=titles),
        option("colours", "colours", range(COLOURS[0], COLOURS[1] + 1), count=part.colours),
        option("network", "network", networks, name=_network_called(part.network, say)),
    ]
    if part.network in {AS_IT_LIES, BY_LOT}:
        name = say("offers.piece-own") if part.piece == OWN else part.piece
        shown.append(option("piece", "piece", (*piece_names(), OWN), name=name))
        if part.piece == OWN and part.own_piece is not None:
            shown.append(option("describe-again", "own_piece", (None,)))
    if part.paints:
        names = Wording(settings.language, part.paints)
        known = [names.colour(number) for number, paint in enumerate(part.paints, 1) if paint is not None]
        shown.append(option("forget-colours", "paints", ((),), names=known))
    if part.network == BY_LOT:
        shown.append(option("pieces", "pieces", _PIECES, count=part.pieces))
    shown += [
        option("puzzle-pieces", "puzzle_pieces", _PUZZLES, count=part.puzzle_pieces),
        option("games", "games", _GAMES, count=part.games),
    ]
    return [
        *shown,
        option(f"reverse-{part.reverse_in_turn}".lower(), "reverse_in_turn", (True, False)),
        option(f"gap-{part.gap}".replace("_", "-"), "gap", [gap.value for gap in Gap]),
        option(f"behind-{part.behind}".replace("_", "-"), "behind", [behind.value for behind in Behind]),
    ]


def _network_called(name: str, say: Wording) -> str:
    if name in {AS_IT_LIES, BY_LOT}:
        return say(f"offers.{name}")
    return named_networks()[name].titles[say.language]
