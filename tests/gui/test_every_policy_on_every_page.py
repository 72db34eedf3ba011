"""Every policy that ships on every page that asks about policies, twice each in one window: pages agree with prompts.

Each policy stands at a setting at which it drops, cuts or summarizes something, or refuses: then the pages say why.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.recall.ask import mean_of, recalls
from inspector.analysis.survival.stretches import Outcome
from inspector.assembly.answer import planned_answer
from inspector.assembly.columns import Fate
from inspector.assembly.contenders import Contender
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import use_policy
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario
from inspector.assembly.side_choice import NOW, policy_choice
from inspector.cli.loading import pipeline_of
from inspector.figures import percentage
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.parts.slider import ParameterSlider
from inspector.gui.screens.details.cards import NOTHING, SEARCHING
from inspector.gui.screens.replay.lanes import COMPACTIONS
from inspector.gui.screens.side_by_side.model import side_tip
from inspector.model import Call, Conversation, Message, Probe, Result, Text, Workspace
from inspector.plugins import policies
from tests.examples import cases

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ACTING: dict[str, dict[str, Any]] = {
    "naive": {},
    "ratio": {},
    "adaptive": {"max_tokens": 300, "response_reserve": 0},
    "reserve": {},
    "window_rag": {"total_limit": 300, "history_budget": 200},
    "slots": {"history_slot": 200, "response_slot": 50},
    "langchain_trim": {"max_tokens": 300},
    "llamaindex_buffer": {"token_limit": 300},
    "semantic_kernel_truncation": {"target_count": 8},
    "priority": {"token_limit": 300},
    "sillytavern": {"context_size": 400, "response_length": 50},
    "sillytavern_text": {"context_size": 400, "response_length": 50},
    "ollama": {"num_ctx": 400},
    "llamacpp": {"n_ctx": 400},
    "text_generation_webui": {"truncation_length": 400, "max_new_tokens": 50},
    "koboldcpp": {"context_size": 400, "max_length": 50},
    "open_webui": {"token_threshold": 200},
    "librechat": {"max_context_tokens": 400},
    "jan": {"max_context_tokens": 400, "max_output_tokens": 50},
    "vllm": {"max_model_len": 400},
    "codex_compact": {"user_message_tokens": 40, "summary_size": 30},
    "gemini_compress": {"summary_size": 30},
    "cline_truncate": {},
    "cline_compact": {"preserve_recent_tokens": 60, "summary_size": 30},
    "opencode_compact": {"summary_size": 30},
    "anthropic_context_editing": {"trigger_input_tokens": 200, "keep": 1},
    "anthropic_compaction": {"trigger": 300, "summary_size": 30},
    "langchain_summarize": {"trigger_kind": "tokens", "trigger_tokens": 300},
    "langchain_clear_tools": {"trigger": 200, "keep": 1},
    "roo_context": {"summary_size": 30},
    "openhands_condenser": {"max_size": 10, "summary_size": 30},
    "llamaindex_summary_buffer": {"token_limit": 200},
    "semantic_kernel_summarization": {"target_count": 8, "summary_size": 30},
    "letta_buffer": {"buffer_limit": 10, "buffer_min": 4},
    "aider_summary": {"max_tokens": 200},
    "continue_prune": {"max_tokens": 50},
}
"""Settings at which a policy acts on the chat below, in a window of 500."""
KEEPS_ALL, REFUSES = ("naive", "reserve"), ("llamacpp", "vllm")
WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
WINDOW = "context_window"
ROUNDS = 2
_LOW, _HIGH = 50, 4_000


def message(number: int) -> Message:
    text = f"word{number} " + " ".join(WORDS[(number + step) % 10] for step in range(20 + number % 7))
    if number % 6 == 3:
        return Message(f"m{number}", "assistant", parts=(Text(text), Call(f"c{number}", "look", '{"at": "sea"}')))
    if number % 6 == 4:
        return Message(f"m{number}", "tool", parts=(Result(f"c{number - 1}", content=f"{text} {text}"),))
    return Message(f"m{number}", "assistant" if number % 6 in (1, 5) else "user", text)


def workspace() -> Workspace:
    probes = (Probe(f"q{n}", (f"m{n}",), "c", query=f"word{n}?") for n in (2, 14, 26, 38))
    return Workspace((Conversation("c", tuple(map(message, range(40)))),), probes=tuple(probes))


def scenario_of(policy: str) -> Scenario:
    return Scenario(
        policy=policy,
        parameters=ACTING[policy],
        tokenizer="estimate:words",
        similarity="lexical",
        context_window=500,
        conversation="c",
    )


class Visitor:
    """A window with a policy at work, and the two rounds in which each page is looked at."""

    def __init__(self, window: MainWindow, qtbot: QtBot, policy: str) -> None:
        self.window, self.session, self.policy = window, window.session, policy
        self._qtbot = qtbot
        self.session.show_workspace(workspace(), scenario_of(policy))
        self.rest()

    def rounds(self) -> Iterator[int]:
        """The same setting twice, with another policy between them, which is undone."""
        for number in range(ROUNDS):
            if number:
                self.session.edit(use_policy, "ratio" if self.policy != "ratio" else "naive")
                self.rest()
                self.session.undo_stack.undo()
                self.rest()
            yield number

    def show(self, name: str) -> Any:
        self.window.show_screen(name)
        self.rest()
        assert not self.window.screens[name].has_failed
        return self.window.screens[name].view

    def press(self, view: QWidget, name: str) -> None:
        button = view.findChild(QPushButton, name)
        assert isinstance(button, QPushButton)
        self._qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        self.rest()

    def rest(self) -> None:
        self.session.flush()
        self._qtbot.waitUntil(
            lambda: self.session.is_ready and not self.session.tasks.is_running() and not self._is_asking()
        )

    def wait(self, until: Callable[[], bool]) -> None:
        self.rest()
        self._qtbot.waitUntil(until)
        self.rest()

    def _is_asking(self) -> bool:
        return any(view.is_in_sight and view.is_waiting for view in self.window.findChildren(AskingView))

    @property
    def assembly(self) -> Assembly:
        assembly = self.session.assembly
        assert assembly is not None
        return assembly

    def alone(self, **other: Any) -> Assembly:
        """The prompt of the scenario with other values, by a pipeline that knows nothing of the program's window."""
        pipeline = self.session.pipeline.fork()
        return planned_answer(pipeline, make_all(pipeline, replace(self.session.scenario, **other))).assembly

    def at(self, window: int) -> list[int]:
        """What becomes of each item in this window."""
        found = self.alone(context_window=window)
        return found.fate.tolist() if found.error is None else [int(Outcome.NO_PROMPT)] * len(found.fate)


