"""Findings: notes for the user about an assembly, from rules over its columns."""

from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass, replace
from functools import cache

import numpy as np

from inspector.assembly.advice import Declared, advice_text
from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.columns import Action, Bool, Rows, Section, section_words
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.doubts import doubt_words
from inspector.assembly.finding_kinds import (
    BUDGET_UNUSED,
    COMPUTED_SUMMARIES,
    EMBEDDING_UNAVAILABLE,
    EMPTY_HISTORY,
    ESTIMATED_COUNTS,
    GUARANTEE_OVER_BUDGET,
    HISTORY_GAP,
    INPUT_LIMIT,
    NEAR_DUPLICATE_MEMORIES,
    ON_OTHER_BRANCHES,
    ORPHAN_TOOL_RESULT,
    OVER_WINDOW,
    RECORDED_REMAINDER,
    SCORE_DIRECTION,
    SECRET_MASKED,
    SPECIAL_TOKEN_TEXT,
    SUMMARIES_UNAVAILABLE,
    SUMMARIES_UNUSED,
    SUMMARY_LONGER,
    TEMPLATE_REFUSED,
    TOOLS_LEFT_OUT,
    UNKNOWN_ITEM,
)
from inspector.assembly.items import ItemTexts
from inspector.assembly.model_choice import ChosenModel
from inspector.assembly.numbers import numbers_of
from inspector.assembly.policy import parameters_of
from inspector.assembly.policy_finding_kinds import SERVER_REFUSES
from inspector.assembly.recorded_requests import RecordedTotal, recorded_sentence
from inspector.assembly.relevance import NearDuplicates
from inspector.assembly.replacements import COMPUTED, SummarySource
from inspector.assembly.scenario import Scenario
from inspector.assembly.score_scales import contradicted
from inspector.assembly.token_ledger import TokenLedger
from inspector.figures import counted, figures, in_number, percentage
from inspector.model import Workspace
from inspector.retrieval.similarity import Origin, compares_vectors
from inspector.secrets import MASKED, kinds_words, secrets_in
from inspector.tokens.models.table import input_limit

UNUSED_SHARE = 0.25


def findings_of(
    case: Case, assembly: Assembly, ledger: TokenLedger, others: Iterable[Finding] = (), remainder: int = 0
) -> tuple[Finding, ...]:
    """Return all findings of an assembly, including `others`: errors first, then warnings, then information.

    `remainder` is the tokens that the recorded request had besides the prompt.
    """
    model = case.model
    found = [*case.chosen.findings, *model.findings, *assembly.findings, *others]
    found += _about_marks(assembly, case.scenario)
    found += _about_counts(assembly, ledger, model)
    if assembly.error is None:
        found += _about_template(ledger)
        found += _about_window(assembly, ledger, remainder)
        found += _about_input(ledger, model)
        found += _about_guarantees(assembly)
        found += _about_history(assembly)
        found += _about_tool_calls(assembly)
    severity = ("error", "warning", "info")
    worst_first = sorted(found, key=lambda finding: severity.index(finding.severity))
    return tuple(_told(finding, type(case.policy)) for finding in worst_first)


def _told(finding: Finding, policy: type) -> Finding:
    """Return the finding with its figures in number, and with the advice for a policy."""
    return replace(finding, message=in_number(finding.message), advised=_advice_for(finding.kind.advice, policy))


@cache
def _advice_for(advice: str, policy: type) -> str:
    parameters = parameters_of(policy) if is_dataclass(policy) else ()
    sizes = {parameter.name: parameter.sizes for parameter in parameters}
    return advice_text(advice, Declared(sizes, frozenset(kind.__name__.lower() for kind in policy.__mro__)))


_OVER = (OVER_WINDOW, SERVER_REFUSES)


def status_of(assembly: Assembly, findings: tuple[Finding, ...]) -> str:
    """Return `error`, `over_window` or `ok`."""
    if assembly.error is not None:
        return "error"
    return "over_window" if any(finding.kind in _OVER for finding in findings) else "ok"


def _about_marks(assembly: Assembly, scenario: Scenario) -> Iterator[Finding]:
    """Report ids of the scenario missing from the workspace, or only on other branches."""
    named = dict.fromkeys((*scenario.pinned, *scenario.excluded, *scenario.overrides))
    if not named:
        return
    items = assembly.candidates.items
    known = items.rows_called(named)
    missing = [name for name in named if name not in known]
    tree = items.conversation.tree if missing and items.conversation is not None else None
    elsewhere = {message.id for message in tree.messages} if tree is not None else set[str]()
    unknown = [name for name in missing if name.removeprefix("messages/") not in elsewhere]
    if unknown:
        yield Finding(UNKNOWN_ITEM, f"The scenario names items that are not there: {', '.join(unknown[:3])}.")
    if number := len(missing) - len(unknown):
        marked = counted(number, "message")
        yield Finding(ON_OTHER_BRANCHES, f"{marked} of other branches {'is' if number == 1 else 'are'} marked, too.")


