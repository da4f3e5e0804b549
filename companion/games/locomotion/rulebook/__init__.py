"""The rules for people: each clause in plain sentences."""
