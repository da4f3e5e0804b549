"""Lets ``python -m companion`` do what the ``companion`` command does."""

from companion.commands.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
