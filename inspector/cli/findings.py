"""prompt-inspector findings: the meaning of each finding, with advice."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from inspector.assembly.decisions import Finding
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.finding_kinds import FINDING_KINDS
from inspector.cli.answering import Line, Telling, answer
from inspector.tables import Column, Table, field_column

_INDENT = "    "
_STYLES = {"error": "red", "warning": "yellow", "info": ""}


def finding_lines(findings: Iterable[Finding]) -> Iterator[Line]:
    """Yield each finding in a sentence, with its advice below."""
    from inspector.cli.console import styled

    for finding in findings:
        yield styled(f"{finding.severity} {finding.code}: {finding.message}", _STYLES[finding.severity])
        yield _advice(finding.advice)


def _kind_lines(kinds: Iterable[FindingKind]) -> Iterator[Line]:
    """Yield each finding with its severity and meaning, and the advice below."""
    from inspector.cli.console import joined, styled

    for kind in kinds:
        severity = styled(f" ({kind.severity})", _STYLES[kind.severity])
        yield joined(
            styled(kind.code, "bold"),
            severity,
            f": {kind.short}. {kind.meaning}" if kind.title else f": {kind.meaning}",
        )
        yield _advice(kind.general_advice)


def _advice(advice: str) -> Line:
    from inspector.cli.console import Console, stacked

    lines = textwrap.wrap(advice, Console().width, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return stacked(lines, "dim")


KINDS: Table[Sequence[FindingKind]] = Table(
    (
        field_column("code", "Code", "Its name for scripts"),
        field_column("severity", "Severity", "Its usual severity"),
        Column("title", "Title", "Its title in lists", lambda kinds, row: kinds[row].short),
        field_column("meaning", "Meaning", "Its meaning"),
        field_column("advice", "Advice", "The general advice"),
    ),
    lambda kinds: range(len(kinds)),
)
_TELLING = Telling((), lambda kinds: {"findings": list(KINDS.records(kinds))}, _kind_lines, file=KINDS)


def findings(answer_format: str) -> None:
    """Run `prompt-inspector findings` with the values of its options."""
    answer(FINDING_KINDS, _TELLING, answer_format)
