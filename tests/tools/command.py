"""What the scripts of tests/ that have options share: how a command line fails, and how they end."""
import argparse
import sys


class Failure(Exception):
    """Ends the script with this exit status, and the text on standard error."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Parser(argparse.ArgumentParser):
    """Bad usage has exit status 4."""

    def __init__(self, name, text, **more):
        super().__init__(prog=name, description=text, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **more)

    def error(self, message):
        self.exit(4, f"{self.prog}: {message}; see --help\n")


def end_with(name, main, when_interrupted=""):
    """Ends with the exit status of main, of its failure, or of Ctrl-C."""
    try:
        sys.exit(main())
    except Failure as failure:
        sys.stdout.flush()
        print(f"{name}: {failure}", file=sys.stderr)
        sys.exit(failure.status)
    except KeyboardInterrupt:
        print(end=when_interrupted, file=sys.stderr)
        sys.exit(130)
