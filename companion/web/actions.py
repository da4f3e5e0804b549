"""What a browser's message does: to the world, to the buttons, or to the robot."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.loknroll.rules import load_edition
from companion.virtual.things import HandsError, Place
from companion.virtual.world import World
from companion.web import messages
from companion.web.host import Order
from vision.cards import Pose

if TYPE_CHECKING:
    from companion.web.host import Host


def act(host: Host, who: str, message: messages.Message) -> None:
    """Does it; raises HandsError where hands cannot. ``who`` marks what this browser holds."""
    match message:
        case messages.Deal():
            _deal(host)
        case messages.Press(button=button, held=held):
            host.press(button, held=held)
        case messages.Disturb():
            _disturb(host, message)
        case messages.Play(speed=speed):
            host.play(speed)
        case messages.New(mode=mode, language=language):
            host.begin(Order(mode, language, secrets.randbelow(10**9)))
        case _:
            _move(host.world, who, message)


def _move(world: World, who: str, message: messages.HandMessage) -> None:
    match message:
        case messages.Hold(number=number):
            world.take_hold(number, who)
        case messages.Move(number=number):
            world.move(number, who, _pose(message))
        case messages.Lay(number=number):
            world.lay(number, who, _pose(message))
        case messages.Put(number=number, place=place, owner=owner):
            world.put(number, who, Place(place), owner)
        case messages.Drop(number=number):
            world.let_go(number, who)
        case messages.Turn(number=number, degrees=degrees):
            world.turn(number, who, degrees)
        case messages.Push(numbers=numbers, x=right, y=down):
            world.push(numbers, right, down)
        case messages.Draw(owner=owner):
            world.draw(owner)


def _pose(message: messages.Move | messages.Lay) -> Pose:
    return Pose(message.x, message.y, message.turn % 360)


def _deal(host: Host) -> None:
    """By the rules of the game that is on the table: who deals knows them."""
    edition = host.order.edition or load_edition()
    if not host.is_laid.is_set():
        raise HandsError("unknown")
    host.world.deal(edition.removed[host.order.mode], edition.hand_cards)


def _disturb(host: Host, message: messages.Disturb) -> None:
    now = host.world.disturbances
    names = ("light", "glare", "hand", "display", "camera")
    wanted = {name: value for name in names if (value := getattr(message, name)) is not None}
    after = replace(now, **wanted, bumps=now.bumps + message.bump)
    host.world.disturb(after)
    if after.display != now.display:
        host.plug(display=after.display)
