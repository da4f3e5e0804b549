"""A game of Locomotion in words and on the disk: ``notation`` is the form of its lines (docs/record.md)."""
