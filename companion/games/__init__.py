"""What a game is to the rest of the companion, and a folder for each game.

``game`` is the seam, ``registry`` lists the games; docs/games.md says how to add one.
"""
