"""A table that is not there, of any game: it knows none.

``world`` holds the things and what hands may do with them, ``camera`` photographs it, ``robot_hands`` move things as a
player wants it and ``pace`` says when, ``snapshot`` puts everything down and takes it up again.
"""
