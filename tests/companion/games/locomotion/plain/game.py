"""Games 1 and 2 and solo: whose turn it is, how many steps are left, and who wins."""

from __future__ import annotations

from typing import NamedTuple

from tests.companion.games.locomotion.plain.network import Network, joined
from tests.companion.games.locomotion.plain.pieces import SIDES, Dot, Side, side_towards
from tests.companion.games.locomotion.plain.steps import (
    DEFAULTS,
    Knobs,
    Outcome,
    Place,
    Step,
    colours_of,
    place_of,
    set_down,
    steps,
    train_of,
)


class Game(NamedTuple):
    network: Network
    knobs: Knobs
    kind: str
    """"die" (game 1) or "speed" (game 2)."""
    order: tuple[int, ...]
    """LSET6: the colours from the locomotive on, the same for all."""
    speeds: tuple[int | None, ...]
    """LSPD2: each player's open card, None before the first one. With the die they all stay None."""
    place: Place
    player: int = 0
    """Whose turn it is."""
    left: int | None = None
    """Steps left in the turn, None until it has begun with a roll or a card."""
    brakes: bool = False
    """LSPD4: the turn that has begun ends with a full brake."""
    came_by: Side | None = None
    """The side by which the locomotive last came onto its dot in this turn."""
    winner: int | None = None


def set_up(
    network: Network,
    kind: str,
    order: tuple[int, ...],
    locomotives: list[Dot],
    wagons: list[tuple[Dot, int]],
    knobs: Knobs = DEFAULTS,
) -> Game:
    """LSET4: nothing is coupled. LSET7: as many colours as the order has. Player 0 begins: LDIE1 is not in here.

    Raises:
        ValueError: it is not set up as LSET4 says.
    """
    vehicles = [(dot, ("locomotive", player)) for player, dot in enumerate(locomotives)]
    vehicles += [(dot, ("wagon", colour)) for dot, colour in wagons]
    if len({dot for dot, _ in vehicles}) < len(vehicles):
        raise ValueError("LSET4: two vehicles on a dot")
    if sorted(colour for _, colour in wagons) != sorted(list(order) * len(locomotives)):
        raise ValueError("LSET4: not a wagon of each colour per player")
    if not all(dot in network.passages and any(joined(network, dot, side) for side in SIDES) for dot, _ in vehicles):
        raise ValueError("LSET4: nothing can come to a vehicle to be coupled")
    place = place_of([(set_down(network, dot, what, knobs),) for dot, what in vehicles])
    return Game(network, knobs, kind, tuple(order), (None,) * len(locomotives), place)


def has_won(place: Place, player: int, order: tuple[int, ...]) -> bool:
    """LWIN1: the wagons in the colour order behind the own locomotive, and nothing else there."""
    return colours_of(train_of(place, player)) == list(order)


# What may be done


def speeds_to_choose(game: Game) -> list[int]:
    """LSPD1: the first is free. LSPD2: then it stays or changes by 1, within 0 to 6; LSPD4: after a full brake too."""
    speed = game.speeds[game.player]
    if game.left is not None or game.winner is not None or game.kind == "die":
        return []
    return [choice for choice in range(7) if speed is None or abs(choice - speed) <= 1]


def outcomes(game: Game) -> list[Outcome]:
    """The legal steps, and how all stands after each."""
    if not game.left or game.winner is not None:
        return []
    possible = unhindered(game)
    if game.kind == "die":
        return possible
    return [outcome for outcome in possible if can_be_finished(after(game, outcome[1]))]


def legal_steps(game: Game) -> list[Step]:
    return [step for step, _ in outcomes(game)]


def unhindered(game: Game) -> list[Outcome]:
    """All steps, but what LRUN4's knob forbids: to leave a dot as the locomotive came onto it in this turn."""
    possible = steps(game.network, game.place, game.player, game.knobs)
    if game.knobs.reverse_in_turn or game.came_by is None:
        return possible
    return [outcome for outcome in possible if left_by(game, outcome[1]) != game.came_by]


