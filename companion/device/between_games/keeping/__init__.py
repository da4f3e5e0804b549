"""All that a companion has become, as one file: saved from a memory card, and loaded on another one.

``saving`` makes the file. ``loading`` unpacks one beside what is there, and checks it. ``changing_over`` puts that in
place when the companion starts the next time, whole or not at all, and keeps what was there before.
"""
