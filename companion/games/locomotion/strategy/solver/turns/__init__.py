"""The fewest turns of a solo game, with speed cards too, and searches with every knob of the rules.

Where a train may change its direction within a turn, turns need no search of their own (``cutting``): a plan can be
cut anywhere, and whoever begins with the highest speed and keeps it carries out any plan of steps that fast.

Where it may not, whether a run is one of the longest (LSPD4) asks for all that a vehicle may yet do, so places (see
``tracks``) do not tell enough. This search goes forwards over lies themselves (``lies``, ``stepping``), which are as
easily packed into integers, turn by turn (``manners``), in passes that keep more and more of each layer (``sweep``).
One that had to leave nothing out has proven what it says.
"""
