"""Locked shares, which stay when others move by the names of --locked, as the locks of the window do."""

from collections.abc import Sequence

from inspector.analysis import sliders
from inspector.assembly.case import Case
from inspector.assembly.choices import ScenarioError
from inspector.cli.failure import InputError


def locked_shares(case: Case, names: Sequence[str]) -> frozenset[str]:
    """Return the shares named by --locked. End the command for an unknown share of the policy."""
    try:
        return sliders.locked_shares(case, names)
    except ScenarioError as problem:
        raise InputError(f"--locked {problem}") from None