def _about_counts(assembly: Assembly, ledger: TokenLedger, model: ChosenModel) -> Iterator[Finding]:
    candidates = assembly.candidates
    uncounted, recorded = candidates.sources_of_counts
    if uncounted:
        yield Finding(ESTIMATED_COUNTS, f"{_items(uncounted)} not counted yet but estimated.")
    elif not model.tokenizer.exact:
        message = f"Counts are estimates. {model.tokenizer.reason}"
        yield Finding(ESTIMATED_COUNTS, message)
    elif recorded:
        yield Finding(ESTIMATED_COUNTS, f"{_items(recorded)} not counted here: their tokens come from the file.")
    elif not ledger.exact and ledger.rendered is not None and assembly.error is None:
        doubt = ledger.prompt.chat.doubt.rstrip(".") if ledger.prompt else ""
        refused = f"The maker's own code refuses this prompt: {doubt}. It is counted as servers mend it."
        yield Finding(ESTIMATED_COUNTS, refused if doubt else doubt_words(assembly, ledger))


def _items(count: int) -> str:
    return f"{count:,} item is" if count == 1 else f"{count:,} items are"


def _about_template(ledger: TokenLedger) -> Iterator[Finding]:
    """Report problems of the chat template found by measuring the rendered prompt."""
    if ledger.prompt is not None and ledger.prompt.refusal:
        words = ledger.prompt.refusal.rstrip(".")
        stand_in = ledger.prompt.chat_format.name
        yield Finding(
            TEMPLATE_REFUSED,
            f"The model's chat template refuses this prompt: {words}. {stand_in} stands in.",
        )
    if ledger.leaves_tools_out:
        yield Finding(TOOLS_LEFT_OUT, "The model's chat template has no place for the tools of this chat.")
    if ledger.specials is not None:
        count, example = len(ledger.specials.rows), ledger.specials.example
        noun = "item spells a special token" if count == 1 else "items spell special tokens"
        yield Finding(
            SPECIAL_TOKEN_TEXT,
            f"{count:,} {noun}, such as {example}. It is counted as text: {ledger.rendered:,} tokens. "
            f"A server that obeys typed marks would count {ledger.specials.parsed:,}.",
            np.array(ledger.specials.rows, np.intp),
        )


def _about_window(assembly: Assembly, ledger: TokenLedger, remainder: int) -> Iterator[Finding]:
    budget, estimated = assembly.budget, ledger.estimated
    free = budget.free(ledger.total)
    if free < 0:
        reserve = f" with {budget.response_reserve:,} for the reply" if budget.response_reserve else ""
        prompt = f"The prompt of {counted(ledger.total, 'token', estimated=estimated)}{reserve}"
        message = f"{prompt} exceeds the window of {budget.context_window:,} by {figures(-free, estimated)}."
        yield Finding(OVER_WINDOW, message)
    elif (rest := free - remainder) > UNUSED_SHARE * budget.context_window:
        share = rest / budget.context_window
        unused = counted(rest, "token", estimated=estimated)
        yield Finding(BUDGET_UNUSED, f"{unused}, {percentage(share)} of the window, are not used.")


def _about_input(ledger: TokenLedger, model: ChosenModel) -> Iterator[Finding]:
    """Report a prompt above the input limit of the model, which for some models is below the window."""
    limit = None if model.row is None else input_limit(model.row)
    if limit is not None and ledger.total > limit:
        total = figures(ledger.total, ledger.estimated)
        message = f"{model.name} takes prompts of at most {limit:,} tokens; this one has {total}."
        yield Finding(INPUT_LIMIT, message)


def _about_guarantees(assembly: Assembly) -> Iterator[Finding]:
    guaranteed = assembly.guaranteed.nonzero()[0]
    if not len(guaranteed):
        return
    sections = assembly.section[guaranteed]
    spent_in = np.bincount(sections, assembly.spent[guaranteed], len(Section)).tolist()
    for section, limits in assembly.budget.sections.items():
        spent = int(spent_in[section])
        if limits.room is not None and spent > limits.room and len(rows := guaranteed[sections == section]):
            taken = counted(spent, "token", estimated=bool(assembly.candidates.estimated[rows].any()))
            budget_of = f"the {section_words(section)} budget is {limits.room:,}"
            message = f"Items that are always kept take {taken}; {budget_of}."
            yield Finding(GUARANTEE_OVER_BUDGET, message, rows)


