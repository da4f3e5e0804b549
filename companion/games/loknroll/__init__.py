"""LOK'n'ROLL, the railway card game. ``game`` is all that the companion sees of it.

``rules`` are pure and stand below everything; ``strategy`` chooses by itself. ``table`` compares what lies with what
should lie, ``play`` leads people through a game, ``record`` keeps and tells it. ``robot`` plays at the virtual table.
``artwork`` draws our own deck, ``printing`` puts it on paper, ``gallery`` shows every screen.
"""
