"""The knobs of the clause table, set in every way."""

from itertools import product

from companion.games.locomotion.rules import Knobs
from companion.games.locomotion.rules.state import Behind, Gap

KNOBS = [Knobs(*values) for values in product((True, False), Gap, Behind)]
