"""What all photographs of a session tell together: the bare table, and where cards of one size end on it."""
