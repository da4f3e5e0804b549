"""The commands, a module each: what it takes, and what it does."""
