"""The session: estimates until texts are counted, one undo step a gesture, the last good answer after a refusal."""

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any
from weakref import ref

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

import inspector.assembly.pipeline
import inspector.gui.session.assembling
import inspector.gui.session.preparation
from inspector.assembly import edits
from inspector.assembly.answer import answer_value, complete_answer
from inspector.assembly.candidates import Candidates
from inspector.assembly.collect import price
from inspector.assembly.edits import set_parameters, set_value, use_window
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.formats.native.write import save_workspace
from inspector.gui.files.inspection import Inspection, SavedInspection, write_inspection
from inspector.gui.files.opening import Opening, find_opening
from inspector.gui.session.session import Session
from inspector.gui.session.undo import Change
from inspector.gui.session.values import UNDO_STEPS
from inspector.model import Conversation, Memory, MemorySet, Message, Problem, Workspace, changed
from inspector.plugins import TOKENIZER_GROUP, policies
from inspector.resources import samples_folder
from inspector.tokens.chat.format import ChatFormat
from inspector.tokens.media.media import Media


def chat(messages: int) -> Workspace:
    roles = ("user", "assistant")
    said = tuple(Message(f"m{n}", roles[n % 2], f"message {n} " + "word " * (n % 17)) for n in range(messages))  # type: ignore[arg-type]
    return Workspace(conversations=(Conversation("c", said),))


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session()
    yield made
    made.close()
    made.deleteLater()


def test_estimates_are_marked_until_everything_is_counted(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(40), Scenario(context_window=2000))
    assert session.assembly is not None
    assert not session.assembly.candidates.exact.any()
    assert "estimated_counts" in [finding.code for finding in session.answer.findings]  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.assembly.candidates.exact.all()
    assert session.answer.ledger.residual == 0  # type: ignore[union-attr]
    assert "estimated_counts" not in [finding.code for finding in session.answer.findings]  # type: ignore[union-attr]


def test_of_very_many_candidates_no_figure_is_made_anew_on_the_windows_thread(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspector.gui.session.assembling, "MOST_RENEWED_AT_ONCE", 30)
    session.show_workspace(chat(40), Scenario(context_window=2000))
    on_this_thread: list[bool] = []

    def priced(candidates: Candidates, chat_format: ChatFormat, media: Media, is_own: bool) -> Candidates:
        on_this_thread.append(current_thread() is main_thread())
        return price(candidates, chat_format, media, is_own)

    monkeypatch.setattr(inspector.assembly.pipeline, "price", priced)
    qtbot.waitUntil(lambda: session.is_ready)
    assert on_this_thread
    assert not any(on_this_thread)
    assert session.assembly is not None
    assert session.assembly.candidates.exact.all()


def test_an_edit_while_figures_are_made_anew_is_what_counts(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspector.gui.session.assembling, "MOST_RENEWED_AT_ONCE", 30)
    session.show_workspace(chat(40), Scenario(context_window=2000))
    session.request_assembly()
    session.edit(use_window, 900)
    session.flush()
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.answer is not None
    assert session.answer.scenario == session.scenario
    assert session.answer.assembly.budget.context_window == 900
    assert session.answer.assembly.candidates.exact.all()