def _about_history(assembly: Assembly) -> Iterator[Finding]:
    candidates = assembly.candidates
    first = candidates.items.first_message  # messages are the last candidates: slices cost nothing
    there = assembly.in_prompt[first:]
    if not np.count_nonzero(there):
        yield Finding(EMPTY_HISTORY, "No message of the conversation is in the prompt.")
        return
    first += int(there.argmax())  # messages older than all of the prompt are no gap
    there = assembly.in_prompt[first:]
    lost = ~there & candidates.open[first:]
    if not np.count_nonzero(lost):
        return
    sections = assembly.section[first:]
    retrieved = sections == int(Section.RETRIEVED)
    of_history = sections == int(Section.HISTORY)
    # Messages not retrieved are lost to the conversation.
    gaps = [_gap(of_history & there, (of_history | retrieved) & lost)]
    current = sections == int(Section.CURRENT)
    gaps.append(_gap(current & there, current & lost))
    rows = np.concatenate(gaps) + first
    if len(rows):
        noun = "message is" if len(rows) == 1 else "messages are"
        yield Finding(HISTORY_GAP, f"{len(rows):,} {noun} missing between kept ones.", rows)


def _gap(there: Bool, lost: Bool) -> Rows:
    """Return the places of lost rows after the first present row."""
    first = int(there.argmax())
    return lost[first:].nonzero()[0] + first if there[first] else np.empty(0, np.intp)


def _about_tool_calls(assembly: Assembly) -> Iterator[Finding]:
    """Report tool results in the prompt without their call, and calls without their result."""
    calls, results = assembly.candidates.items.tool_pairs
    if not len(calls):
        return
    whole_call = assembly.action[calls] == int(Action.KEPT)
    result_there = assembly.in_prompt[results]
    alone = np.concatenate([results[result_there & ~whole_call], calls[whole_call & ~result_there]])
    if len(alone):
        noun = "message has" if len(alone) == 1 else "messages have"
        yield Finding(
            ORPHAN_TOOL_RESULT,
            f"{len(alone):,} {noun} a tool call without its result, or the reverse; most models refuse that.",
            np.unique(alone),
        )


_NAMED = 2


def retrieval_findings(case: Case, assembly: Assembly, duplicates: NearDuplicates | None) -> Iterator[Finding]:
    """Yield the findings about the retrieval of memories, as far as they are known."""
    if trouble := embedding_trouble(case, assembly.candidates):
        yield Finding(EMBEDDING_UNAVAILABLE, trouble)
    yield from _score_findings(assembly.candidates)
    if duplicates is not None:
        yield from duplicate_findings(assembly, duplicates)


def _score_findings(candidates: Candidates) -> Iterator[Finding]:
    rows = candidates.derived("contradicted scores", None, lambda: contradicted(candidates))
    if len(rows):
        those = counted(len(rows), "memory", plural="memories")
        message = f"The recorded scores of {those} rank the words of the query last; they may be distances."
        yield Finding(SCORE_DIRECTION, message, rows)


def embedding_trouble(case: Case, candidates: Candidates) -> str:
    """Return why words are compared although vectors are wanted; "" if none are wanted, or still in the making."""
    measure = candidates.measure
    if not compares_vectors(measure.way, measure.settings) or measure.vectors is not None:
        return ""
    if case.embedder is None or case.embedder.embedder is not None:
        return ""
    compared = np.isin(candidates.similarity_origin, (Origin.LEXICAL, Origin.FUSED)).any()
    return case.embedder.reason if compared else ""


def duplicate_findings(assembly: Assembly, found: NearDuplicates) -> Iterator[Finding]:
    """Yield a finding if open memories have nearly the same content: a warning for repeats in the prompt."""
    rows = found.grouped[assembly.candidates.open[found.grouped]]
    labels = found.labels[rows - found.first]
    sizes = np.bincount(labels, minlength=1)
    rows, labels = rows[sizes[labels] > 1], labels[sizes[labels] > 1]
    if not len(rows):
        return
    groups = int(np.count_nonzero(sizes > 1))
    inside = np.bincount(labels[assembly.in_prompt[rows]])
    repeated = int(np.maximum(inside - 1, 0).sum())
    message = f"{len(rows):,} memories say nearly the same: {_named(assembly, rows[labels == labels[0]])}."
    if groups > 1:
        first = _named(assembly, rows[labels == labels.min()])
        message = f"{groups:,} groups of {len(rows):,} memories say nearly the same; the first: {first}."
    paid = f" The prompt holds {repeated:,} of them beside the ones they repeat." if repeated else ""
    graded = None if repeated else "info"
    yield Finding(NEAR_DUPLICATE_MEMORIES, message + paid, rows, graded)


