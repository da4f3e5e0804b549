"""What a browser's message does: to the world, to the buttons, or to the robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.device.last_game import Order
from companion.virtual.things import HandsError, Place
from companion.virtual.world import World
from companion.web.virtual_table import messages
from vision.cards import Pose

if TYPE_CHECKING:
    from companion.device.virtual_device import VirtualDevice


def act(device: VirtualDevice, who: str, message: messages.Message) -> None:
    """Does it for the browser ``who``; raises HandsError where hands cannot, MessageError where nobody can."""
    match message:
        case messages.Deal():
            _deal(device)
        case messages.Press(button=button, held=held):
            device.press(button, held=held)
        case messages.Disturb():
            _disturb(device, message)
        case messages.Play(speed=speed):
            device.let_robot_play(speed)
        case messages.New(game=game, kind=kind):
            _begin(device, Order(game, kind))
        case messages.Speak(language=language):
            device.speak(language)
        case _:
            _move(device.world, who, message)


def _begin(device: VirtualDevice, order: Order) -> None:
    """What cannot be played must not end what is played."""
    if order not in {Order(offer.game, offer.kind) for offer in device.session.offers("en")}:
        raise messages.MessageError(f"{order.game} {order.kind} cannot be played.")
    device.begin(order)


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


def _deal(device: VirtualDevice) -> None:
    """By the rules of the game that is on the table: who deals knows them."""
    if device.game is None or device.play is None:
        raise HandsError("unknown")
    device.game.deal(device.play, device.world)


def _disturb(device: VirtualDevice, message: messages.Disturb) -> None:
    now = device.world.disturbances
    names = ("light", "glare", "hand", "display", "camera")
    wanted = {name: value for name in names if (value := getattr(message, name)) is not None}
    after = replace(now, **wanted, bumps=now.bumps + message.bump)
    device.world.disturb(after)
    if after.display != now.display:
        device.plug(display=after.display)
