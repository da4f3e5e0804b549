"""Faces cut out of photographs of cards that lie alone.

``lone_card`` finds the card, ``common_table`` checks all photographs of a camera against each other, ``taught_faces``
keeps the sharpest picture of each face.
"""
