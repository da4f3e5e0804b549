"""The fewest steps of a solo game, with their proof.

A lie (LRUN2) is the set of passages along which a vehicle may still lie. Each step asks of each vehicle no more than
that one passage of its lie has a certain side, and keeps those that have it. So a plan can be carried out exactly if
each vehicle could have known from the beginning, and again on every dot that it comes to, along which one it lies.
``tracks`` makes such places, a dot and one passage through it, from a network. On places every step can be taken back
by a step: a search goes backwards from the goal as it goes forwards from the start (``waves``), and the two meet
halfway. They are breadth-first, whole layers of packed integers at once, so what they say is proven.

Where two wagons alone cannot come to hang as they should the whole is impossible, which takes a second to see
(``fewer``). Plans that need not be the shortest are found by a narrow search (``beam``) and made shorter part by part
(``mending``). Where memory ends the proof goes on in parts (``deeper``), without states that are too far from the goals
by an estimate that is never too high (``estimates``).
"""
