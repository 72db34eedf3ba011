"""prompt-inspector findings: what each finding means, and what one can do about it."""

from dataclasses import asdict

import click

from inspector.cli.options import format_option
from inspector.cli.output import print_json


@click.command(short_help="List what each finding means, and what one can do about it.")
@format_option
def findings(answer_format: str) -> None:
    """List the findings that an answer may have: what each means, and what one can do about it."""
    from inspector.assembly.finding_kinds import FINDING_KINDS

    if answer_format == "json":
        print_json({"findings": [asdict(kind) for kind in FINDING_KINDS]})
        return
    from inspector.cli.tables import print_finding_kinds

    print_finding_kinds(FINDING_KINDS)
