"""What every kind of finding declares."""

from dataclasses import dataclass

from inspector.model import Severity


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A code that scripts may rely on, how bad it is as a rule, what it means and what one can do about it.

    `meaning` and `advice` are whole sentences that name no figure of a case. Parameters of policies stand in them by
    their names, options of the command line with their dashes.
    """

    code: str
    severity: Severity
    meaning: str
    advice: str
