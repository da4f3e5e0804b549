"""Who chooses by itself: the automaton, players, the best order of penalty cards, odds and simulations."""