def left_by(game: Game, place: Place) -> Side | None:
    """The side by which the locomotive left its dot when all came to stand so, None if it stayed."""
    here, there = (train_of(standing, game.player)[0].dot for standing in (game.place, place))
    return None if here == there else side_towards(here, there)


def after(game: Game, place: Place) -> Game:
    """The game after one of the steps, before it is seen whether the turn is over. LWIN1: in its middle too."""
    here, there = (train_of(standing, game.player)[0].dot for standing in (game.place, place))
    return game._replace(
        place=place,
        left=(game.left or 0) - 1,
        came_by=game.came_by if here == there else side_towards(there, here),
        winner=game.player if has_won(place, game.player, game.order) else None,
    )


def can_be_finished(game: Game) -> bool:
    """LSPD3, LSPD4: whether all steps that are left can be made, or some that win before."""
    if game.left == 0 or game.winner is not None:
        return True
    return any(can_be_finished(after(game, place)) for _, place in unhindered(game))


def longest_run(game: Game) -> int:
    """LSPD4: how many of the steps left can be made, wanted or not."""
    if game.left == 0 or game.winner is not None:
        return 0
    longest = 0
    for _, place in unhindered(game):
        longest = max(longest, 1 + longest_run(after(game, place)))
        if longest == game.left:
            break
    return longest


def legal_turns(game: Game) -> list[tuple[Step, ...]]:
    """LSPD3, LSPD4: each row of steps with which the turn that has begun can go on to its end, or to a win."""
    if game.left == 0 or game.winner is not None:
        return [()]
    return [(step, *more) for step, place in outcomes(game) for more in legal_turns(after(game, place))]


# What is done


def begin_turn(game: Game, number: int) -> Game:
    """LDIE2: with the number rolled. LSPD2: with the speed chosen; LSPD4: if it is too much, with as many as can be.

    A turn without any step is over with that (LRUN7), but with a die it is up to the player to end it.

    Raises:
        ValueError: it cannot begin, or not so.
    """
    if game.left is not None or game.winner is not None:
        raise ValueError("no turn begins now")
    if game.kind == "die":
        if number not in range(1, 7):
            raise ValueError("no die shows that")
        return game._replace(left=number)
    if number not in speeds_to_choose(game):
        raise ValueError("LSPD2: the speed cannot be chosen")
    speeds = list(game.speeds)
    speeds[game.player] = number
    game = game._replace(speeds=tuple(speeds), left=number)
    longest = longest_run(game)
    game = game._replace(left=longest, brakes=longest < number)
    return next_turn(game) if longest == 0 else game


def do(game: Game, step: Step) -> Game:
    """A legal step done. The turn ends with the last one, the game with a win.

    Raises:
        ValueError: the step is not legal.
    """
    for legal, place in outcomes(game):
        if legal == step:
            game = after(game, place)
            return next_turn(game) if game.left == 0 and game.winner is None else game
    raise ValueError("no legal step")


def end_turn(game: Game) -> Game:
    """LDIE2: what is left over lapses.

    Raises:
        ValueError: no turn has begun, or with the speed cards, where nothing lapses (LSPD3).
    """
    if game.left is None or game.kind == "speed" or game.winner is not None:
        raise ValueError("the turn cannot be ended")
    return next_turn(game)


def next_turn(game: Game) -> Game:
    """LSPD4: after a full brake the speed is 0. Then the next player."""
    speeds = list(game.speeds)
    if game.brakes:
        speeds[game.player] = 0
    following = (game.player + 1) % len(speeds)
    return game._replace(speeds=tuple(speeds), player=following, left=None, brakes=False, came_by=None)


def points(game: Game) -> list[int]:
    """LTRN1: 5 to the winner; to the others 1 for each wagon in its place, until the first that is not."""
    scored = []
    for player in range(len(game.speeds)):
        colours = colours_of(train_of(game.place, player))
        right = 0
        while right < len(colours) and colours[: right + 1] == list(game.order[: right + 1]):
            right += 1
        scored.append(5 if player == game.winner else right)
    return scored
