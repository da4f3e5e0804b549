"""Faces of cards: where a picture shows them, how they lie there, and which of them it is.

``features`` finds keypoints that are on the faces, ``alignment`` lays a face over a place, ``naming`` tells which one
it is, ``rails_on`` where the next card may lie.
"""
