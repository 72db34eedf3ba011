"""Chat templates of strangers in a pipeline: nothing that somebody waits for renders one, and nobody waits for ever."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from building import chat, workspace
from numpy.typing import NDArray

from inspector.assembly.answer import Answer, complete_answer, ledger_terms, measured, planned_answer
from inspector.assembly.lacking import first_lacking, make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.token_ledger import TokenLedger, planned_ledger
from inspector.model import Message, Tool
from inspector.plugins import policies
from inspector.tokens.chat import processes
from inspector.tokens.chat.messages import ChatTemplate
from inspector.tokens.chat.process import Limits
from inspector.tokens.chat.processes import TemplateProcesses

FRIENDLY = (
    "{% if tools %}tools {{ tools | tojson }} {% endif %}"
    "{% for m in messages %}{{ m.role }} {{ m.name or 'nobody' }} says {{ m.content }} . {% endfor %}and now you"
)
ENDLESS = "{% set many = range(99999) | list %}{% for a in many %}{% for b in many %}{% endfor %}{% endfor %}"
WANTED = Scenario(tokenizer="own:it", context_window=1_000)
FOUND = workspace((*chat(3, 4, 5), Message("ada", "user", "so what now", name="Ada")), tools=(Tool({"name": "look"}),))


class WithTemplate:
    """Counts words, and comes with a chat template."""

    name, fingerprint, exact = "own:it", "own:it@1", True

    def __init__(self, source: str) -> None:
        self.chat_template = ChatTemplate("own", source)

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        return np.array([len(text.split()) for text in texts], np.int32)

    def first(self, text: str, limit: int) -> str:
        return " ".join(text.split()[:limit])

    def spans(self, text: str) -> None:
        return None


def pipeline_with(source: str) -> Pipeline:
    tokenizer = WithTemplate(source)
    return Pipeline(FOUND, policies()[0], load_presets(), tokenizers={"own": lambda _: tokenizer})


def lines(answer: Answer) -> dict[str, int]:
    return {line.name: line.tokens for line in answer.ledger.lines}


def planned(answer: Answer) -> TokenLedger:
    """The ledger of an answer, with a tokenizer and a template that are those of the model."""
    assembly = replace(answer.assembly, candidates=replace(answer.assembly.candidates, is_own=True))
    return planned_ledger(assembly, *ledger_terms(answer.case))


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> None:
    made = TemplateProcesses(Limits(seconds=0.2))
    monkeypatch.setattr(processes, "_processes", lambda: made)


def test_whoever_waits_for_a_plan_waits_for_no_template(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "render_apart", None)
    pipeline = pipeline_with(FRIENDLY)
    answer = planned_answer(pipeline, pipeline.case(WANTED))
    assert lines(answer)["chat template"] == 4 * 3  # as ChatML
    assert not planned(answer).exact


def test_what_a_template_adds_is_lacking_until_it_is_measured() -> None:
    pipeline = pipeline_with(FRIENDLY)
    before = planned_answer(pipeline, pipeline.case(WANTED))
    case = make_all(pipeline, WANTED)
    assert first_lacking(pipeline, case) is None
    after = planned_answer(pipeline, case)
    assert after.assembly.candidates.frame_tokens.tolist() == [4, 4, 4, 4]
    assert after.assembly.candidates.frame_tokens is not before.assembly.candidates.frame_tokens
    assert planned(after).exact
    assert after.ledger.total == measured(pipeline, after).ledger.total == measured(pipeline, after).ledger.rendered


def test_work_on_a_template_says_what_it_is_and_how_far() -> None:
    pipeline, told = pipeline_with(FRIENDLY), list[tuple[str, float]]()
    make_all(pipeline, WANTED, on_progress=lambda work, share: told.append((work.title, round(share, 2))))
    assert [share for title, share in told if title == "Measuring the chat template"] == [
        round(done / 9, 2) for done in range(1, 10)
    ]


@pytest.mark.usefixtures("hostile")
def test_a_template_without_an_end_is_given_up_and_a_finding_says_so() -> None:
    pipeline = pipeline_with(ENDLESS)
    answer = complete_answer(pipeline, WANTED)
    assert first_lacking(pipeline, answer.case) is None
    said = [finding.message for finding in answer.findings if finding.code == "template_refused"]
    assert said == ["The model's chat template refuses this prompt: it took too long. chatml stands in."]
    assert answer.ledger.residual == 0
    assert not planned(answer).exact
