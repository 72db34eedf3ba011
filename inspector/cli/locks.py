"""Locked shares, which stay when others move: the option that names them, as the locks of the window do."""

from collections.abc import Sequence

import click

from inspector.analysis.sliders import shares_of
from inspector.assembly.case import Case
from inspector.cli.failure import InputError
from inspector.nearest import instead

locked_option = click.option(
    "--locked", multiple=True, metavar="NAME", help="A share that stays when others move; may be repeated."
)


def locked_shares(case: Case, names: Sequence[str]) -> frozenset[str]:
    """Return the shares named by --locked. End the command for an unknown share of the policy."""
    known, wanted = shares_of(case), [name.replace("-", "_") for name in names]
    for name in wanted:
        if name not in known:
            named = instead(name, list(known), lead="those are")
            raise InputError(f"--locked {name}: no share of {case.policy_name}; {named}")
    return frozenset(wanted)