def words(view: QWidget) -> str:
    """All that a part of the window says, in labels and pages."""
    labels = [label.text() for label in view.findChildren(QLabel) if label.isVisible()]
    pages = [page.toPlainText() for page in view.findChildren(QTextEdit) if page.isVisible()]
    return " ".join([*labels, *pages])


def check_details(visitor: Visitor) -> None:
    """The first way to keep what is not whole keeps it, and an undo takes it back; a sentence says where none does."""
    visitor.show("decisions")
    details = visitor.window.screens["details"].view
    if visitor.assembly.error is not None:
        visitor.wait(lambda: visitor.assembly.error is not None and visitor.assembly.error.message in words(details))
        return
    lost = np.flatnonzero(visitor.assembly.fate > Fate.KEPT)
    row = int(lost[0]) if len(lost) else 0
    visitor.window.select(row)
    if not len(lost):
        visitor.wait(lambda: "Message 1" in words(details) and "Kept." in words(details))
        return
    ways = details.told.ways
    visitor.wait(lambda: SEARCHING not in words(ways))
    if not ways.ways:
        assert NOTHING in words(ways)
        return
    ways.taken.emit(0)
    visitor.rest()
    assert visitor.assembly.fate[row] == Fate.KEPT
    visitor.session.undo_stack.undo()
    visitor.rest()
    assert visitor.assembly.fate[row] > Fate.KEPT


def check_flips(visitor: Visitor) -> None:
    """At the next flip of the window something changes, just before it nothing does, and without one nothing does.

    Where not every value was looked at, the flip below may be that of any lower value.
    """
    visitor.show("decisions")
    slider = visitor.window.findChild(ParameterSlider, f"{WINDOW}:slider")
    assert isinstance(slider, ParameterSlider)
    visitor.wait(lambda: slider.flips is not None)
    assert slider.flips is not None
    now, is_exact = visitor.at(500), "Not every value was looked at" not in slider.flips.words
    flips = list(map(int, slider.flips.next_ones))
    below, above = [flip for flip in flips if flip < 500], [flip for flip in flips if flip > 500]
    assert sorted([*below, *above]) == flips
    lower, higher = (below if is_exact and below else [_LOW])[0], (above or [_HIGH])[0]
    assert (visitor.at(lower) != now, visitor.at(higher) != now) == (bool(below), bool(above))
    before = [flip + (1 if flip < 500 else -1) for flip in flips if is_exact]
    assert [visitor.at(value) for value in before] == [now] * len(before)


def check_changes(visitor: Visitor) -> None:
    """From whole conversation to here: the items that fare otherwise, or the reason why there is no prompt."""
    session, whole = visitor.session, policy_choice(Contender("naive"))
    session.compared.set_columns((whole,))
    session.compared.compare(whole, NOW)
    view = visitor.show("changes")
    visitor.wait(lambda: view.table.array_model.subject is not None or bool(words(view.table)))
    if (error := visitor.assembly.error) is not None:
        assert error.message in words(view.table)
        return
    now, before = visitor.assembly, visitor.alone(policy="naive", parameters={})
    changed = int(((now.fate != before.fate) | (now.spent != before.spent)).sum())
    listed = view.table.array_model.subject
    assert (0 if listed is None else len(listed)) == changed


