"""Under which addresses a page can be reached: the sockets it is served at, and what this machine is called."""

from __future__ import annotations

import socket
from typing import Final

USUAL_PORT: Final = 8055
THIS_MACHINE: Final = "127.0.0.1"
_ANYWHERE: Final = ("10.255.255.255", 9)
"""No packet is sent there: the system is only asked which of its addresses it would use for one."""


def listening_at_home(port: int = USUAL_PORT) -> socket.socket:
    """A socket that all machines of the home network reach; raises OSError."""
    if socket.has_dualstack_ipv6():
        return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
    return socket.create_server(("", port))


def listening_on_this_machine(port: int = USUAL_PORT) -> socket.socket:
    """A socket that programs on this machine reach, and nobody else; raises OSError."""
    return socket.create_server((THIS_MACHINE, port))


def own_names() -> tuple[str, ...]:
    """What this machine is called in its network, in small letters."""
    name = socket.gethostname().lower()
    return (name, f"{name}.local")


def own_number() -> str:
    """This machine's address in its network, "" while it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ANYWHERE)
            number: str = asking.getsockname()[0]
        except OSError:
            return ""
    return number


def plain_number(address: str) -> str:
    """The address of who asks, as people know it."""
    return address.removeprefix("::ffff:")
