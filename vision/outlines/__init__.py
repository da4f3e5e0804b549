"""Outlines in a picture that may be cards."""
