"""Networks and puzzles as they are named on the command line: one that ships, a file, or the standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from companion.commands.shared.errors import CommandError
from companion.games.locomotion.networks.files import LARGEST_BYTES, BadFile, read_network
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.networks.puzzle import Puzzle
from companion.games.locomotion.rules import Network
from companion.games.locomotion.wording import Wording
from companion.record.whole_file import read_whole

_STANDARD_INPUT: Final = "-"


def network_or_puzzle_called(name: str, say: Wording) -> Network | Puzzle:
    """The network that ships under this name, or what a file of this name holds; raises CommandError."""
    named = named_networks().get(name)
    if named is not None:
        return named.network()
    path = Path(name)
    if name != _STANDARD_INPUT and not path.suffix and not path.exists():
        raise CommandError(say("network.no-such-name", name=name))
    return network_in(name, say)


def network_called(name: str, say: Wording) -> Network:
    """The network of this name, without what stands on it in a puzzle; raises CommandError."""
    found = network_or_puzzle_called(name, say)
    return found.network if isinstance(found, Puzzle) else found


def network_in(file: str, say: Wording) -> Network | Puzzle:
    """What a file holds, or the standard input where it is called ``-``; raises CommandError."""
    try:
        if file == _STANDARD_INPUT:
            return read_network(sys.stdin.buffer.read(LARGEST_BYTES + 1), "standard input")
        return read_network(read_whole(Path(file)), file)
    except BadFile as error:
        raise CommandError(error.told(say.error)) from error
    except (OSError, ValueError) as error:  # a name may have characters that no file's has
        raise CommandError(f"{file}: {(error.strerror if isinstance(error, OSError) else None) or error}") from error
