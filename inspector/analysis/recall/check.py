"""Checking a scenario for a pipeline: how much of the evidence is in the prompts of probes, and whether all prompts
fit.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspector.analysis.recall.answers import AnswerShare, KnownAnswers, mean_answers
from inspector.analysis.recall.ask import ProbeRecall, assembled, found_in, mean_of, not_counted
from inspector.analysis.recall.probes import Skipped, askable, scenario_of
from inspector.assembly.answer import answer_with, leaving, ledger_terms
from inspector.assembly.case import Case
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.finding_kinds import MODEL_UNKNOWN
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.token_ledger import measured_ledger
from inspector.model import Probe
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import AUTO

SEVERITIES = ("error", "warning")
"""How bad a finding has to be to fail a check, the worst first."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A conversation under a scenario: its own prompt and those of its probes, each counted as a whole.

    `answers` are the shares of the known answers, in the order of `found`. `overflow` is the number of tokens by which
    the largest prompt exceeds the window less the reply, `fits` the share of the probes' prompts that do not (None
    without probes), `error` the code of the first failed prompt ("" if none failed). `findings` are those of its own
    prompt, `guesses_model` whether its model is unknown and window or tokenizer are guesses.
    """

    conversation: str
    found: tuple[ProbeRecall, ...]
    answers: tuple[AnswerShare | None, ...]
    fits: float | None
    overflow: int
    error: str
    findings: tuple[Finding, ...] = ()
    guesses_model: bool = False

    @property
    def means(self) -> Mapping[str, Any]:
        """The means over its probes, by the names used in rows (`recall`, `answer_words`, …)."""
        return means_of((self,))


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A violated limit: `conversation` is "" for all conversations together."""

    conversation: str
    what: str
    is_now: str
    wanted: str


def check(
    pipeline: Pipeline,
    scenario: Scenario,
    probes: Sequence[Probe],
    cache: CountCache | None = None,
    reply: int | None = None,
) -> tuple[list[Checked], list[Skipped]]:
    """Return every conversation (or that of the scenario) with its probes, and the unusable probes.

    A prompt fits if it leaves `reply` tokens of its window, as recommended settings do; without, the reserve of the
    policy. Raise ScenarioError and UnknownTokenizerError.
    """
    checked: list[Checked] = []
    asked, skipped = askable(pipeline.workspace, probes, scenario.conversation)
    terms = _Terms(pipeline, KnownAnswers(asked), cache, reply)
    known = (conversation.id for conversation in pipeline.workspace.conversations)
    for name in (scenario.conversation,) if scenario.conversation else known:
        own = [probe for probe in asked if probe.conversation == name]
        checked.append(_checked(terms, replace(scenario, conversation=name), own, skipped))
    return checked, skipped


@dataclass(frozen=True, eq=False)
class _Terms:
    """The inputs common to all conversations of a check."""

    pipeline: Pipeline
    known: KnownAnswers
    cache: CountCache | None
    reply: int | None


def _checked(terms: _Terms, scenario: Scenario, probes: Sequence[Probe], skipped: list[Skipped]) -> Checked:
    pipeline, cache = terms.pipeline, terms.cache
    case = make_all(pipeline, scenario, cache)
    assembly = pipeline.assemble(case)
    answer = answer_with(pipeline, case, assembly, measured_ledger(assembly, *ledger_terms(case)))
    own = _prompt(case, assembly, terms.reply)
    prompts: list[tuple[int, str]] = []
    found: list[tuple[ProbeRecall, AnswerShare | None]] = []
    for probe, evidence, assemblies in assembled(pipeline, (scenario,), probes, cache):
        skipped += not_counted(probe, evidence)
        assembly = next(assemblies)
        prompts.append(_prompt(pipeline.case(scenario_of(scenario, probe)), assembly, terms.reply))
        if len(evidence.rows):
            found.append((found_in(assembly, evidence), terms.known.share_in(assembly, probe)))
    is_guess = case.model.row is None and not (case.model.window.given and scenario.tokenizer != AUTO)
    return Checked(
        scenario.conversation or "",
        tuple(recall for recall, _ in found),
        tuple(answer for _, answer in found),
        prompts.count((0, "")) / len(prompts) if prompts else None,
        max(over for over, _ in (own, *prompts)),
        next((error for _, error in (own, *prompts) if error), ""),
        leaving(pipeline, answer, terms.reply).findings,
        is_guess,
    )


def _prompt(case: Case, assembly: Assembly, reply: int | None) -> tuple[int, str]:
    """Return the tokens by which a prompt exceeds its window, and the code of the error if there is no prompt."""
    if assembly.error is not None:
        return 0, assembly.error.code
    total = measured_ledger(assembly, *ledger_terms(case)).total
    return max(0, -assembly.budget.leaving(reply).free(total)), ""


def means_of(checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the means over all probes, by the names used in rows; None for the means of none."""
    recalls = mean_of(found for one in checked for found in one.found).columns
    return {**recalls, **mean_answers([answer for one in checked for answer in one.answers])}


def shortfalls(
    checked: Sequence[Checked],
    least: Mapping[str, float],
    max_overflow: int | None,
    fail_on: Collection[str] = (),
) -> Iterator[Shortfall]:
    """Yield the shortfalls: means over all probes below their minimum, by their names in rows, with the conversations
    below it; prompts over the limit; and findings named by `fail_on`, by code or minimum severity.

    Prompts that could not be made, and prompts for a guessed model, are always wrong.
    """
    everything = means_of(checked)
    for name, limit in least.items():
        if everything[name] is None or everything[name] < limit:
            yield from _too_low(name, limit, [("", everything), *((one.conversation, one.means) for one in checked)])
    for one in checked:
        if max_overflow is not None and one.overflow > max_overflow:
            yield Shortfall(one.conversation, "overflow", f"{one.overflow:,}", f"at most {max_overflow:,}")
        if one.error:
            yield Shortfall(one.conversation, "error", one.error, "a prompt")
        yield from _found_wrong(one, fail_on)


def _found_wrong(one: Checked, fail_on: Collection[str]) -> Iterator[Shortfall]:
    for finding in one.findings:
        if finding.kind is MODEL_UNKNOWN and one.guesses_model:
            yield Shortfall(one.conversation, finding.code, finding.message, "a known model, or window and tokenizer")
        elif fails_on(finding, fail_on):
            yield Shortfall(one.conversation, finding.code, finding.message, f"no {finding.severity} of this kind")


def fails_on(finding: Finding, names: Collection[str]) -> bool:
    """Return whether a finding has any of these codes, or at least any of these severities."""
    as_bad = SEVERITIES[SEVERITIES.index(finding.severity) :] if finding.severity in SEVERITIES else ()
    return finding.code in names or not set(as_bad).isdisjoint(names)


def _too_low(name: str, limit: float, recalls: Sequence[tuple[str, Mapping[str, float | None]]]) -> Iterator[Shortfall]:
    for conversation, means in recalls:
        value = means[name]
        if value is not None and value < limit:
            yield Shortfall(conversation, name.replace("_", " "), f"{value:.3f}", f"at least {limit:g}")
