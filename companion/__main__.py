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

    status = run_command()
    _end_beside_threads(status)
    return status


def _end_beside_threads(status: int) -> None:
    """Ends the program here where a thread still works: it hangs, or has a long picture to look at.

    Python would end it wherever it comes back from a library; out of C++ that aborts the program.
    """
    # Whoever has started a thread has imported the module.
    threading = sys.modules.get("threading")
    if threading and any(thread.daemon for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    raise SystemExit(main())
