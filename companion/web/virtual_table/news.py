"""What browsers are told: how the world is, the screen's dots, and what is said, each as JSON made once for all."""

from __future__ import annotations

import base64
import threading
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.texts.language import LANGUAGES
from companion.virtual.things import EMMAS_LOOK, Place
from vision.cards import CARD_MM, Face, Pose
from vision.rendering.places import PILE_MM, SHOW_SPOT_MM, TABLE_MM

if TYPE_CHECKING:
    from companion.device.virtual_device import VirtualDevice
    from vision.rendering import VehicleLook

_EMMA: Final = {"src": "/shared/emma.svg", "size": (18, 40)}
TOPICS: Final = ("world", "screen", "said")


class News:
    """The newest of each topic, with a number that grows; may be asked from any thread."""

    def __init__(self, device: VirtualDevice) -> None:
        self._device = device
        self._lock = threading.Lock()
        self._keys: dict[str, object] = {}
        self._texts: dict[str, str] = {}
        self._numbers: dict[str, int] = dict.fromkeys(TOPICS, 0)

    def since(self, known: dict[str, int]) -> list[str]:
        """What is newer than what somebody knows; their numbers are brought up to date."""
        # All browsers share the texts: a table that many look at is told in JSON once.
        with self._lock:
            told = []
            for topic in TOPICS:
                self._refresh(topic)
                if known.get(topic, -1) != self._numbers[topic]:
                    known[topic] = self._numbers[topic]
                    told.append(self._texts[topic])
            return told

    def _refresh(self, topic: str) -> None:
        device = self._device
        # What each topic is made of, so that it is only made anew when something is different.
        keys: dict[str, object] = {
            "world": (
                device.world.revision,
                device.robot_speed,
                device.robot_trouble,
                device.is_laid.is_set(),
                device.failure,
                device.play,
                device.kept.settings.language,
            ),
            "screen": (device.memory.bytes_sent, device.memory.contrast, device.world.disturbances.display),
            "said": device.screen,
        }
        if topic in self._texts and self._keys[topic] == keys[topic]:
            return
        self._keys[topic] = keys[topic]
        self._numbers[topic] += 1
        tell = {"world": world_news, "screen": screen_news, "said": said_news}[topic]
        self._texts[topic] = msgspec.json.encode({"type": topic, **tell(device)}).decode()


def world_news(device: VirtualDevice) -> dict[str, Any]:
    """Everything that somebody at the table sees. The faces of cards in the pile and in the box are not told."""
    world, play = device.world, device.play
    with world.at_rest():
        held = world.holds()
        places = [Place.TABLE, Place.HAND, Place.AWAY]
        cards = [
            {"number": card.number, "face": card.face, "place": card.place, "owner": card.owner, **_at(card.pose)}
            for place in places
            for card in world.cards(place)
        ]
        pile = world.cards(Place.PILE)
        top = pile[-1] if pile else None
        # Who lifts the top card sees what it is; all below stays unknown to the page, also to its source.
        if top is not None and top.number in held:
            cards.append({"number": top.number, "face": top.face, "place": "pile", "owner": 0, **_at(top.pose)})
        return {
            "revision": world.revision,
            "ready": device.is_laid.is_set(),
            "failure": "" if device.failure is None else str(device.failure),
            "cards": cards,
            "pile": len(pile),
            "top": None if top is None else top.number,
            "held": {
                str(number): {"by": hold.holder, **({} if hold.pose is None else _at(hold.pose))}
                for number, hold in held.items()
            },
            "figures": [
                {"number": figure.number, "look": figure.look, "at": None if figure.pose is None else _at(figure.pose)}
                for figure in world.figures
            ],
            "dealt": world.is_dealt,
            "turn": play.facts().get("turn") if play is not None and play.is_set_up else None,
            "names": world.names[: world.persons],
            "disturbances": world.disturbances,
            "robot": device.robot_speed,
            "trouble": device.robot_trouble,
            "deck": "" if device.pictures is None else device.pictures.deck.name,
            "title": "" if device.game is None else device.game.title,
            "game": None if play is None else [play.game, play.kind],
            "language": device.kept.settings.language,
        }


def screen_news(device: VirtualDevice) -> dict[str, Any]:
    """The dots that the screen's memory holds: 64 rows of 16 bytes, the highest bit leftmost."""
    return {"dots": base64.b64encode(device.memory.image().tobytes()).decode(), "contrast": device.memory.contrast}


def said_news(device: VirtualDevice) -> dict[str, Any]:
    """What stands on the screen, for those who hear it read."""
    screen = device.screen
    choices = [f"> {text}" if index == screen.chosen else text for index, text in enumerate(screen.choices)]
    return {
        "text": [part for part in (screen.heading, screen.main, *screen.lines, *choices) if part],
        "keys": screen.keys,
        "alert": screen.alert,
    }


def deck_news(device: VirtualDevice) -> dict[str, Any]:
    """What changes with the deck only: the faces with their rails, sizes and places in mm, and what can be played."""
    deck = device.pictures.deck if device.pictures is not None else None
    faces = {} if deck is None else {face.id: _face(face) for face in deck.faces}
    figures = {} if device.pictures is None else device.pictures.figures
    looks = {look: _look(look, vehicle) for look, vehicle in figures.items()} or {EMMAS_LOOK: _EMMA}
    return {
        "name": "" if deck is None else deck.name,
        "card": CARD_MM if deck is None else deck.card_mm,
        "table": TABLE_MM,
        "show": SHOW_SPOT_MM,
        "pile": PILE_MM,
        "cell": 0 if device.pictures is None else device.pictures.cell_mm,
        "cells": () if device.pictures is None else device.pictures.grid,
        "shaped": device.pictures is not None and bool(device.pictures.gaps),
        "looks": looks,
        "called": {language: _called(device, language) for language in LANGUAGES},
        "offers": {language: [offer._asdict() for offer in device.session.offers(language)] for language in LANGUAGES},
        "games": {game.name: game.title for game, _ in device.session.options("en")},
        "faces": faces,
    }


def _called(device: VirtualDevice, language: str) -> dict[str, str]:
    """What people call the figures, by their looks."""
    figures = () if device.pictures is None else device.pictures.figures
    called = {} if device.play is None else device.play.called(language)
    return {look: called[look] for look in figures if look in called}


def _face(face: Face) -> dict[str, Any]:
    return {
        "value": face.value,
        "kind": face.kind,
        "shape": face.shape,
        "ports": [
            {"x": x, "y": y, "heading": port.edge.heading * 90}
            for port, ((x, y), *_) in zip(face.ports, face.port_offsets, strict=True)
        ],
    }


def _look(look: str, vehicle: VehicleLook) -> dict[str, Any]:
    """Where the picture of a figure is and how large it is, its front upwards."""
    length, width, _ = vehicle.size_mm
    return {"src": f"/figures/{look}.webp", "size": (width, length)}


def _at(pose: Pose) -> dict[str, float]:
    return {"x": round(pose.x_mm, 2), "y": round(pose.y_mm, 2), "turn": round(pose.rotation_deg, 2)}
