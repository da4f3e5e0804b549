"""A deck is taught at the table: one card after the other is laid under the camera, read, and confirmed with a press.

``card_watch`` finds the card that lies there alone, ``teaching_eyes`` reads it in the camera's thread, ``teaching``
asks the people, ``lesson`` keeps on the disk what they have said, ``taught_deck`` makes a deck of all of it, and
``own_deck`` keeps that.
"""
