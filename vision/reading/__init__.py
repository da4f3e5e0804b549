"""One picture read: which cards lie there, and where Emma stands.

``reader`` is the door. ``card_search`` looks where cards are seen to lie, and where keypoints, outlines and rails lead,
``trials`` keeps what was tried, ``doubtful_cards`` judges what is hard to see, ``emma`` finds her.
"""
