"""The commands, a module each: ``add_arguments`` is what it takes, ``run`` does it and returns the exit status."""
