"""The virtual table in a browser: people move things in a world, a camera photographs it, the companion does the rest.

The page never speaks to the controller. What it does moves things in the ``World`` or presses the five buttons.
"""
