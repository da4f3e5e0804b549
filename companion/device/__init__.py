"""The companion from being switched on to being switched off: the list of games, games, dice, and their devices.

``session`` leads from one to the next. ``appliance`` joins what runs with the devices; ``loop`` is the one thread that
changes it, ``threads`` are those beside it. ``virtual_device`` runs the same session at a table that is not there.
"""
