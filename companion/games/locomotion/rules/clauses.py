"""The ids of the rules' clauses, with what each is about in a few words.

Errors name the clause that they rest on, tests the clauses that they cover.
"""

from typing import Final

CLAUSES: Final = {
    "LMAT1": "What the game consists of, and how many play it",
    "LMAT2": "The piece of rail is data",
    "LSET1": "A network of at most 45 pieces; each shares a track with another",
    "LSET2": "Pieces are not joined in parallel along their long sides",
    "LSET3": "A locomotive can reach every dot",
    "LSET4": "Where locomotives and wagons are put; nothing is coupled",
    "LSET5": "The locomotive cards",
    "LSET6": "The colour order",
    "LSET7": "Fewer pieces or colours",
    "LRUN1": "One vehicle to a dot",
    "LRUN2": "A train stands and runs along tracks, round no corner",
    "LRUN3": "Forwards the locomotive leads, backwards the last wagon",
    "LRUN4": "Changing direction within a turn",
    "LRUN5": "Nothing is jumped over or pushed",
    "LRUN6": "Wagons alone do not move, and other people's trains are theirs",
    "LRUN7": "Who cannot move waits",
    "LCPL1": "Only what was coupled is coupled",
    "LCPL2": "Coupling costs a step",
    "LCPL3": "Uncoupling costs a step and leaves a gap",
    "LCPL4": "Only from and to the own locomotive",
    "LCPL5": "A locomotive stands at an end of its train",
    "LCPL6": "No two wagons of one colour in a train",
    "LCPL7": "At which end wagons may hang",
    "LWIN1": "Who wins, and when",
    "LDIE1": "Who begins",
    "LDIE2": "The die gives the most steps of a turn",
    "LSPD1": "The speed cards, and the first speed",
    "LSPD2": "The speed stays or changes by 1",
    "LSPD3": "The speed is used in full",
    "LSPD4": "As far as possible, then full brake",
    "LSPD5": "Coupling and uncoupling are steps here too",
    "LSOLO1": "Playing alone",
    "LSOLO2": "The start is kept and tried again",
    "LTRN1": "The points of a tournament",
}
