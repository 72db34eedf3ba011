"""The entries of the list: findings of the answer and problems of files, with what this window can do about each."""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.assembly.policy import Parameter, parameters_of
from inspector.figures import counted
from inspector.gui.parts.texts import in_window
from inspector.model import Problem, Severity
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.analysis.waste.ask import Waste

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""The worst first."""


@dataclass(frozen=True, slots=True)
class Deed:
    """A button: its words, and the declared action of the window that it carries out, or the page that it shows."""

    words: str
    action: str = ""
    page: str = ""


DEEDS = {
    "unknown_item": Deed("Clear the marks", "clear_marks"),
    "on_other_branches": Deed("Clear the marks", "clear_marks"),
    "must_survive_dropped": Deed("What would keep them…", "keep"),
    "secret_masked": Deed("Show or mask secrets", "reveal_secrets"),
    "computed_summaries": Deed("Read the summaries", page="summaries"),
    "summary_longer": Deed("Read the summaries", page="summaries"),
    "near_duplicate_memories": Deed("Look at the memories", page="memories"),
    "embedding_unavailable": Deed("Choose how to compare", page="memories"),
    "summaries_unavailable": Deed("Choose how to summarize", page="summaries"),
}
"""What this window can do about a finding, by its code."""
LOOK_AT_REQUESTS = Deed("Look at the requests", page="requests")
REPAIR, NAME_COLUMNS = Deed("Repair", "repair"), Deed("Name the columns…", "columns")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list: a sentence, and below it what one could do, or where it is. `source` is what it is about."""

    severity: Severity
    sentence: str
    below: str
    source: "Finding | Problem | Waste"
    deed: Deed | None = None

    @property
    def items(self) -> str:
        """How many items it is about, in words; "" for none."""
        if isinstance(self.source, Problem):
            return ""
        if isinstance(self.source, Finding):
            number = len(self.source.rows)
        else:  # the messages of a recorded agent are in many conversations
            number = 0 if self.source.agent else len(self.source.items)
        return counted(number, "item") if number else ""

    @property
    def spoken(self) -> str:
        """The whole entry for a screen reader, with the keys that do something."""
        deed = f"Control Enter: {self.deed.words}." if self.deed else ""
        keys = (f"Enter shows {self.items}." if self.items else "", deed)
        return " ".join(part for part in (f"{self.severity}: {self.sentence}", self.below, *keys) if part)


def entries_of(answer: Answer | None, problems: Iterable[Problem], wastes: "Iterable[Waste]" = ()) -> tuple[Entry, ...]:
    """Return all findings, problems and waste of agents, the worst first."""
    name = answer.case.policy_name if answer else ""
    findings = answer.findings if answer else ()
    made = [*(_of_finding(finding, name) for finding in findings), *map(_of_problem, problems), *map(_of_waste, wastes)]
    return tuple(sorted(made, key=lambda entry: SEVERITIES.index(entry.severity)))


def worst_of(findings: Sequence[Finding], problems: Sequence[Problem]) -> Severity | None:
    """Return the worst severity of all, None if there are none."""
    found = {one.severity for one in (*findings, *problems)}
    return next((severity for severity in SEVERITIES if severity in found), None)


def _of_finding(finding: Finding, policy: str) -> Entry:
    advice = window_advice(finding.advice, policy)
    return Entry(finding.severity, finding.message, advice, finding, DEEDS.get(finding.code))


def _of_problem(problem: Problem) -> Entry:
    deed = REPAIR if problem.repairable else NAME_COLUMNS if problem.is_table else None
    where = f"{PurePath(problem.file).name}, {problem.place}" if problem.place else PurePath(problem.file).name
    return Entry(problem.severity, in_window(problem.message), where, problem, deed)


def _of_waste(waste: "Waste") -> Entry:
    from inspector.analysis.waste.tables import whole_sentence  # not needed for the first picture

    deed = LOOK_AT_REQUESTS if waste.agent else None
    return Entry("info", whole_sentence(waste), waste.advice, waste, deed)


_SENTENCE_END = re.compile(r"(?<=\.) ")
_NAME_IN_BRACKETS = re.compile(r"\(([a-z_]+)\)")
_SET = re.compile(r"\b([a-z][a-z0-9_]*)=(\w+)")
_CODE = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")


@lru_cache(maxsize=256)
def window_advice(advice: str, policy: str) -> str:
    """Return advice without the command line and other policies, and with settings named as the window names them."""
    kinds, _ = policies()
    labels = _labels(kinds.get(policy))
    sentences = _SENTENCE_END.split(in_window(advice))
    kept = (one for one in sentences if "a policy" not in one and not _names_other(one, kinds, policy))
    return " ".join(_named(sentence, labels) for sentence in kept)


def _names_other(sentence: str, names: Container[str], policy: str) -> bool:
    """Return whether a sentence is about another policy, whose name is in brackets after its title."""
    return any(name in names and name != policy for name in _NAME_IN_BRACKETS.findall(sentence))


def _labels(kind: type | None) -> dict[str, str]:
    parameters: tuple[Parameter, ...] = parameters_of(kind()) if kind is not None else ()
    return {parameter.name: parameter.label for parameter in parameters if parameter.label}


def _named(sentence: str, labels: dict[str, str]) -> str:
    """Return a sentence with the labels of settings in place of their names."""

    def setting(name: str) -> str:
        return f"“{labels[name]}”" if name in labels else name.replace("_", " ")

    sentence = _SET.sub(lambda found: f"{setting(found[1])} at “{found[2].replace('_', ' ')}”", sentence)
    return _CODE.sub(lambda found: setting(found[0]), sentence)
