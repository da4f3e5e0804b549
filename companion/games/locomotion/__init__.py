"""Locomotion, the railway game of 1987: a network, locomotives, and wagons to be brought into the order of colours.

``rules`` are pure and stand below everything; ``strategy`` searches and chooses by itself.
"""
