"""The eye over time: only what changes is read anew, and cards stay cards."""
