"""Probes in a workspace: the conversation of each, the items of its evidence, and the unusable parts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath

import numpy as np

from inspector.assembly.columns import I64, Rows, frozen
from inspector.assembly.items import ItemTexts
from inspector.assembly.scenario import Scenario, of_conversation
from inspector.formats import load_workspace
from inspector.formats.native.workspace import PROBES
from inspector.model import Memory, Probe, Problem, Workspace, changed
from inspector.reading.values import UnreadableError


@dataclass(frozen=True, slots=True)
class Skipped:
    """A probe that is not asked, or with evidence that is not counted, and the reason."""

    id: str
    reason: str


@dataclass(frozen=True, eq=False)
class Evidence:
    """The items needed by a probe: their rows among the items of its conversation, without duplicates.

    `citing` are rows of memories that name any of them as their source; `cited` says for each of these which, as a
    place in `rows`. `unknown` are ids of no item.
    """

    rows: Rows
    citing: Rows
    cited: I64
    unknown: tuple[str, ...]


def askable(
    workspace: Workspace, probes: Iterable[Probe], only: str | None = None
) -> tuple[list[Probe], list[Skipped]]:
    """Return the probes whose conversation is open, with its id, and the probes that cannot be asked.

    `only` is the id of the only conversation asked about, if any; probes of others are passed over.
    """
    conversations = {conversation.id for conversation in workspace.conversations}
    single = next(iter(conversations), None) if len(conversations) == 1 else None
    found: list[Probe] = []
    skipped: list[Skipped] = []
    for probe in probes:
        name = probe.conversation or only or single
        if name is None:
            skipped.append(Skipped(probe.id, "no conversation is named, and several are open"))
        elif name not in conversations:
            skipped.append(Skipped(probe.id, f"the conversation {name} is not open"))
        elif not probe.evidence:
            skipped.append(Skipped(probe.id, "no evidence is named"))
        elif only in (None, name):
            found.append(_with_conversation(probe, name))
    return found, skipped


def read_probes(path: str | PathLike[str]) -> tuple[tuple[Probe, ...], tuple[Problem, ...]]:
    """Return the probes of a file of probes, or of another file with probes, such as LoCoMo's, and its problems.

    Raise UnreadableError for a file that cannot be read or has no probes.
    """
    found = load_workspace([fspath(path)])
    if not found.probes:
        errors = [problem for problem in found.problems if problem.severity == "error"]
        nothing = Problem(fspath(path), "", f"expected questions ({PROBES}, or LoCoMo), found none")
        raise UnreadableError(next(iter(errors), nothing))
    return found.probes, found.problems


def reasons_of(skipped: Sequence[Skipped]) -> str:
    """Return the first few reasons why probes are not asked."""
    reasons = list(dict.fromkeys(one.reason for one in skipped))
    return "; ".join(reasons[:2]) + (" and more" if len(reasons) > 2 else "")


def scenario_of(scenario: Scenario, probe: Probe) -> Scenario:
    """Return the scenario with the conversation, the turn and the question of a probe, which is asked as it was
    then.
    """
    turn = {} if probe.at is None else {"at": probe.at, "as_of": True}
    query = scenario.query if probe.query is None else probe.query
    return replace(of_conversation(scenario, probe.conversation), **turn, query=query)


def evidence_of(items: ItemTexts, probe: Probe) -> Evidence:
    """Return where the evidence of a probe is among the items of its conversation."""
    found = items.rows_called(probe.evidence)
    rows = list(dict.fromkeys(found[name][0] for name in probe.evidence if name in found))
    unknown = tuple(name for name in probe.evidence if name not in found)
    citations = items.derived("citations", None, lambda: _citations(items))
    pairs = [(memory, place) for place, row in enumerate(rows) for memory in citations.get(items.plain_ids[row], ())]
    columns = np.array(pairs, np.intp).reshape(-1, 2)
    return Evidence(frozen(np.array(rows, np.intp)), columns[:, 0], columns[:, 1], unknown)


def _with_conversation(probe: Probe, name: str) -> Probe:
    return probe if probe.conversation == name else changed(probe, conversation=name)


def _citations(items: ItemTexts) -> Mapping[str, list[int]]:
    """Return the rows of the memories that name a message as their source, by its id."""
    citing: dict[str, list[int]] = {}
    for row, thing in enumerate(items.things[: items.first_message]):
        if isinstance(thing, Memory):
            for name in thing.source_messages:
                citing.setdefault(name, []).append(row)
    return citing