def test_figures_become_exact_as_soon_as_the_mouse_is_let_go(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.show_workspace(chat(40), Scenario(context_window=2000))
    qtbot.waitUntil(lambda: session.is_ready)
    held, asked = [Qt.MouseButton.LeftButton], list[Qt.MouseButton]()

    class Mouse:
        @staticmethod
        def mouseButtons() -> Qt.MouseButton:
            asked.append(held[0])
            return held[0]

    monkeypatch.setattr(inspector.gui.session.preparation, "QGuiApplication", Mouse)
    monkeypatch.setattr(inspector.gui.session.preparation, "HELD_MILLISECONDS", 10**6)
    session.drag("a drag", use_window, 900)
    qtbot.waitUntil(lambda: len(asked) > 3)
    assert session.answer is not None
    assert session.answer.assembly.budget.context_window == 900
    assert session.answer.ledger.rendered is None
    held[0] = Qt.MouseButton.NoButton
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.answer.ledger.rendered is not None


def test_a_mouse_that_is_held_still_waits_for_nothing(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.show_workspace(chat(40), Scenario(context_window=2000))
    qtbot.waitUntil(lambda: session.is_ready)
    monkeypatch.setattr(QGuiApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
    session.drag("a drag", use_window, 900)
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.answer is not None
    assert session.answer.ledger.rendered is not None


def test_a_gesture_is_one_step_and_single_steps_are_their_own(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(6))
    for share in (0.31, 0.32, 0.33):
        session.drag("drag 1", set_parameters, {"memory_share": share}, f"Memory share {share}")
    session.drag("drag 2", set_parameters, {"memory_share": 0.34}, "Other drag")
    session.edit(use_window, 999)
    session.edit(use_window, 998)
    assert session.undo_stack.count() == 4
    assert session.undo_stack.text(0) == "Memory share 0.33"
    session.undo_stack.setIndex(1)
    assert session.scenario.parameters == {"memory_share": 0.33}
    session.undo_stack.undo()
    assert session.scenario.parameters == {}


def test_a_gesture_back_to_its_start_leaves_no_step(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(6))
    session.drag("drag", use_window, 900)
    session.drag("drag", use_window, None)
    assert session.undo_stack.count() == 0


@pytest.mark.parametrize(
    "terms",
    [
        (edits.set_value, "preset", "document"),
        (edits.use_policy, "ratio"),
        (edits.use_policy, "ratio", "document"),
        (edits.set_draft, ""),
        (edits.reset_parameters,),
        (edits.toggle_pins, ()),
    ],
)
@pytest.mark.parametrize("start", [Scenario(), Scenario(policy="ratio", preset="document")])
def test_choosing_what_is_in_use_leaves_no_step(session: Session, terms: tuple[Any, ...], start: Scenario) -> None:
    session.show_workspace(chat(6), start)
    verb, *rest = terms
    session.edit(verb, *rest)
    assert session.undo_stack.count() == 0
    assert session.scenario == start


def test_choosing_the_preset_in_use_keeps_what_was_tuned(session: Session) -> None:
    session.show_workspace(chat(6), Scenario(parameters={"memory_share": 0.3}))
    session.edit(set_value, "preset", "document")
    assert session.undo_stack.count() == 0
    assert session.scenario.parameters == {"memory_share": 0.3}


def state_of(session: Session) -> tuple[str | None, str | None, dict[str, Any]]:
    return session.scenario.policy, session.scenario.preset, dict(session.scenario.parameters)


def test_coming_back_to_a_policy_brings_its_tuning_back(session: Session) -> None:
    session.show_workspace(chat(6))
    session.use_policy("ratio", "long-chat")
    session.edit(set_parameters, {"min_exchanges": 7})
    session.use_policy("reserve")
    assert state_of(session) == ("reserve", None, {})
    session.edit(set_parameters, {"max_memories": 3})
    session.use_policy("ratio")
    assert state_of(session) == ("ratio", "long-chat", {"min_exchanges": 7})
    session.use_policy("ratio", "document")
    assert state_of(session) == ("ratio", None, {})
    session.use_policy("reserve")
    assert state_of(session) == ("reserve", None, {"max_memories": 3})
    assert session.remembered == {
        "ratio": {"long-chat": {"min_exchanges": 7}, "document": {}},
        "reserve": {"document": {"max_memories": 3}},
    }


def test_what_comes_back_is_what_undo_and_redo_have_left(session: Session) -> None:
    session.show_workspace(chat(6))
    session.edit(set_parameters, {"min_exchanges": 7})
    session.edit(set_parameters, {"min_exchanges": 8})
    session.use_policy("reserve")
    session.undo_stack.setIndex(1)
    session.use_policy("reserve")
    session.use_policy("ratio")
    assert state_of(session) == ("ratio", None, {"min_exchanges": 7})
    session.undo_stack.undo()
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert session.scenario.parameters == {}
    session.use_policy("reserve")
    session.use_policy("ratio")
    assert session.scenario.parameters == {}


def test_a_reset_forgets(session: Session) -> None:
    session.show_workspace(chat(6), Scenario(parameters={"min_exchanges": 7}))
    session.edit(edits.reset_parameters)
    session.use_policy("reserve")
    session.use_policy("ratio")
    assert session.scenario.parameters == {}


def test_reading_the_files_again_keeps_what_is_remembered_and_opening_others_does_not(
    session: Session, qtbot: QtBot
) -> None:
    companion = str(samples_folder() / "companion.workspace.yaml")
    session.open(lambda _: Opening((companion,), Scenario(parameters={"min_exchanges": 7})))
    qtbot.waitUntil(lambda: session.is_ready)
    session.use_policy("naive")
    session.reload()
    qtbot.waitUntil(lambda: session.is_ready)
    session.use_policy("ratio")
    assert session.scenario.parameters == {"min_exchanges": 7}
    session.open(lambda _: Opening((companion,)))
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.remembered == {"ratio": {"document": {}}}


def test_a_window_set_by_hand_outlives_models_and_undo(session: Session) -> None:
    session.show_workspace(chat(6))
    session.edit(use_window, 5_000)
    session.edit(edits.use_model, "gpt-4.1")
    assert session.scenario.context_window == 5_000
    session.edit(edits.use_served_model, "local", "gpt-4o", 4_096)
    session.edit(edits.use_model, "gpt-4.1")
    assert session.scenario.context_window == 4_096
    session.undo_stack.setIndex(2)
    assert session.scenario.context_window == 5_000
    session.edit(use_window, None)
    assert session.pipeline.case(session.scenario).model.window.tokens == 1_047_576


def test_a_refused_scenario_keeps_the_last_answer_and_says_why(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(6))
    good = session.answer
    session.edit(lambda scenario: edits.Edit("Wrong", replace(scenario, conversation="nowhere")))
    session.flush()
    assert session.answer is good
    assert "nowhere" in session.trouble
    session.undo_stack.undo()
    session.flush()
    assert session.trouble == ""
    qtbot.waitUntil(lambda: session.is_ready)


def test_cancelled_counting_leaves_marked_estimates(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(30_000), Scenario(context_window=2000))
    qtbot.waitUntil(lambda: session.tasks.is_running("count"))
    session.cancel_work()
    assert not session.tasks.is_running("count")
    assert session.assembly is not None
    assert not session.assembly.candidates.exact.all()


def test_opening_what_is_not_there_reports_and_stays_usable(session: Session, qtbot: QtBot, tmp_path) -> None:
    session.open(lambda _: Opening((str(tmp_path / "missing.json"),)))
    qtbot.waitUntil(lambda: session.is_ready)
    problems: tuple[Problem, ...] = session.workspace.problems
    assert [problem.severity for problem in problems] == ["error"]
    assert session.answer is not None
    assert len(session.answer.assembly.candidates) == 0


def test_nothing_starts_any_more_once_a_session_is_closed(session: Session) -> None:
    """An assembly that waited for the end of its frame would count on a worker, which outlives the session."""
    session.show_workspace(chat(6))
    session.edit(edits.use_window, 900)
    assert not session.is_ready
    session.close()
    assert session.is_ready


def counted_beside(session: Session, **fields: Any) -> None:
    """What the scenario lacks, made by a copy of the pipeline: so do shoot-outs and the search for changes."""
    complete_answer(session.pipeline.fork(), replace(session.scenario, **fields), finds_duplicates=True)


def test_what_somebody_else_counted_is_seen(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(40), Scenario(context_window=2000))
    counted_beside(session)
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.answer is not None
    assert session.answer.assembly.candidates.exact.all()
    assert session.answer.ledger.exact


def test_what_somebody_else_read_summarized_and_embedded_is_seen(session: Session, qtbot: QtBot) -> None:
    scenario = Scenario(
        context_window=2000, classify="rules", summaries="extractive", summary_tokens=5, similarity="hybrid"
    )
    repeated = tuple(Memory(f"k{number}", "We sail to the harbour of Lisbon at dawn") for number in range(3))
    session.show_workspace(changed(chat(40), memory_sets=(MemorySet("s", repeated),)), scenario)
    counted_beside(session)
    qtbot.waitUntil(lambda: session.is_ready)
    fresh = complete_answer(Pipeline(session.workspace, policies()[0], load_presets()), scenario, finds_duplicates=True)
    assert session.answer is not None
    assert answer_value(session.answer) == answer_value(fresh)


def test_the_answer_that_stays_after_a_refusal_is_counted_too(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(40), Scenario(context_window=2000))
    session.edit(lambda scenario: edits.Edit("Wrong", replace(scenario, conversation="nowhere")))
    qtbot.waitUntil(lambda: session.is_ready)
    assert "nowhere" in session.trouble
    assert session.answer is not None
    assert session.answer.assembly.candidates.exact.all()
    assert session.answer.ledger.residual == 0


def test_items_are_counted_although_a_parameter_is_refused(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(40), Scenario(context_window=2000, parameters={"memory_share": -1.0}))
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.assembly is not None
    assert session.assembly.error is not None
    assert session.assembly.candidates.exact.all()


def test_a_baseline_is_counted_with_its_own_tokenizer(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "talk.workspace.json"
    save_workspace(chat(40), file)
    opening = Opening((str(file),), Scenario(context_window=2000), Scenario(tokenizer="embedded:llama3"))
    session.open(lambda _: opening)
    qtbot.waitUntil(lambda: session.baseline_answer is not None and session.is_ready)
    assert session.baseline_answer is not None
    assert session.baseline_answer.assembly.candidates.exact.all()
    assert session.baseline_answer.ledger.residual == 0
    assert session.baseline_answer.ledger.tokenizer == "embedded:llama3"


def test_a_baseline_pinned_while_it_is_counted_does_not_stay_an_estimate(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(40), Scenario(context_window=2000))
    session.pin_baseline()
    session.edit(edits.use_tokenizer, "embedded:llama3")
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.baseline_answer is not None
    assert session.baseline_answer.assembly.candidates.exact.all()
    assert session.baseline_answer.ledger.exact


def once_it_runs(session: Session, name: str, act: Callable[[], None]) -> None:
    """Do something as soon as a task of that name runs."""

    def look() -> None:
        if session.tasks.is_running(name):
            session.tasks.changed.disconnect(look)
            act()

    session.tasks.changed.connect(look)


def test_counting_goes_on_after_files_could_not_be_loaded(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a loader is broken")

    monkeypatch.setattr("inspector.load", broken)
    once_it_runs(session, "count", lambda: session.open(lambda _: Opening(("anything",))))
    with qtbot.waitSignal(session.problem_reported):
        session.show_workspace(chat(40), Scenario(context_window=2000))
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.assembly is not None
    assert session.assembly.candidates.exact.all()


@pytest.mark.parametrize("has_failed", [False, True], ids=["while it counts", "once it has failed"])
def test_what_cannot_be_counted_keeps_nobody_from_counting_otherwise(
    session: Session, qtbot: QtBot, install: Callable[..., None], has_failed: bool
) -> None:
    install(TOKENIZER_GROUP, broken="tests.gui.broken_tokenizer:make")
    problems: list[Problem] = []
    session.problem_reported.connect(problems.append)
    change = lambda: session.edit(edits.use_tokenizer, "estimate:words")  # noqa: E731 - an act of the user
    if has_failed:
        session.problem_reported.connect(lambda _: change())
    else:
        once_it_runs(session, "count", change)
    session.show_workspace(chat(40), Scenario(tokenizer="broken:messages"))
    qtbot.waitUntil(lambda: session.scenario.tokenizer == "estimate:words" and session.is_ready)
    assert session.assembly is not None
    assert session.assembly.candidates.exact.all()
    said = [problem.message for problem in problems]  # the failure of a count that is no longer wanted may not be said
    assert len(said) <= 1
    assert len(said) or not has_failed
    assert all(one.endswith("the plug-in broken failed: ZeroDivisionError: no message can be counted") for one in said)


def test_no_more_steps_are_kept_than_anybody_undoes(session: Session) -> None:
    session.show_workspace(chat(2))
    for tokens in range(100, 100 + UNDO_STEPS + 50):
        session.edit(edits.use_window, tokens)
    assert session.undo_stack.count() == UNDO_STEPS
    gc.collect()
    assert sum(type(thing) is Change for thing in gc.get_objects()) == UNDO_STEPS
    assert session.is_modified
    while session.undo_stack.canUndo():
        session.undo_stack.undo()
    assert session.is_modified, "where it began is too far back"


def test_nothing_of_what_was_open_outlives_reloading(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    """Not even in circles, which nobody collects: what was loaded is frozen."""
    file = tmp_path / "talk.workspace.json"
    save_workspace(changed(chat(40), memory_sets=(MemorySet("s", (Memory("k0", "a harbour"),)),)), file)
    session.open(lambda _: Opening((str(file),)))
    qtbot.waitUntil(lambda: session.is_ready)
    opened: list[ref[Any]] = []
    for number in range(4):
        assert session.answer is not None
        session.edit(edits.use_window, 1_000 + number)
        session.pin_baseline()
        qtbot.waitUntil(lambda: session.is_ready)
        opened += [ref(session.pipeline), ref(session.answer.assembly.candidates.items)]
        session.clear_baseline()
        with qtbot.waitSignal(session.workspace_changed):
            session.reload()
        qtbot.waitUntil(lambda: session.is_ready)
    assert [thing() for thing in opened if thing() is not None] == []


def test_the_steps_of_a_gesture_are_not_kept(session: Session) -> None:
    session.show_workspace(chat(2))
    for tokens in range(100, 400):
        session.drag("one gesture", edits.use_window, tokens)
    for tokens in (500, 600, None, 700, None):
        session.drag("back and forth", edits.use_window, tokens)
    gc.collect()
    assert session.undo_stack.count() == 2
    assert sum(type(thing) is Change for thing in gc.get_objects()) == 2
    assert session.undo_stack.undoText() == "Window of the model"
    session.undo_stack.undo()
    assert session.scenario.context_window == 399
    session.undo_stack.undo()
    assert session.scenario.context_window is None


def test_a_gesture_that_goes_on_after_saving_is_a_step_of_its_own(session: Session) -> None:
    session.show_workspace(chat(2))
    session.drag("gesture", edits.use_window, 500)
    session.take_saved(SavedInspection(Path("a.inspection.yaml"), Inspection()))
    session.drag("gesture", edits.use_window, 600)
    assert session.undo_stack.count() == 2
    assert session.is_modified
    session.undo_stack.undo()
    assert not session.is_modified
    assert session.scenario.context_window == 500


def test_a_damaged_cache_is_said_once_when_nothing_more_is_to_come(session: Session, qtbot: QtBot) -> None:
    session.cache.path.parent.mkdir(parents=True)
    session.cache.path.write_bytes(b"this is not a database, it is a text" * 100)
    said: list[Problem] = []
    session.problem_reported.connect(said.append)
    session.show_workspace(chat(40), Scenario(context_window=2000))
    qtbot.waitUntil(lambda: session.is_ready)
    session.edit(use_window, 1500)
    qtbot.waitUntil(lambda: session.is_ready)
    assert [problem.message for problem in said] == [session.cache.trouble]
    assert "was corrupt" in session.cache.trouble
    assert session.assembly is not None
    assert session.assembly.candidates.exact.all()


def test_what_was_done_to_a_conversation_is_there_again_and_in_its_file(
    session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    (said,) = chat(6).conversations
    file = tmp_path / "two.workspace.json"
    save_workspace(Workspace(conversations=(said, changed(said, id="d"))), file)
    session.open(lambda tell: find_opening([str(file)], None, (), tell))
    qtbot.waitUntil(lambda: session.is_ready)
    session.edit(edits.toggle_pins, ("m1",))
    session.edit(edits.set_draft, "And then?")
    session.show_conversation("d")
    assert (session.scenario.pinned, session.scenario.draft) == ((), None)
    saved = tmp_path / "kept.inspection.yaml"
    write_inspection(Inspection.of([str(file)], saved, session.scenario, chats=session.chats), saved)
    session.show_conversation("c")
    assert (session.scenario.pinned, session.scenario.draft) == (("m1",), "And then?")
    session.open(lambda tell: find_opening([str(saved)], None, (), tell))
    qtbot.waitUntil(lambda: session.saved is not None and session.is_ready)
    assert (session.scenario.conversation, session.scenario.pinned) == ("d", ())
    session.show_conversation("c")
    assert (session.scenario.pinned, session.scenario.draft) == (("m1",), "And then?")
    session.undo_stack.undo()
    assert session.scenario.conversation == "d"
