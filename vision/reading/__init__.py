"""One picture read: which cards lie there, and where Emma stands.

``reader`` is the door. ``place_search`` finds cards where ``seen_places`` tells that one lies and where rails lead,
``recognition`` reads what is printed there, ``card_names`` tells which face that is, ``emma`` finds her. Cards of decks
without tracks lie apart (``cards_apart``).
"""
