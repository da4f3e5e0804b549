"""Faces of cards: which of them lies at a place in a picture, and where exactly.

``matching`` tells which one it is, ``alike`` faces that are much alike apart, ``placing`` lays one on, and ``rails_on``
tells where the next card may lie.
"""