def _named(assembly: Assembly, rows: Rows) -> str:
    names = ", ".join(numbers_of(assembly.candidates, rows[:_NAMED].tolist()))
    return names + (", …" if len(rows) > _NAMED else "")


def recorded_findings(assembly: Assembly, found: RecordedTotal | None, estimated: bool) -> Iterator[Finding]:
    """Yield a finding about the recorded total of the request: a warning if it has less than is counted here."""
    if found is None or found.difference == 0:
        return
    sentence = recorded_sentence(found, assembly.candidates, estimated)
    row = np.array([found.request.answer], np.intp)
    yield Finding(RECORDED_REMAINDER, sentence, row, "warning" if found.is_less else None)


_BETWEEN = "\0"  # in no text: readers of files replace it


def secret_findings(workspace: Workspace, assembly: Assembly) -> Iterator[Finding]:
    """Yield a finding if items hold secrets. Texts are searched only if a secret was seen in a file."""
    if not any(problem.message.endswith(MASKED) for problem in workspace.problems):
        return
    items = assembly.candidates.items
    rows, kinds = items.derived("secrets", (), lambda: _secrets_of(items))
    takes_part = assembly.candidates.open[rows]
    holding, number = np.unique(rows[takes_part]), int(takes_part.sum())
    if number:
        what = f"{counted(len(holding), 'item')} {'holds' if len(holding) == 1 else 'hold'}"
        words = kinds_words(kind for kind, is_in in zip(kinds, takes_part, strict=True) if is_in)
        yield Finding(SECRET_MASKED, f"{what} {counted(number, 'secret')}: {words}.", holding)


def _secrets_of(items: ItemTexts) -> tuple[Rows, tuple[str, ...]]:
    """Return for each secret its row and its kind."""
    found = list(secrets_in(_BETWEEN.join(items.texts)))
    starts = np.cumsum([0, *(len(text) + 1 for text in items.texts)])
    rows = np.searchsorted(starts, [place for place, _ in found], side="right") - 1
    return rows.astype(np.intp), tuple(kind for _, kind in found)


_MADE_BY = {
    SummarySource.EXTRACTIVE: "by sentences chosen here",
    SummarySource.ENDPOINT: "by an endpoint",
}


def summary_findings(assembly: Assembly, scenario: Scenario, trouble: str) -> Iterator[Finding]:
    """Yield the findings about the summaries of a prompt. `trouble` is why some are unavailable, "" if none."""
    if trouble:
        yield Finding(SUMMARIES_UNAVAILABLE, trouble)
    if assembly.error is not None:
        return
    rows = summarized_messages(assembly)
    if scenario.summaries and not trouble and not len(rows):
        yield Finding(SUMMARIES_UNUSED, "No message is summarized here, so no summary is computed for one.")
    if not len(rows):
        return
    sources = assembly.candidates.items.standing.sources_of(rows)
    for source in COMPUTED:
        if len(computed := rows[sources == source]):
            message = f"{_messages(len(computed))} summarized {_MADE_BY[source]}, because the file has no summary."
            yield Finding(COMPUTED_SUMMARIES, message, computed)
    if len(longer := longer_summaries(assembly)):
        lost = int((assembly.spent[longer] - assembly.candidates.tokens[longer]).sum(dtype=np.int64))
        tokens = f"{lost:,} token{'' if lost == 1 else 's'}"
        message = f"{_messages(len(longer))} replaced by something longer: {tokens} more than the original."
        yield Finding(SUMMARY_LONGER, message, longer)


def summarized_messages(assembly: Assembly) -> Rows:
    """Return the rows of the messages replaced by a summary or a preview in the prompt."""
    if len(assembly.texts) == 1:  # nothing is shortened: most ticks of a slider end here
        return np.empty(0, np.intp)
    first = assembly.candidates.items.first_message
    is_summarized = assembly.action[first:] == int(Action.SUMMARIZED)
    is_whole = assembly.candidates.items.standing.sources == int(SummarySource.WHOLE)
    return np.flatnonzero(is_summarized & ~is_whole) + first


def longer_summaries(assembly: Assembly) -> Rows:
    """Return the rows of the summarized messages with a higher cost in this prompt than unchanged."""
    rows = summarized_messages(assembly)
    return rows[assembly.spent[rows] > assembly.candidates.tokens[rows]]


def _messages(count: int) -> str:
    return f"{count:,} message is" if count == 1 else f"{count:,} messages are"
