"""What a game of Locomotion is played with, as arguments of commands."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from enum import Enum
from typing import Final

import msgspec

from companion.commands.shared.arguments import add_language, whole_number
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.networks.shape import shape_of
from companion.games.locomotion.rules import Behind, Gap, Knobs, Mode, Network
from companion.games.locomotion.rules.state import COLOURS

_KNOBS: Final[Mapping[str, Mapping[str, bool | Enum]]] = {
    "reverse_in_turn": {"true": True, "false": False},
    "gap": {gap.value: gap for gap in Gap},
    "behind": {behind.value: behind for behind in Behind},
}
_DOTS_A_VEHICLE: Final = 5
_VEHICLES_A_LOOP: Final = 2
"""With a way round for so many, trains that meet can pass each other, and wagons seldom lock one in for ever."""
_WIDEST: Final = 15
"""Dots side by side of a network that is drawn in 80 columns."""


def add_game(parser: argparse.ArgumentParser) -> None:
    """``--mode``, ``--colours``, ``--knob``, ``--seed``, ``--language``."""
    parser.add_argument(
        "--mode",
        choices=[mode.value for mode in Mode],
        default=Mode.DIE.value,
        help="game 1 with the die or game 2 with speed cards (default: %(default)s)",
    )
    parser.add_argument(
        "--colours",
        metavar="N",
        type=whole_number(*COLOURS),
        default=COLOURS[1],
        help="of wagons (default: %(default)s)",
    )
    choices = "; ".join(f"{name}={'|'.join(values)}" for name, values in _KNOBS.items())
    parser.add_argument(
        "--knob", metavar="NAME=VALUE", type=_knob, action="append", default=[], help=f"read the rules so: {choices}"
    )
    parser.add_argument(
        "--seed", metavar="N", type=whole_number(0), help="the same number gives the same dice and lots"
    )
    add_language(parser)


def _knob(text: str) -> tuple[str, bool | Enum]:
    name, _, value = text.partition("=")
    try:
        return name, _KNOBS[name][value]
    except KeyError:
        known = [f"{knob}={value}" for knob, values in _KNOBS.items() for value in values]
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(known)}") from None


def knobs_of(options: argparse.Namespace) -> Knobs:
    """How the rules are to be read."""
    return msgspec.structs.replace(Knobs(), **dict(options.knob))


def network_for(players: int, colours: int) -> Network:
    """The smallest that ships on which so many find room and ways round; of those the flattest, for a terminal."""
    vehicles = players * (1 + colours)
    networks = [named.network() for named in named_networks().values()]
    roomy = [network for network in networks if _is_roomy(network, vehicles) and _is_narrow(network)]
    return min(roomy, key=lambda network: (len(network.dots), _span(network, 1)))


def _is_roomy(network: Network, vehicles: int) -> bool:
    is_large = len(network.dots) >= _DOTS_A_VEHICLE * vehicles
    return is_large and shape_of(network).loops * _VEHICLES_A_LOOP >= vehicles


def _is_narrow(network: Network) -> bool:
    return network.piece.name == "T" and _span(network, 0) <= _WIDEST


def _span(network: Network, axis: int) -> int:
    return max(dot[axis] for dot in network.dots) - min(dot[axis] for dot in network.dots) + 1
