"""Every finding: declared once, there once where it is due, and gone where its advice is taken."""

import re
from dataclasses import dataclass
from typing import Any

import click
import numpy as np
import pytest
from building import answer_to, chat, codes, memories, pipeline_for, workspace
from findings_due import DUE, FITTING, TOOL_TALK

from inspector.assembly.answer import Answer, answer_value, planned_answer
from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.defaults import standard_layout
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.finding_kinds import FINDING_KINDS
from inspector.assembly.findings import findings_of
from inspector.assembly.ledger import Ledger
from inspector.assembly.marks import Marks
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import param, parameters_of
from inspector.assembly.preset import Preset
from inspector.assembly.presets import load_presets
from inspector.assembly.reasons import ALWAYS
from inspector.assembly.scenario import Scenario
from inspector.cli import group
from inspector.cli.loading import answer_for
from inspector.model import (
    Attachment,
    Character,
    Component,
    Document,
    Lorebook,
    LoreEntry,
    Message,
    Passage,
    PastSummary,
    Workspace,
)
from inspector.plugins import policies


def answer_of(found: Workspace, marks: Marks | None = None, **scenario: Any) -> Answer:
    """What the command line answers: everything counted, summarized and looked for."""
    pipeline = pipeline_for(found)
    pipeline.known.marks = marks or Marks()
    return answer_for(pipeline, Scenario(**{"tokenizer": "estimate:words", **scenario}), cached=False)


@pytest.mark.parametrize("kind", FINDING_KINDS, ids=lambda kind: kind.code)
def test_a_finding_is_there_once_where_it_is_due_and_gone_where_its_advice_is_taken(kind: FindingKind) -> None:
    due = DUE[kind]
    answer = answer_of(due.found, due.marks, **due.scenario)
    (finding,) = (finding for finding in answer.findings if finding.kind == kind)
    assert finding.message[-1] == "."
    assert finding.severity == kind.severity
    found, scenario = due.remedied
    remedied = answer_of(found, due.marks, **scenario)
    assert remedied.assembly.error is None
    assert kind.code not in codes(remedied)


def test_every_kind_has_a_title_of_its_own_that_fits_a_list() -> None:
    titles = [kind.title for kind in FINDING_KINDS]
    assert len(set(titles)) == len(titles)
    assert all(title[:1].isupper() and len(title) <= 40 and title[-1] != "." and "_" not in title for title in titles)


def test_a_kind_without_a_title_is_listed_by_its_meaning() -> None:
    assert FindingKind("mine", "info", "Something is odd.", "Do nothing.").short == "Something is odd"


def test_every_code_is_declared_once_and_every_declared_one_is_tried() -> None:
    known = [kind.code for kind in FINDING_KINDS]
    assert len(known) == len(set(known))
    assert [kind for kind in FINDING_KINDS if kind not in DUE] == []
    assert len(DUE) == len(FINDING_KINDS)


@dataclass(frozen=True)
class Lately:
    """A plug-in that keeps the newest messages, so many."""

    kept_lately: int = param(2, 0, 50, unit="messages", sizes="history")
    loose_ends: int = param(2, 0, 50)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        ledger = Ledger(candidates, window)
        ledger.keep(np.arange(len(candidates)), ALWAYS)
        return ledger.close(standard_layout("user"))


def test_advice_names_no_parameter_that_the_policy_does_not_declare() -> None:
    """Every policy, as it is and as each preset has it, through every finding."""
    presets = {**load_presets(), ("lately", "document"): Preset("Document", "", {})}
    pipeline = Pipeline(workspace(chat(3)), {**policies()[0], "lately": Lately}, presets)
    reported = [Finding(kind, "Found.") for kind in FINDING_KINDS]
    cases = [
        pipeline.case(Scenario(tokenizer="estimate:words", policy=policy, preset=preset)) for policy, preset in presets
    ]
    every = {parameter.name for case in cases for parameter in parameters_of(case.policy)}
    said: dict[str, str] = {}
    for case in cases:
        answer = planned_answer(pipeline, case)
        declared = {parameter.name for parameter in parameters_of(case.policy)}
        findings = findings_of(case, answer.assembly, answer.ledger, reported)
        said = {finding.code: finding.advice for finding in findings}
        for code, advice in said.items():
            words = set(re.findall(r"\w+_\w+|\w+(?==)", advice))
            assert words & every <= declared, (type(case.policy), code, advice)
            assert not set(advice) & set("{}[]"), advice
    assert "raise the limit of the conversation (kept_lately)" in said["empty_history"]
    assert said["budget_unused"].endswith("raise the limit of the conversation (kept_lately).")
    assert said["system_prompt_too_large"] == ""


@pytest.mark.parametrize("kind", FINDING_KINDS, ids=lambda kind: kind.code)
def test_meaning_and_advice_are_whole_sentences(kind: FindingKind) -> None:
    for text in (kind.meaning, kind.general_advice):
        assert text[0].isupper()
        assert text[-1] == "."
        assert 20 < len(text) <= 250


@pytest.mark.parametrize("kind", FINDING_KINDS, ids=lambda kind: kind.code)
def test_what_advice_names_is_there(kind: FindingKind) -> None:
    """Parameters with their choices, policies and options that an advice names are those of the program."""
    kinds_of_policies = [preset.kind(policies()[0][name]) for (name, _), preset in load_presets().items()]
    parameters = [parameter for policy in kinds_of_policies for parameter in parameters_of(policy)]
    names = {parameter.name for parameter in parameters} | set(policies()[0])
    assert set(re.findall(r"[a-z]+(?:_[a-z]+)+", kind.advice)) <= names
    for name, value in re.findall(r"(\w+)=(\w+)", kind.general_advice):
        assert any(value in parameter.choices for parameter in parameters if parameter.name == name)
    command = group.get_command(click.Context(group), "assemble")
    assert command is not None
    options = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"--[a-z-]+", kind.advice)) <= options


