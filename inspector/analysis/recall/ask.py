"""Recall: the share of the evidence of probes in the prompts with which they are asked.

The recall of a probe is the share of its evidence kept whole. With memories, a message also counts if a kept memory
names it as its source. Means are over probes, as in LoCoMo's evaluation (Maharana et al. 2024, 5.2). Known answers are
measured beside it (`answers.py`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import attrgetter
from typing import Any

import numpy as np

from inspector.analysis.basis import Basis, Share, result_of
from inspector.analysis.recall.answers import AnswerShare, KnownAnswers, mean_answers
from inspector.analysis.recall.probes import Evidence, Skipped, askable, evidence_of, scenario_of
from inspector.assembly.columns import I64, Action, Bool, Rows, phrase, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.derived import cached_property
from inspector.model import Probe
from inspector.steps import check_wanted
from inspector.tables import Column, Kind, Subject, Table, Value
from inspector.tokens.cache import CountCache

_FIGURES = ("recall", "recall_with_memories", "recall_summarized")
_RETRIEVAL = frozenset(("not_retrieved", "filtered", "inactive"))
_TOLD_PROBES = 10


class Loss(IntEnum):
    """The reason why an item of the evidence is not in the prompt, itself or as a memory: the first that applies."""

    NOT_CITED = 0
    """Its message is left out, and no memory names it."""
    NOT_RETRIEVED = 1
    """No memory that names it, or the memory itself if it is evidence, was considered."""
    OVER_BUDGET = 2
    """It was considered, and left out for room or order."""
    EXCLUDED = 3
    """It was excluded by the user, or is later than the turn."""


@dataclass(frozen=True, slots=True, eq=False)
class ProbeRecall:
    """The outcome of the evidence of a probe, an entry for each item: masks, and the reason if it is lost (-1 if
    not).
    """

    kept: Bool
    cited: Bool
    """A kept memory names it."""
    reduced: Bool
    """It is there summarized or truncated, and not kept."""
    loss: I64

    @property
    def recall(self) -> float:
        """The share kept whole."""
        return float(self.kept.mean())

    @property
    def recall_with_memories(self) -> float:
        """The share kept whole or named by a kept memory."""
        return float((self.kept | self.cited).mean())

    @property
    def recall_summarized(self) -> float:
        """The share present as a summary or truncated."""
        return float(self.reduced.mean())


@dataclass(frozen=True, eq=False)
class RecallGroup:
    """The probes of a category, or all of them."""

    name: str
    found: Sequence[ProbeRecall]
    answers: Sequence[AnswerShare | None]

    @cached_property
    def means(self) -> dict[str, Any]:
        """The number of probes and their means, by the names used in rows."""
        return {**mean_of(self.found).columns, **mean_answers(self.answers)}

    @cached_property
    def lost(self) -> Mapping[Loss, float]:
        """The share of the evidence lost for each reason."""
        return losses(self.found)


@dataclass(frozen=True, eq=False)
class Recalled:
    """The answer to many probes under a scenario: the outcome of each, the share of its known answer (None for none),
    and the skipped probes.
    """

    probes: tuple[Probe, ...]
    found: tuple[ProbeRecall, ...]
    answers: tuple[AnswerShare | None, ...]
    skipped: tuple[Skipped, ...]

    @cached_property
    def groups(self) -> tuple[RecallGroup, ...]:
        """The probes of each category, if there are several, then all of them."""
        several = self.groups_by(lambda probe: probe.category or "without a category")
        return (*(several if len(several) > 1 else ()), RecallGroup("all", self.found, self.answers))

    def groups_by(self, name_of: Callable[[Probe], str]) -> list[RecallGroup]:
        """Return the probes of each name, in the order of the probes."""
        places: dict[str, list[int]] = {}
        for place, probe in enumerate(self.probes):
            places.setdefault(name_of(probe), []).append(place)
        return [
            RecallGroup(name, [self.found[place] for place in own], [self.answers[place] for place in own])
            for name, own in places.items()
        ]


def found_in(assembly: Assembly, evidence: Evidence) -> ProbeRecall:
    """Return the outcome of some evidence in an assembly; in a failed assembly all is lost."""
    rows, citing = evidence.rows, evidence.citing
    fails = assembly.error is not None
    kept, cited = held(assembly, evidence)
    reduced = np.isin(assembly.action[rows], (Action.SUMMARIZED, Action.TRUNCATED)) & (not fails)
    loss = np.full(len(rows), -1, np.int64)
    for place in np.flatnonzero(~(kept | cited)).tolist():
        loss[place] = _loss(assembly, int(rows[place]), citing[evidence.cited == place].tolist())
    return ProbeRecall(kept, cited, reduced & ~kept, loss)


def held(assembly: Assembly, evidence: Evidence) -> tuple[Bool, Bool]:
    """Return masks of the evidence kept whole, and of the evidence named by a kept memory; empty for a failed
    assembly.
    """
    if assembly.error is not None:
        return np.zeros(len(evidence.rows), np.bool_), np.zeros(len(evidence.rows), np.bool_)
    kept_citing = assembly.action[evidence.citing] == int(Action.KEPT)
    cited = np.bincount(evidence.cited[kept_citing], minlength=len(evidence.rows)) > 0
    return assembly.action[evidence.rows] == int(Action.KEPT), cited


def _loss(assembly: Assembly, row: int, citing: Sequence[int]) -> Loss:
    is_message = row >= assembly.candidates.items.first_message
    if not assembly.candidates.open[row]:
        return Loss.EXCLUDED
    if is_message and not citing:
        return Loss.NOT_CITED
    looked_at = citing if is_message else (row,)
    is_considered = considered(assembly, np.array(looked_at, np.intp)).any()
    return Loss.OVER_BUDGET if is_considered else Loss.NOT_RETRIEVED


def considered(assembly: Assembly, rows: Rows) -> Bool:
    """Return which of these items the policy weighed, if they are open: retrieved, neither filtered nor inactive."""
    return np.array([assembly.reason_of(row).code not in _RETRIEVAL for row in rows.tolist()], np.bool_)


def recall(
    pipeline: Pipeline, scenario: Scenario, probes: Iterable[Probe], cache: CountCache | None = None
) -> Recalled:
    """Ask every probe under a scenario. Raise ScenarioError and UnknownTokenizerError."""
    return result_of(recalls(Basis(pipeline, scenario, cache), probes))


def recalls(basis: Basis, probes: Iterable[Probe]) -> Iterator[Share | Recalled]:
    """Ask every probe. Raise ScenarioError and UnknownTokenizerError."""
    pipeline, scenario = basis.pipeline, basis.scenario
    wanted, skipped = askable(pipeline.workspace, probes, scenario.conversation)
    known = KnownAnswers(wanted)
    asked: list[Probe] = []
    found: list[ProbeRecall] = []
    answers: list[AnswerShare | None] = []
    for number, (probe, evidence, assemblies) in enumerate(assembled(pipeline, (scenario,), wanted, basis.cache), 1):
        skipped += not_counted(probe, evidence)
        if len(evidence.rows):
            assembly = next(assemblies)
            asked.append(probe)
            found.append(found_in(assembly, evidence))
            answers.append(known.share_in(assembly, probe))
        if number % _TOLD_PROBES == 0:
            yield Share(number, len(wanted))
    yield Recalled(tuple(asked), tuple(found), tuple(answers), tuple(skipped))


def assembled(
    pipeline: Pipeline, scenarios: Sequence[Scenario], probes: Sequence[Probe], cache: CountCache | None = None
) -> Iterator[tuple[Probe, Evidence, Iterator[Assembly]]]:
    """Yield each probe with its evidence, and a lazy iterator over its assemblies under the scenarios.

    A probe is asked under all scenarios before the next probe, and the probes of a conversation are adjacent: anything
    that depends on a query or on a conversation is then computed once. Otherwise the order of the probes is kept.
    """
    first = {probe.conversation: place for place, probe in reversed(list(enumerate(probes)))}
    for probe in sorted(probes, key=lambda probe: first[probe.conversation]):
        check_wanted()
        cases = (make_all(pipeline, scenario_of(scenario, probe), cache) for scenario in scenarios)
        items = pipeline.plain_items(pipeline.case(scenario_of(scenarios[0], probe)))
        yield probe, evidence_of(items, probe), map(pipeline.assemble, cases)


def by_conversation(probes: Sequence[Probe]) -> list[list[Probe]]:
    """Return the probes of each conversation together."""
    found: dict[str, list[Probe]] = {}
    for probe in probes:
        found.setdefault(probe.conversation, []).append(probe)
    return list(found.values())


def not_counted(probe: Probe, evidence: Evidence) -> list[Skipped]:
    """Return the warning about a probe with unknown items; nothing for other probes."""
    if not evidence.unknown:
        return []
    named = ", ".join(evidence.unknown)
    what = "" if len(evidence.rows) else "; no item of its evidence is there"
    return [Skipped(probe.id, f"no item is called {named}{what}")]


@dataclass(slots=True)
class MeanRecall:
    """Running means over probes: their number, and sums of the three figures."""

    probes: int = 0
    sums: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def add(self, found: ProbeRecall) -> None:
        """Add another probe to the means."""
        self.probes += 1
        figures = found.recall, found.recall_with_memories, found.recall_summarized
        self.sums = tuple(total + figure for total, figure in zip(self.sums, figures, strict=True))  # type: ignore[assignment]

    @property
    def columns(self) -> dict[str, Any]:
        """The number of probes and their means, by the names used in rows; None for the means of none."""
        values = [total / self.probes for total in self.sums] if self.probes else [None] * len(_FIGURES)
        return {"probes": self.probes, **dict(zip(_FIGURES, values, strict=True))}


def mean_of(found: Iterable[ProbeRecall]) -> MeanRecall:
    """Return the means over these probes."""
    mean = MeanRecall()
    for one in found:
        mean.add(one)
    return mean


def losses(found: Sequence[ProbeRecall]) -> dict[Loss, float]:
    """Return the share of the evidence lost for each reason, all probes having equal weight: with recall it is 1."""
    if not found:
        return dict.fromkeys(Loss, 0.0)
    shares = np.array([np.bincount(one.loss[one.loss >= 0], minlength=len(Loss)) / len(one.loss) for one in found])
    return dict(zip(Loss, shares.mean(axis=0).tolist(), strict=True))


def loss_columns(losses_of: Callable[[Subject], Sequence[Mapping[Loss, float]]]) -> Iterator[Column[Subject]]:
    """Return a column for each reason, for a table with these losses by row."""
    return (_loss_column(loss, losses_of) for loss in Loss)


def _loss_column(loss: Loss, losses_of: Callable[[Subject], Sequence[Mapping[Loss, float]]]) -> Column[Subject]:
    return Column(
        f"lost_{word(loss)}",
        f"Lost: {phrase(loss)}",
        f"The share of the needed items missing from the prompts for this first reason: {phrase(loss)}",
        lambda subject, row: losses_of(subject)[row][loss],
        lambda subject: np.array([lost[loss] for lost in losses_of(subject)]),
        Kind.SHARE,
        shown=lambda subject: any(lost[loss] for lost in losses_of(subject)),
        digits=15,
        yields=1 + loss,
    )


def _mean_column(
    key: str, title: str, help: str, kind: Kind = Kind.SHARE, shown: Callable[[Recalled], bool] | None = None
) -> Column[Recalled]:
    return Column(key, title, help, lambda recalled, row: recalled.groups[row].means[key], kind=kind, shown=shown)


def _answer_column(key: str, title: str, help: str, kind: Kind = Kind.SHARE) -> Column[Recalled]:
    """Return a column for the known answers, which the questions may lack."""

    def is_known(recalled: Recalled) -> bool:
        means = recalled.groups[-1].means
        return means["answers"] > 0 and means[key] is not None

    return _mean_column(key, title, help, kind, is_known)


def _name(recalled: Recalled, row: int) -> Value:
    return recalled.groups[row].name


GROUPS: Table[Recalled] = Table(
    (
        Column("category", "Category", "The kind of question", _name, stretches=True),
        _mean_column("probes", "Questions", "The number of questions", Kind.COUNT),
        _mean_column("recall", "Kept", "The share of the needed items kept whole in the prompts"),
        _mean_column("recall_with_memories", "With memories", "The same, or named by a kept memory"),
        _mean_column("recall_summarized", "Summarized", "The share summarized or truncated"),
        *loss_columns(lambda recalled: [group.lost for group in recalled.groups]),
        _answer_column("answers", "Answers", "The number of questions with a known answer", Kind.COUNT),
        _answer_column(
            "answer_words", "Answer words", "The share of the words of the known answers in the prompts, summaries too"
        ),
        _answer_column(
            "other_answer_words",
            "By chance",
            "The share of the words of the other questions' answers in the same prompts",
        ),
    ),
    lambda recalled: range(len(recalled.groups)),
)


RECALL_FORMAT = "prompt-inspector/recall@1"


def recall_value(recalled: Recalled, scenario: Scenario, kind: type | None) -> dict[str, Any]:
    """Return the answer to probes as a JSON value: means, by category and by conversation, and each probe with its
    loss. `kind` is the class that decides.
    """
    return {
        "format": RECALL_FORMAT,
        "scenario": scenario_value(scenario, kind),
        **_mean_value(recalled.groups[-1]),
        "categories": _by(recalled, "category"),
        "conversations": _by(recalled, "conversation"),
        "skipped": [{"id": one.id, "reason": one.reason} for one in recalled.skipped],
        "rows": [_row(*one) for one in zip(recalled.probes, recalled.found, recalled.answers, strict=True)],
    }


def _mean_value(group: RecallGroup) -> dict[str, Any]:
    return {**group.means, "lost": {word(loss): share for loss, share in group.lost.items()}}


def _by(recalled: Recalled, name: str) -> list[dict[str, Any]]:
    return [{name: group.name, **_mean_value(group)} for group in recalled.groups_by(attrgetter(name))]


def _row(probe: Probe, found: ProbeRecall, answer: AnswerShare | None) -> dict[str, Any]:
    figures = {**mean_of((found,)).columns, **mean_answers((answer,))}
    del figures["probes"], figures["answers"]
    lost = [word(Loss(reason)) for reason in found.loss.tolist() if reason >= 0]
    return {"id": probe.id, "conversation": probe.conversation, "category": probe.category, **figures, "lost": lost}
