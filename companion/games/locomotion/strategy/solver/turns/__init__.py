"""The fewest turns of a solo game, with speed cards too, and searches with every knob of the rules.

Where a train may change its direction within a turn, turns need no search of their own (``cutting``): a plan can be
cut anywhere, and whoever begins with the highest speed and keeps it carries out any plan of steps that fast.

Where it may not, a turn is a run without turning back. If what is left over lapsed, runs could be taken back as well,
and places would tell enough (``tracks``): a search from both ends (``both_ways``) says how few turns there must be.
But a speed has to be used in full, and whether a run is one of the longest (LSPD4) asks for all that each vehicle may
yet do: for lies (``lies``, ``stepping``), which are as easily packed into integers. That search goes forwards, turn by
turn (``manners``), in passes that keep more and more of each layer (``sweep``, ``passes``). One that left nothing out
has proven what it says.
"""
