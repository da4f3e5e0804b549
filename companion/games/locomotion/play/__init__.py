"""A game at the table: what players, table and clock do goes in, screens and sounds come out.

It has no devices and no clock of its own. ``desk`` is what everybody in here works at. ``controller`` hands it to
``phases``, a module for each phase of the game, and to ``dialogs``; ``layers`` says who is seen and who hears the
buttons. ``recorded_play`` is the whole with its record. ``thinking`` works out in a thread what takes too long.
"""
