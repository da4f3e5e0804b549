"""Under which addresses a page can be reached: the sockets it is served at, and what this machine is called."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

USUAL_PORT: Final = 8055
USUAL_PORTS: Final = range(USUAL_PORT, USUAL_PORT + 20)
"""Another companion on the same machine takes the next one."""
THIS_MACHINE: Final = "127.0.0.1"
_ROUTES: Final = Path("/proc/net/fib_trie")
"""What the kernel knows of addresses: to read it takes no right to use a network."""


def listening_at_home(ports: Sequence[int] = USUAL_PORTS) -> socket.socket:
    """A socket that all machines of the home network reach, at the first port that is free; raises OSError."""
    if socket.has_dualstack_ipv6():
        return _first_free(
            ports, lambda port: socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        )
    return _first_free(ports, lambda port: socket.create_server(("", port)))


def listening_on_this_machine(ports: Sequence[int] = USUAL_PORTS) -> socket.socket:
    """A socket that programs on this machine reach, and nobody else, at the first free port; raises OSError."""
    return _first_free(ports, lambda port: socket.create_server((THIS_MACHINE, port)))


def _first_free(ports: Sequence[int], listen: Callable[[int], socket.socket]) -> socket.socket:
    for port in ports[:-1]:
        with contextlib.suppress(OSError):
            return listen(port)
    return listen(ports[-1])


def own_names() -> tuple[str, ...]:
    """What this machine is called in its network, in small letters."""
    name = socket.gethostname().lower()
    return (name, f"{name}.local")


def own_numbers(routes: Path = _ROUTES) -> list[str]:
    """This machine's addresses in its networks (IPv4); none while it is in none."""
    try:
        told = routes.read_text().split()
    except OSError:
        return []
    # An address of the machine itself is followed by "/32 host LOCAL".
    own = [told[at - 1] for at in range(1, len(told) - 2) if told[at : at + 3] == ["/32", "host", "LOCAL"]]
    return [number for number in dict.fromkeys(own) if not number.startswith("127.")]


def addresses_at_home(listening: socket.socket) -> list[str]:
    """What to type on a phone for the page at a socket: by this machine's name, then by its numbers."""
    port = listening.getsockname()[1]
    numbers = own_numbers()
    return [f"{name}:{port}" for name in (own_names()[1], *numbers)] if numbers else []


def is_for_this_machine_alone(listening: socket.socket) -> bool:
    """Whether nobody else reaches a socket."""
    return bool(listening.getsockname()[0] == THIS_MACHINE)


def plain_number(address: str) -> str:
    """The address of who asks, as people know it."""
    return address.removeprefix("::ffff:")
