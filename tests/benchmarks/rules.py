"""How fast the rules are: whole games, placements as the railway grows, the best order.

Run it as ``python -m tests.benchmarks.rules``.
"""

import sys
import time
from collections.abc import Callable
from random import Random

from msgspec.structs import replace
from rich import box
from rich.console import Console
from rich.table import Table

from companion.games.loknroll.rules import Edition, Game, Mode, Phase, Player, State, load_edition, set_up
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import match, placements
from companion.games.loknroll.rules.railway.railway import Railway
from companion.games.loknroll.strategy.best_order import best_order
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import RandomPlayer
from vision.cards import Deck, Face, Pose, standard_deck

LENGTHS = range(4, 45, 4)
LOOP_TURNS = 1_000_000


def main() -> None:
    console = Console()
    edition = load_edition()
    deck = standard_deck(edition.deck)
    loops = loops_per_second()
    version = sys.version.split()[0]
    console.print(f"Python {version}, one core; a loop in pure Python turns {loops / 1e6:.1f} million times a second")
    console.print(games_table(edition, deck, loops))
    console.print(placements_table(edition, deck))
    console.print(best_order_table(deck))


def games_table(edition: Edition, deck: Deck, loops: float) -> Table:
    table = new_table("Whole random games against Betsy", "rails", "games a second", "turns of the loop a game")
    for rails in (True, False):
        games = games_per_second(edition, deck, rails=rails)
        table.add_row("checked" if rails else "not checked", f"{games:.0f}", f"{loops / games:,.0f}")
    return table


def placements_table(edition: Edition, deck: Deck) -> Table:
    headings = (heading for name in ("placements", "match", "legal_placements") for heading in (name, "a card"))
    table = new_table("Placements as the railway grows, in µs", "cards", *headings)
    face, random = deck["track-1-straight"], Random(1)
    for length in LENGTHS:
        railway = long_railway(deck, length, random)
        state = acting(edition, deck, railway)
        pose = placements(railway, face)[0].pose
        times = [
            microseconds(placements, railway, face),
            microseconds(match, railway, face, pose),
            microseconds(legal_placements, state, face),
        ]
        table.add_row(str(length), *(cell for spent in times for cell in (f"{spent:.1f}", f"{spent / length:.2f}")))
    return table


def best_order_table(deck: Deck) -> Table:
    table = new_table("The best order, in µs", "cards of the pile", "cards to put down", "best_order")
    random = Random(1)
    cards = list(deck.cards())
    for pile_size in (0, 12, 30):
        random.shuffle(cards)
        pile, taken = cards[:pile_size], cards[pile_size : pile_size + 12]
        table.add_row(str(pile_size), "12", f"{microseconds(best_order, pile, taken):.1f}")
    return table


def new_table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def loops_per_second() -> float:
    """How often a fixed loop turns: a measure for the computer that the games can be compared with."""

    def loop() -> None:
        total = 0
        for number in range(LOOP_TURNS):
            total = (total * 31 + number) % 1_000_003

    return LOOP_TURNS / best_of(loop)


def games_per_second(edition: Edition, deck: Deck, *, rails: bool, games: int = 60) -> float:
    def play() -> None:
        for seed in range(games):
            start = set_up(edition, deck, Mode.BETSY, ["Ann"], rails=rails)
            for _ in Dealer(Game(start), [RandomPlayer()], Random(seed)).play():
                pass

    return games / best_of(play)


def best_of(run: Callable[[], object], tries: int = 3) -> float:
    """The shortest of some times, in seconds."""
    return min(spent(run) for _ in range(tries))


def spent(run: Callable[[], object]) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def microseconds(function: Callable[..., object], *arguments: object, repeats: int = 200) -> float:
    def often() -> None:
        for _ in range(repeats):
            function(*arguments)

    return best_of(often) / repeats * 1e6


def long_railway(deck: Deck, length: int, random: Random) -> Railway:
    """A railway of mostly straight cards of value 1, with room for one more; the table is as large as it needs."""
    straight = deck["track-1-straight"]
    railways = (grown(deck, straight, length, random) for _ in range(1000))
    return next(railway for railway in railways if len(railway) == length and placements(railway, straight))


def grown(deck: Deck, first: Face, length: int, random: Random) -> Railway:
    railway = Railway().with_card(first, Pose(0, 0))
    for shape in random.choices(["straight", "across", "left", "right"], [4, 2, 1, 1], k=length - 1):
        face = deck[f"track-1-{shape}"]
        if ways := placements(railway, face):
            way = random.choice(ways)
            railway = railway.with_card(face, way.pose, way.entry, way.exit_port)
    return railway


def acting(edition: Edition, deck: Deck, railway: Railway) -> State:
    """A game of two in which a card may be laid to this railway."""
    start = set_up(edition, deck, Mode.TWO, ["Ann", "Ben"])
    return replace(start, phase=Phase.ACTING, railway=railway, emma=0, players=(Player(hand=3), Player(hand=2)))


if __name__ == "__main__":
    main()
