"""The answer to a scenario: an assembly with its ledger and findings, and its JSON value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.assembly.case import Case
from inspector.assembly.columns import Section, word
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.findings import findings_of, status_of
from inspector.assembly.item_tables import ITEM_COLUMNS, picked
from inspector.assembly.lacking import MOST_MEMORIES, Progress, duplicate_work, make_all, make_here
from inspector.assembly.marks import Marks, mark_findings
from inspector.assembly.model_choice import ChosenModel
from inspector.assembly.near_duplicates import NearDuplicates
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameter_values
from inspector.assembly.render import prompt_messages
from inspector.assembly.retrieval_findings import retrieval_findings
from inspector.assembly.scenario import SCENARIO_FORMAT, Scenario, scenario_value
from inspector.assembly.secret_findings import secret_findings
from inspector.assembly.summary_findings import summary_findings
from inspector.assembly.token_ledger import NOT_MEASURED, TokenLedger, measured_ledger, planned_ledger
from inspector.model import Tool
from inspector.tables import Column, Kind, Value, records
from inspector.tokens.cache import CountCache
from inspector.tokens.chat.format import ChatFormat

ASSEMBLY_FORMAT = "prompt-inspector/assembly@1"


@dataclass(frozen=True, eq=False)
class Answer:
    """An assembly for a model and what is said of it. `ledger` is planned or measured; findings follow from it.

    `heard` is what was known besides when the findings were made.
    """

    case: Case
    assembly: Assembly
    ledger: TokenLedger
    findings: tuple[Finding, ...]
    status: str
    heard: "Heard"

    @property
    def scenario(self) -> Scenario:
        """The scenario that is answered."""
        return self.case.scenario

    @property
    def model(self) -> ChosenModel:
        """The model that the prompt is for."""
        return self.case.model

    @property
    def free(self) -> int:
        """Tokens of the window that prompt and reserve leave, a safety margin included; below 0 what is over it."""
        return self.assembly.budget.free(self.ledger.total)


@dataclass(frozen=True)
class Heard:
    """What findings follow from besides the assembly.

    Near-duplicates, why summaries cannot be had ("" if not), and what a person marked.
    """

    duplicates: NearDuplicates | None
    trouble: str
    marks: Marks


def planned_answer(pipeline: Pipeline, case: Case) -> Answer:
    """Assemble with everything that is known, touching no text."""
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
    """The measured answer to a scenario, with everything that it lacks made here and now.

    With `finds_duplicates`, memories that say nearly the same are looked for where they are not too many. Raises
    ScenarioError and UnknownTokenizerError.
    """
    case = make_all(pipeline, scenario, cache, on_progress)
    if finds_duplicates and (search := duplicate_work(pipeline, pipeline.candidates(case), MOST_MEMORIES)):
        make_here(search)
    assembly = pipeline.assemble(case)
    return answer_with(pipeline, case, assembly, measured_ledger(assembly, *ledger_terms(case)))


def ledger_terms(case: Case) -> tuple[ChatFormat, tuple[Tool, ...], bool]:
    """What a ledger is made with besides the assembly: chat format, tools, and whether both count exactly."""
    model = case.model
    return model.chat_format, case.chosen.parts.tools, model.tokenizer.exact and model.chat_format.published


def measured(pipeline: Pipeline, answer: Answer) -> Answer:
    """The same answer with the ledger counted on the texts of the prompt."""
    return with_ledger(pipeline, answer, measured_ledger(answer.assembly, *ledger_terms(answer.case)))


def with_ledger(pipeline: Pipeline, answer: Answer, ledger: TokenLedger) -> Answer:
    """The same answer with another ledger and the findings that follow from it."""
    return answer_with(pipeline, answer.case, answer.assembly, ledger)


def answer_with(pipeline: Pipeline, case: Case, assembly: Assembly, ledger: TokenLedger) -> Answer:
    """The answer of an assembly with a ledger that is there, and the findings that follow from both."""
    heard = _heard(pipeline, case, assembly)
    found = [
        *retrieval_findings(case, assembly, heard.duplicates),
        *summary_findings(assembly, case.scenario, heard.trouble),
        *mark_findings(assembly, heard.marks),
        *secret_findings(pipeline.workspace, assembly),
    ]
    findings = findings_of(case, assembly, ledger, found)
    return Answer(case, assembly, ledger, findings, status_of(assembly, findings), heard)


def _heard(pipeline: Pipeline, case: Case, assembly: Assembly) -> Heard:
    known = pipeline.known
    duplicates = known.duplicates.known(assembly.candidates)
    return Heard(duplicates, known.summarizing.trouble(case.scenario, case.summarizer), known.marks)


def is_current(pipeline: Pipeline, answer: Answer) -> bool:
    """Whether the assembly would be made from the same now: nothing that decides it became known since, by anybody."""
    case = pipeline.case(answer.scenario)
    return case is answer.case and pipeline.candidates(case) is answer.assembly.candidates


def says_all(pipeline: Pipeline, answer: Answer) -> bool:
    """Whether the findings of a current answer would be the same now."""
    return answer.heard == _heard(pipeline, answer.case, answer.assembly)


def answer_value(answer: Answer, name: str = "") -> dict[str, Any]:
    """The answer as JSON has it: every item once, in prompt order, with the ledger and the findings."""
    assembly, ids = answer.assembly, answer.assembly.candidates.ids
    error = assembly.error
    return {
        "format": ASSEMBLY_FORMAT,
        "name": name,
        "scenario": resolved_scenario(answer),
        "status": answer.status,
        "error": None if error is None else {"code": error.code, "message": error.message},
        "budget": budget_value(assembly),
        "items": list(item_values(answer)),
        "messages": [
            {
                "role": message.role,
                "content": message.content,
                **({"name": message.name} if message.name else {}),
                "items": [ids[row] for row in message.rows],
            }
            for message in prompt_messages(assembly)
        ],
        "ledger": _ledger_value(answer.ledger),
        "findings": [finding_value(finding, ids) for finding in answer.findings],
    }


def resolved_scenario(answer: Answer) -> dict[str, Any]:
    """The scenario with every default filled in: what was chosen, and every parameter with its value."""
    case, chosen, model = answer.case, answer.case.chosen, answer.model
    character = chosen.parts.character
    value = {
        **scenario_value(case.scenario),
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
    return value if case.policy is None else {**value, "parameters": parameter_values(case.policy)}


def budget_value(assembly: Assembly) -> dict[str, Any]:
    """The budget as JSON has it, with what each section used of it."""
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


_KEYS = ("id", "section", "action", "reason", "tokens", "spent", "counted", "rank", "left", "score", "class")


def item_values(answer: Answer) -> Iterator[dict[str, Value]]:
    """What happened to each candidate, in prompt order, as JSON has it; a class only where it has one."""
    assembly = answer.assembly
    has_classes = assembly.classes is not None
    columns = picked(_KEYS if has_classes else _KEYS[:-1], (*ITEM_COLUMNS, _counted(answer.ledger)))
    for value in records(columns, assembly, assembly.order.tolist()):
        if has_classes and value["class"] is None:
            del value["class"]
        yield value


def _counted(ledger: TokenLedger) -> Column[Assembly]:
    counts = ledger.counted

    def value(_: Assembly, row: int) -> int | None:
        return None if counts is None or counts[row] == NOT_MEASURED else int(counts[row])

    return Column("counted", "Counted", "Its tokens in the finished prompt", value, kind=Kind.TOKENS)


def _ledger_value(ledger: TokenLedger) -> dict[str, Any]:
    return {
        "items": ledger.items,
        "overhead": ledger.overhead,
        "lines": [{"name": line.name, "tokens": line.tokens} for line in ledger.lines],
        "total": ledger.total,
        "rendered": ledger.rendered,
        "residual": ledger.residual,
        "drift": ledger.drift,
        "exact": ledger.exact,
        "tokenizer": ledger.tokenizer,
    }


def finding_value(finding: Finding, ids: Sequence[str]) -> dict[str, Any]:
    """A finding as JSON has it, with the ids of its items."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "advice": finding.advice,
        "items": [ids[row] for row in finding.rows.tolist()],
    }
