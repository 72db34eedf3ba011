"""The answer to a scenario: an assembly with its ledger and findings, and its JSON value."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from inspector.assembly.case import Case
from inspector.assembly.columns import Rows, Section, word
from inspector.assembly.compaction import END, Event, summary_id
from inspector.assembly.decisions import NO_ROW, Assembly, Finding, listed_compactions
from inspector.assembly.findings import (
    findings_of,
    recorded_findings,
    retrieval_findings,
    secret_findings,
    status_of,
    summary_findings,
)
from inspector.assembly.item_tables import ITEM_COLUMNS, picked
from inspector.assembly.lacking import MOST_MEMORIES, Progress, duplicate_work, make_all, make_here
from inspector.assembly.marks import Marks, mark_findings
from inspector.assembly.model_choice import ChosenModel
from inspector.assembly.own_policy import approximation_findings
from inspector.assembly.part_costs import part_values, parts_of
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import as_in_files, parameters_in_use
from inspector.assembly.recorded_requests import RecordedTotal, recorded_sentence, recorded_total, request_shown
from inspector.assembly.relevance import NearDuplicates
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import SCENARIO_FORMAT, Scenario, scenario_value
from inspector.assembly.summary_items import compaction_value
from inspector.assembly.token_ledger import NOT_MEASURED, TokenLedger, measured_ledger, planned_ledger
from inspector.model import Tool
from inspector.tables import Column, Kind, records
from inspector.tokens.cache import CountCache
from inspector.tokens.chat.format import ChatFormat

ASSEMBLY_FORMAT = "prompt-inspector/assembly@1"


@dataclass(frozen=True, eq=False)
class Answer:
    """An assembly for a model, with its ledger, planned or measured, and its findings.

    `heard` holds the further inputs of the findings, `recorded` the recorded total of the request, None without one.
    """

    case: Case
    assembly: Assembly
    ledger: TokenLedger
    findings: tuple[Finding, ...]
    status: str
    heard: "Heard"
    recorded: RecordedTotal | None = None

    @property
    def scenario(self) -> Scenario:
        """The answered scenario."""
        return self.case.scenario

    @property
    def model(self) -> ChosenModel:
        """The model for which the prompt is made."""
        return self.case.model

    @property
    def free(self) -> int:
        """Tokens of the window left by prompt and reserve, including the safety margin; below 0 the excess."""
        return self.assembly.budget.free(self.ledger.total)

    @property
    def remainder(self) -> int:
        """Tokens of the recorded request that are not in the file, beside the prompt; 0 where none are known."""
        return 0 if self.recorded is None else self.recorded.remainder

    @property
    def room(self) -> int:
        """What is free beside the remainder of the recorded request; below 0 the excess."""
        return self.free - self.remainder


@dataclass(frozen=True)
class Heard:
    """The inputs of findings besides the assembly.

    Near-duplicates, the reason why summaries are unavailable ("" if none), and the marks of the user.
    """

    duplicates: NearDuplicates | None
    trouble: str
    marks: Marks


def planned_answer(pipeline: Pipeline, case: Case) -> Answer:
    """Assemble from everything known so far, without touching any text."""
    assembly = pipeline.assemble(case)
    return answer_with(pipeline, case, assembly, planned_ledger(assembly, *ledger_terms(case)))


def complete_answer(
    pipeline: Pipeline,
    scenario: Scenario,
    cache: CountCache | None = None,
    on_progress: Progress | None = None,
    *,
    finds_duplicates: bool = False,
) -> Answer:
    """Return the measured answer to a scenario, computing everything missing here and now.

    With `finds_duplicates`, search for memories with nearly the same content, unless there are too many. Raise
    ScenarioError and UnknownTokenizerError.
    """
    case = make_all(pipeline, scenario, cache, on_progress)
    if finds_duplicates and (search := duplicate_work(pipeline, pipeline.candidates(case), MOST_MEMORIES)):
        make_here(search)
    assembly = pipeline.assemble(case)
    return answer_with(pipeline, case, assembly, measured_ledger(assembly, *ledger_terms(case)))


def ledger_terms(case: Case) -> tuple[ChatFormat, tuple[Tool, ...]]:
    """Return the inputs of a ledger besides the assembly: the chat format and the tools."""
    return case.model.chat_format, case.chosen.parts.tools


def measured(pipeline: Pipeline, answer: Answer) -> Answer:
    """Return the same answer with the ledger counted on the texts of the prompt."""
    return with_ledger(pipeline, answer, measured_ledger(answer.assembly, *ledger_terms(answer.case)))


def with_ledger(pipeline: Pipeline, answer: Answer, ledger: TokenLedger) -> Answer:
    """Return the same answer with another ledger and its findings."""
    return answer_with(pipeline, answer.case, answer.assembly, ledger)


def leaving(pipeline: Pipeline, answer: Answer, reply: int | None) -> Answer:
    """Return the same answer where so many tokens are left for the reply, with its findings; None changes nothing."""
    if reply is None:
        return answer
    assembly = replace(answer.assembly, budget=answer.assembly.budget.leaving(reply))
    return answer_with(pipeline, answer.case, assembly, answer.ledger)


def answer_with(pipeline: Pipeline, case: Case, assembly: Assembly, ledger: TokenLedger) -> Answer:
    """Return the answer for an assembly and an existing ledger, with their findings."""
    heard = _heard(pipeline, case, assembly)
    found = [
        *retrieval_findings(case, assembly, heard.duplicates),
        *summary_findings(assembly, case.scenario, heard.trouble),
        *mark_findings(assembly, heard.marks),
        *secret_findings(pipeline.workspace, assembly),
        *approximation_findings(pipeline.workspace, case.chosen.conversation, case.scenario.policy or ""),
    ]
    recorded = _recorded(pipeline, case, assembly, ledger)
    found += recorded_findings(assembly, recorded, ledger.estimated)
    findings = findings_of(case, assembly, ledger, found, 0 if recorded is None else recorded.remainder)
    return Answer(case, assembly, ledger, findings, status_of(assembly, findings), heard, recorded)


def _recorded(pipeline: Pipeline, case: Case, assembly: Assembly, ledger: TokenLedger) -> RecordedTotal | None:
    """Return the recorded total of the request shown, None if the file records none."""
    request = request_shown(assembly)
    if request is None:
        return None
    models, name = pipeline.choices.models, case.model.name
    terms = request.model, name
    is_same = assembly.candidates.items.derived("same model", terms, lambda: models.are_same(*terms))
    otherwise = "" if is_same or not request.model else f"it was sent to {request.model}"
    tools = bool(case.chosen.parts.tools)
    return recorded_total(assembly, request, ledger, otherwise=otherwise, has_tools=tools)


def _heard(pipeline: Pipeline, case: Case, assembly: Assembly) -> Heard:
    known = pipeline.known
    duplicates = known.duplicates.known(assembly.candidates)
    return Heard(duplicates, known.summarizing.trouble(case.scenario, case.summarizer), known.marks)


def is_current(pipeline: Pipeline, answer: Answer) -> bool:
    """Return whether the assembly is up to date: no thread has since added knowledge on which it depends."""
    case = pipeline.case(answer.scenario)
    return case is answer.case and pipeline.candidates(case) is answer.assembly.candidates


def says_all(pipeline: Pipeline, answer: Answer) -> bool:
    """Return whether the findings of a current answer would be the same now."""
    return answer.heard == _heard(pipeline, answer.case, answer.assembly)


def answer_value(answer: Answer, name: str = "") -> dict[str, Any]:
    """Return the answer as JSON: every item once, in prompt order, with the ledger and the findings."""
    written = written_answer(answer, name)
    return {key: list(value) if isinstance(value, Iterator) else value for key, value in written.items()}


def written_answer(answer: Answer, name: str = "") -> dict[str, Any]:
    """Return the same with iterators for its items and messages, which are then made as they are written."""
    assembly, ids = answer.assembly, answer.assembly.candidates.ids
    error = assembly.error
    return {
        "format": ASSEMBLY_FORMAT,
        "name": name,
        "scenario": resolved_scenario(answer),
        "status": answer.status,
        "error": None if error is None else {"code": error.code, "message": error.message},
        "budget": budget_value(assembly),
        "items": item_values(answer),
        **({} if not assembly.events else {"events": [event_value(event, ids) for event in assembly.events]}),
        "messages": (
            {
                "role": message.role,
                "content": message.content,
                **({"name": message.name} if message.name else {}),
                "items": [ids[row] for row in message.rows],
            }
            for message in prompt_messages(assembly)
        ),
        "ledger": _ledger_value(answer.ledger),
        **({} if answer.recorded is None else {"recorded": recorded_value(answer, answer.recorded)}),
        "findings": [finding_value(finding, ids) for finding in answer.findings],
    }


def resolved_scenario(answer: Answer) -> dict[str, Any]:
    """Return the scenario with every default filled in: the choices made, and every parameter with its value."""
    case, chosen, model = answer.case, answer.case.chosen, answer.model
    character = chosen.parts.character
    value = {
        **scenario_value(case.scenario, None),
        "format": SCENARIO_FORMAT,
        "conversation": chosen.conversation.id if chosen.conversation else None,
        "character": character.id if character else None,
        "memory_sets": [memories.id for memories in chosen.parts.memory_sets],
        "model": model.name,
        "tokenizer": model.tokenizer.tokenizer.name,
        "tokenizer_reason": model.tokenizer.reason,
        "context_window": model.window.tokens,
        "query": answer.assembly.candidates.query,
        "policy": case.policy_name,
        "preset": case.preset_name,
    }
    if case.policy is None:
        return value
    return {**value, "parameters": as_in_files(type(case.policy), parameters_in_use(case.policy))}


def budget_value(assembly: Assembly) -> dict[str, Any]:
    """Return the budget as JSON, with the tokens used by each section."""
    budget = assembly.budget
    present = set(np.unique(assembly.section[assembly.in_prompt]).tolist()) | {
        int(section) for section in budget.sections
    }
    sections = {}
    for number in sorted(present):
        section = Section(number)
        limits = budget.sections.get(section)
        sections[word(section)] = {
            "limit": limits.limit if limits else None,
            "used": int(assembly.used[section]),
            "borrowed": limits.borrowed if limits else 0,
        }
    return {
        "context_window": budget.context_window,
        "available": budget.available,
        "response_reserve": budget.response_reserve,
        "safety_margin": budget.safety_margin,
        "sections": sections,
    }


_KEYS = (
    *("id", "section", "action", "reason", "tokens", "spent", "counted", "rank", "left", "score"),
    *("certainty", "class"),
)


def item_values(answer: Answer) -> Iterator[dict[str, Any]]:
    """What happened to each candidate, in prompt order, as JSON has it; class and parts only where it has them."""
    assembly, media = answer.assembly, answer.model.media
    candidates = assembly.candidates
    has_classes = assembly.classes is not None
    columns = picked(_KEYS if has_classes else _KEYS[:-1], (*ITEM_COLUMNS, _counted(answer.ledger)))
    rows = assembly.order.tolist()
    told = listed_compactions(assembly)
    yield from _summary_values(assembly, told.get(NO_ROW))
    for row, value in zip(rows, records(columns, assembly, rows), strict=True):
        if has_classes and value["class"] is None:
            del value["class"]
        if assembly.into is not None and (number := int(assembly.into[row])):
            value = {**value, "into": summary_id(number)}
        yield {**value, "parts": part_values(candidates, media, row)} if parts_of(candidates, row) else value
        yield from _summary_values(assembly, told.get(row))


def _summary_values(assembly: Assembly, numbers: Rows | None) -> Iterator[dict[str, Any]]:
    places = [] if numbers is None else (numbers - 1).tolist()
    return (compaction_value(assembly.compactions[place]) for place in places)


def event_value(event: Event, ids: Sequence[str]) -> dict[str, Any]:
    """Return a moment at which the program shortened its list as JSON."""
    at = "end" if event.row == END else ids[event.row]
    value: dict[str, Any] = {"at": at, "kind": event.kind, "before": event.before, "after": event.after}
    if event.range is not None:
        value["range"] = list(event.range)
    if event.rows:
        value |= {"tokens": event.tokens, "count": len(event.rows), "items": [ids[row] for row in event.rows]}
    return value


def _counted(ledger: TokenLedger) -> Column[Assembly]:
    counts = ledger.counted

    def value(_: Assembly, row: int) -> int | None:
        return None if counts is None or counts[row] == NOT_MEASURED else int(counts[row])

    return Column("counted", "Counted", "Its tokens in the finished prompt", value, kind=Kind.TOKENS)


def _ledger_value(ledger: TokenLedger) -> dict[str, Any]:
    return {
        "items": ledger.items,
        "overhead": ledger.overhead,
        "lines": [
            {"name": line.name, "tokens": line.tokens, "certainty": line.cost.certainty.word} for line in ledger.lines
        ],
        "total": ledger.total,
        "rendered": ledger.rendered,
        "residual": ledger.residual,
        "drift": ledger.drift,
        "exact": ledger.exact,
        "certainty": ledger.certainty.word,
        "low": ledger.cost.low,
        "high": ledger.cost.high,
        "tokenizer": ledger.tokenizer,
    }


def recorded_value(answer: Answer, found: RecordedTotal) -> dict[str, Any]:
    """Return the recorded usage of the request shown as JSON; an answer has none where the file records none.

    `counted` and `remainder` are null where the prompt here is not that of the request; `words` says it all.
    """
    usage, candidates = found.usage, answer.assembly.candidates
    return {
        "answer_item": candidates.ids[found.request.answer],
        "model": found.request.model or None,
        "prompt": usage.prompt,
        "fresh": usage.fresh,
        "cached": usage.cached,
        "written": usage.written,
        "thoughts": usage.thoughts,
        "answer": usage.answer,
        "counted": found.counted,
        "low": None if found.counted is None else found.low,
        "high": None if found.counted is None else found.high,
        "later": None if found.counted is None else found.later,
        "remainder": found.difference,
        "calibration": None if found.calibration is None else asdict(found.calibration),
        "words": recorded_sentence(found, candidates, answer.ledger.estimated),
    }


def finding_value(finding: Finding, ids: Sequence[str]) -> dict[str, Any]:
    """Return a finding as JSON, with the ids of its items."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "advice": finding.advice,
        "items": [ids[row] for row in finding.rows.tolist()],
    }
