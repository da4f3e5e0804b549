"""Faces cut out of photographs of cards that lie alone.

``lone_card`` finds the card, ``common_table`` checks all photographs of a camera against each other: by the
``bare_table`` that they show together, beside which the paper ends (``paper_edge``, ``joint_edges``) and from which a
card differs that was not found alone (``missing_cards``). ``taught_faces`` keeps the sharpest picture of each face,
``told_faces`` reads a new one beside those that a person has confirmed.
"""
