"""The controller of a game at the table: pure, without devices and without a clock of its own.

``desk`` is what everybody in here works at, ``table`` compares what lies with what should lie, ``phases`` says who
watches and speaks when. ``companion.games.loknroll.play.controller`` puts them together.
"""