def check_side_by_side(visitor: Visitor) -> None:
    """The policy beside another: its own column is the prompt, or a line says why it has none."""
    columns = policy_choice(Contender("ratio")), policy_choice(Contender(visitor.policy))
    visitor.session.compared.set_columns(columns)
    view = visitor.show("side_by_side")
    sides = view.model.subject
    if (error := visitor.assembly.error) is not None:
        assert error.message in side_tip(sides, 0)
        return
    now = dict(zip(sides.ids, sides.actions[:, 0].tolist(), strict=True))
    fates = dict(zip(visitor.assembly.candidates.ids, visitor.assembly.action.tolist(), strict=True))
    assert {name: now[name] for name in fates} == fates


def check_recommend(visitor: Visitor) -> None:
    """What the questions' prompts hold now is what the command line measures, and a search ends in a sentence."""
    session = visitor.session
    view = visitor.show("recommend")
    view.controls.menu.choose((visitor.policy,))
    view.controls.reply.setValue(20)
    visitor.press(view, "recommend_recall")
    basis = Basis(session.pipeline.fork(), session.scenario)
    found = result_of(recalls(basis, session.questions.asked))
    mean = mean_of(found.found).columns["recall_with_memories"]
    assert f"Recall now: {percentage(mean)}" in words(view)
    visitor.press(view, "recommend_start")
    assert view.answer.headline.text().startswith(("Use ", "Keep "))


def check_survival(visitor: Visitor) -> None:
    """The map along the window has the prompts that a pipeline of its own makes at its values."""
    view = visitor.show("survival")
    visitor.wait(lambda: view.survived is not None)
    found = view.survived.found
    assert found.name == WINDOW
    for window in (200, 500, 900):
        assert found.at(found.axis.number(window)).tolist() == visitor.at(window)


def check_replay(visitor: Visitor) -> None:
    """The last turn is the prompt, and its events are those of the replay; a refused turn has no prompt."""
    visitor.show("replay")
    lanes = visitor.window.screens["replay"].view.lanes
    visitor.wait(lambda: visitor.window.turns.is_fresh and len(lanes.found) == 1 and lanes.found[0].is_whole)
    (found,), assembly = lanes.found, visitor.assembly
    assert found.case.policy_name == visitor.policy
    assert bool(found.refused[-1]) == (assembly.error is not None)
    if assembly.error is None:
        assert found.tokens[-1].tolist() == assembly.used.tolist()
        assert {event.event.kind for event in found.events} >= {event.kind for event in assembly.events}
        assert len(found.events) >= len(assembly.events)
    lanes.switch.choose(COMPACTIONS)
    shown = lanes.compactions[0].array_model
    assert shown.rowCount() == len(found.events)


PAGES: dict[str, Callable[[Visitor], None]] = {
    "details": check_details,
    "flips": check_flips,
    "changes": check_changes,
    "side by side": check_side_by_side,
    "recommend": check_recommend,
    "survival": check_survival,
    "replay": check_replay,
}


def test_every_policy_is_here_and_acts() -> None:
    assert set(ACTING) == set(policies()[0])
    pipeline = pipeline_of(workspace())
    for policy in ACTING:
        assembly = planned_answer(pipeline, make_all(pipeline, scenario_of(policy))).assembly
        acts = bool((assembly.fate > Fate.KEPT).any()) and assembly.error is None
        assert (acts, assembly.error is not None) == (policy not in (*KEEPS_ALL, *REFUSES), policy in REFUSES), policy


_OF_EACH_KIND = ("sillytavern", "ollama", "llamacpp", "codex_compact", "cline_truncate", "anthropic_context_editing")
"""One that drops, one that cuts, one that refuses, one that summarizes, one that drops the middle, one that clears."""
_ALL = [(policy, page) for policy in ACTING for page in PAGES]
_OFTEN = [pair for number, pair in enumerate(_ALL) if pair[0] in _OF_EACH_KIND or number % (len(PAGES) + 1) == 0]


@pytest.mark.parametrize("case", cases(_ALL, _OFTEN), ids=lambda pair: f"{pair[0]}-{pair[1]}")
def test_a_page_agrees_with_the_prompt_of_every_policy_twice(
    emptied: Callable[..., MainWindow], qtbot: QtBot, case: tuple[str, str]
) -> None:
    policy, page = case
    visitor = Visitor(emptied(), qtbot, policy)
    for _ in visitor.rounds():
        PAGES[page](visitor)
