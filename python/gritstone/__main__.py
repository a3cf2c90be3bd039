"""The program ``gritstone``, the same as the one that ``cargo install`` makes."""

import signal
import sys

from gritstone import _core


def main() -> int:
    """Run the command line and return its exit code."""
    # The program catches Ctrl-C itself where it can stop in order; elsewhere it ends at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.main(["gritstone", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
