"""Where the program begins: the ``companion`` command, and ``python -m companion``.

From its first line on Ctrl-C ends it as it does later. So it imports next to nothing before it can say so.
"""

import sys

try:
    import os
    import signal

    def _stop(*_: object) -> None:
        """Ends the program at once; out of an import an exception would come as a trace, or as another one."""
        try:
            os.write(2, b"Stopped.\n")
        finally:
            os._exit(130)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else whoever started us wants it ignored
        signal.signal(signal.SIGINT, _stop)
except KeyboardInterrupt:
    sys.stderr.write("Stopped.\n")
    sys.exit(130)


def main() -> int:
    """Does what the command line asks for; returns the exit status."""
    from companion.commands.cli import main as run_command

    return run_command()


if __name__ == "__main__":
    raise SystemExit(main())
