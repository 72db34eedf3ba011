"""prompt-inspector count: the arguments and options."""

import os
import sys
from typing import Any

import click

from inspector.cli.options import format_option, paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@format_option
def count(**asked: Any) -> None:
    """Count the tokens of every item of PATHS, where - is standard input; plain text from there is counted
    unchanged.
    """
    if "numpy" not in sys.modules:  # its import would start a thread for each processor, which counting does not need
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from inspector.cli.count import count as run

    run(**asked)
