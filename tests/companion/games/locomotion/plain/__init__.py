"""Locomotion once more, for tests only: slow and plain, written from the clause table (locomotion.md) alone.

It is a witness: it imports nothing of the product, and the product nothing of it. Each clause is named where it is
kept.

    game = set_up(network_of("T", pieces), "die", (1, 4, 2, 3), [(2, 0)], wagons)
    game = begin_turn(game, 6)                              # the number rolled, or the speed chosen
    game = do(game, legal_steps(game)[0])                   # the last step of a turn ends it
    game = end_turn(game)                                   # only with the die: what is left lapses
    fewest_steps(game), fewest_turns(game)                  # with the die, with speed cards

The neutral form (``neutral.as_json``, ``game_of``, ``step_as_json``, ``step_of``), in which programs can be compared:

- A dot is ``[x, y]``, x to the right, y down. A piece is ``[x, y, heading]``: its first cell, and where its straight
  track leads from there. A passage is a word of the two sides that it joins, in the order of the alphabet: ``"EW"``.
- ``rows``: all that stands there, sorted by the first dot of each. A row is ``{"player", "colours", "dots", "lies"}``,
  from end to end. A train has its player's number, and begins with the locomotive, so it has one colour less than
  dots. A cut has the player null and begins with its end that has the smaller dot. A lie is a sorted list of passages.
  Wagons of one colour have no names of their own.
- ``speeds``: each player's open card, null before the first. ``left``: steps that the turn still has, null between
  turns; after a speed that cannot be used in full it is as many as can be made, and ``brakes`` is true.
  ``came_by``: the side by which the locomotive last came onto its dot in this turn. ``winner``: a player, or null.
- ``kind``: ``"die"`` or ``"speed"``; ``knobs``: as in the clause table; ``order``: colours from the locomotive on.

Steps:

- ``["run", from, to]``: the dot of the vehicle that goes ahead, and the dot it comes onto. A train with wagons goes
  forwards if that is its locomotive's dot, backwards if it is that of its last wagon.
- ``["couple", own, other]``: the dots of the two vehicles that come to be neighbours, the train's first.
- ``["uncouple", count, to]``: how many wagons are left, and with the knob ``gap`` at ``a_dot`` the dot that the
  locomotive moves off to, else null.

With the knob ``behind`` at ``back_only`` it has to be told which end of a locomotive is its back: the passages in a
locomotive's lie then name the back before the front, ``"WE"`` is a locomotive that looks to the east. Set up it may lie
either way round; the first coupling tells, and running does not turn it.
"""
