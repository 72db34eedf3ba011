"""What a file records of the tokens of its messages, beside what is counted here."""

from collections.abc import Sequence

from inspector.analysis.recorded_tables import USAGE
from inspector.analysis.recorded_usage import UsageError
from inspector.cli.answering import print_table
from inspector.cli.output import say


def print_usage(errors: Sequence[UsageError]) -> None:
    """Write the measured error of each model on a terminal; nothing where the file records no usage."""
    if errors:
        say("Tokens as recorded in the file, and as counted here:")
        print_table(USAGE, errors)
