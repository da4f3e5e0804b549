"""The truth beside pictures: what lies where, in the form that recognisers are scored against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vision.cards import Deck
from vision.rendering.conditions import Conditions, table_corners
from vision.rendering.places import TABLE_MM
from vision.rendering.renderer import CARD_THICKNESS_MM, Renderer
from vision.rendering.scene import LyingCard, Scene


def picture_truth(renderer: Renderer, deck: Deck, scene: Scene, visible: Sequence[float]) -> dict[str, Any]:
    """What a picture shows: its cards with their corners in px, whether a hand is in it, and Emma."""
    return {
        "hand": bool(scene.hands),
        "cards": [_card_truth(renderer, deck, card, share) for card, share in zip(scene.cards, visible, strict=True)],
        "emma": _emma_truth(renderer, scene),
    }


def folder_truth(deck: Deck, conditions: Conditions, pictures: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The whole of a ``truth.json``: how the pictures were taken, and what each shows."""
    camera = conditions.camera
    return {
        "deck": deck.name,
        "table_mm": TABLE_MM,
        "size": camera.size,
        "condition": conditions.difficulty,
        "tabletop": conditions.tabletop.kind,
        "camera": {
            "K": camera.matrix,
            "dist": camera.distortion,
            "R": camera.rotation,
            "t": camera.translation,
        },
        "table_corners_px": table_corners(camera),
        "frames": list(pictures),
    }


def _card_truth(renderer: Renderer, deck: Deck, card: LyingCard, visible: float) -> dict[str, Any]:
    face = deck[card.face]
    return {
        "serial": card.serial,
        "face": face.id,
        "value": face.value,
        "kind": face.kind.value,
        "show": card.on_show_spot,
        "mm": [card.pose.x_mm, card.pose.y_mm, card.pose.rotation_deg],
        "corners_px": [[round(float(part), 3) for part in corner] for corner in renderer.corners(card)],
        "visible": round(visible, 3),
    }


def _emma_truth(renderer: Renderer, scene: Scene) -> dict[str, Any] | None:
    emma = scene.emma
    if emma is None:
        return None
    foot = renderer.camera.project([(emma.pose.x_mm, emma.pose.y_mm, -CARD_THICKNESS_MM)])[0]
    return {"serial": emma.serial, "index": emma.index, "foot_px": [round(float(part), 2) for part in foot]}