PLACES = {
    "passage": "window_rag",
    "document": "slots",
    "attachment": "slots",
    "summary": "adaptive",
    "memory": "ratio",
    "lore": "ratio",
}


@pytest.mark.parametrize(("thing", "policy"), PLACES.items())
def test_the_policies_that_are_advised_have_a_place_for_what_others_leave_out(thing: str, policy: str) -> None:
    left_out = {
        "passage": workspace(chat(2), passages=(Passage("p0", "w", "document"),)),
        "document": workspace(chat(2), documents=(Document("d0", "w"),)),
        "attachment": workspace(chat(2), attachments=(Attachment("f", "w"),)),
        "summary": workspace(chat(2), summaries=(PastSummary("s0", "w"),)),
        "memory": workspace(chat(2), memories(1)),
        "lore": workspace(chat(2), lorebooks=(Lorebook("b0", (LoreEntry("l0", "w", constant=True),)),)),
    }[thing]
    assert "not_placed" in codes(answer_to(left_out, policy="langchain_trim"))
    assert "not_placed" not in codes(answer_to(left_out, policy=policy))
    assert "not_placed" not in codes(answer_to(left_out, policy="naive"))


def test_a_policy_may_report_a_kind_of_its_own() -> None:
    """A plug-in declares it beside its rules, and the answer says it with its advice."""
    own = FindingKind("too_quiet", "warning", "Nobody says anything.", "Say something.")

    @dataclass(frozen=True)
    class Quiet:
        def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
            ledger = Ledger(candidates, window)
            rows = np.arange(len(candidates))
            ledger.keep(rows, ALWAYS)
            ledger.report(own, "It is quiet in here.", rows[:1])
            return ledger.close(standard_layout("user"))

    pipeline = Pipeline(workspace(chat(1, 1)), {"quiet": Quiet}, {})
    answer = planned_answer(pipeline, pipeline.case(Scenario(policy="quiet", tokenizer="estimate:words")))
    assert answer.assembly.error is None
    (value,) = (found for found in answer_value(answer)["findings"] if found["code"] == "too_quiet")
    assert value == {
        "code": "too_quiet",
        "severity": "warning",
        "message": "It is quiet in here.",
        "advice": "Say something.",
        "items": ["m0"],
    }


def test_a_gap_names_the_lost_messages_and_no_others() -> None:
    answer = answer_to(
        workspace(chat(9, 9, 9, 9, 9)),
        context_window=60,
        pinned=("m1",),
        parameters={"min_exchanges": 1},
    )
    gap = next(finding for finding in answer.findings if finding.code == "history_gap")
    assert [answer.assembly.candidates.ids[row] for row in gap.rows] == ["m2", "m3"]


@pytest.mark.parametrize("around", [{"excluded": ("m1",)}, {"at": 2}])
def test_excluded_and_later_messages_make_no_gap(around: dict[str, Any]) -> None:
    assert "history_gap" not in codes(answer_to(workspace(chat(2, 2, 2)), **around))


def test_a_call_without_its_result_is_an_orphan_too() -> None:
    answer = answer_to(TOOL_TALK, excluded=("m2",))
    orphan = next(finding for finding in answer.findings if finding.code == "orphan_tool_result")
    assert [answer.assembly.candidates.ids[row] for row in orphan.rows] == ["m1"]


def test_findings_come_errors_first() -> None:
    answer = answer_to(FITTING, policy="naive", context_window=50, model="nobody-knows-1")
    order = [finding.severity for finding in answer.findings]
    assert order == sorted(order, key=["error", "warning", "info"].index)
    assert order[0] == "error"


def test_over_window_counts_the_overhead_and_the_reserve() -> None:
    found = workspace(chat(10))
    total = answer_to(found, policy="naive", context_window=1000).ledger.total
    assert total > 10
    assert "over_window" not in codes(answer_to(found, policy="naive", context_window=total))
    assert "over_window" in codes(answer_to(found, policy="naive", context_window=total - 1))


def test_a_quarter_of_the_window_may_stay_free() -> None:
    found = workspace(chat(10))
    total = answer_to(found, policy="naive", context_window=1000).ledger.total
    most = total * 4 // 3
    assert "budget_unused" not in codes(answer_to(found, policy="naive", context_window=most))
    assert "budget_unused" in codes(answer_to(found, policy="naive", context_window=most + 1))


def test_what_is_not_counted_yet_is_said_and_what_the_file_records_is_known() -> None:
    told = [Message("m0", "user", "w w", tokens=5), Message("m1", "user", "w w w")]
    pipeline = pipeline_for(workspace(told))
    answer = planned_answer(pipeline, pipeline.case(Scenario()))
    assert answer.assembly.candidates.exact.tolist() == [True, False]
    assert next(f.message for f in answer.findings if f.code == "estimated_counts").startswith("1 item")


def test_switched_off_components_are_filtered_without_a_finding() -> None:
    parts = (Component("c0", "note", "w", 1, condition=False), Component("c1", "note", "  ", 2))
    answer = answer_to(workspace(chat(2), character=Character("n", system_prompt="w", components=parts)))
    assert "not_placed" not in codes(answer)
