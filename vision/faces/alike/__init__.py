"""Telling faces apart that are alike but for a numeral: where exactly a card lies, and where two faces differ."""
