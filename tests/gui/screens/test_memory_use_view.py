"""The screen of memory use: what the command says, filtered, sorted, and leading to the items."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from cells import texts
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.recall.memory_places import PLACES, memory_places
from inspector.analysis.recall.memory_use import UNNAMED_EVIDENCE, USED_MEMORIES, MemoryUse, memory_uses
from inspector.analysis.recall.memory_writing import WRITTEN_WAYS, MemoryWriting, memory_writing
from inspector.assembly.edits import use_policy
from inspector.assembly.scenario import Scenario
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.memory_use.view import (
    MEMORIES,
    NO_MEMORIES,
    PLACED,
    TO_WRITE,
    WRITTEN,
    MemoryUsePage,
    MemoryUseView,
)
from inspector.model import Conversation, Memory, MemorySet, Message, Probe, Workspace, changed

CURRENT = Scenario(tokenizer="estimate:words", context_window=200, policy="ratio")


def chat(name: str) -> Conversation:
    messages = (Message(f"m{n}", "assistant" if n % 2 else "user", f"word{name}{n} and so on") for n in range(21))
    return Conversation(name, tuple(messages), origin="chats.json")


def workspace(asks: bool = True) -> Workspace:
    memories = tuple(
        MemorySet(f"of {name}", tuple(
            Memory(f"k{n}", f"about word{name}{n}", source_messages=(f"m{n}",), priority=50 + n) for n in (1, 2, 3)
        ), conversations=(name,))
        for name in "ab"
    )  # fmt: skip
    probes = [Probe(f"{name}{n}", (f"m{n}",), name, query=f"word{name}{n}?") for name in "ab" for n in (1, 2, 9)]
    return Workspace((chat("a"), chat("b")), memory_sets=memories, probes=tuple(probes) if asks else ())


@pytest.fixture
def window(emptied: Callable[..., MainWindow]) -> MainWindow:
    found = emptied("memory_use")
    found.session.show_workspace(workspace(), CURRENT)
    return found


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> MemoryUsePage:
    window.show_screen("memory_use")
    view = window.screens["memory_use"].view
    assert isinstance(view, MemoryUseView)
    known(window, qtbot, view.page)
    return view.page


def known(window: MainWindow, qtbot: QtBot, page: MemoryUsePage) -> MemoryUse:
    """The use of memories, once it is that of the current setting."""
    running = window.session.tasks.is_running
    is_known = lambda: page.use is not None and not page.is_waiting and not running("memory_use")  # noqa: E731
    qtbot.waitUntil(lambda: window.session.is_ready and is_known(), timeout=20_000)
    assert page.use is not None
    return page.use


def of_command(window: MainWindow, scenario: Scenario) -> MemoryUse:
    pipeline = window.session.pipeline
    asked = replace(scenario, conversation=None, query=None)
    return result_of(memory_uses(Basis(pipeline, asked), pipeline.workspace.probes))


def test_the_tables_are_those_of_the_command_under_one_policy_and_another(
    window: MainWindow, qtbot: QtBot, page: MemoryUsePage
) -> None:
    for policy in ("ratio", "window_rag", "ratio"):
        window.session.edit(use_policy, policy)
        known(window, qtbot, page)
        expected = of_command(window, window.session.scenario)
        assert list(page.models[MEMORIES].records()) == list(USED_MEMORIES.records(expected))
        assert list(page.models[TO_WRITE].records()) == list(UNNAMED_EVIDENCE.records(expected))
        assert page.said.text() == expected.sentence
        assert expected.memories


def test_only_memories_that_never_serve_are_listed_on_request(page: MemoryUsePage) -> None:
    assert page.use is not None
    model = page.models[MEMORIES]
    assert model.rowCount() == 6
    page.only_never.click()
    assert model.rowCount() == len(page.use.never) == 2
    assert set(texts(model, "carries")) == {"0"}
    page.only_never.click()
    assert model.rowCount() == 6


def test_columns_sort_and_the_order_comes_back(page: MemoryUsePage) -> None:
    model, table = page.models[MEMORIES], page.tables[MEMORIES]
    first = model.rows.tolist()
    table.sort_by("carries")
    figures = [int(text) for text in texts(model, "carries")]
    assert figures in (sorted(figures), sorted(figures, reverse=True))
    table.sort_by("")
    assert model.rows.tolist() == first


def test_a_row_leads_to_its_item_in_its_conversation_and_back(
    window: MainWindow, qtbot: QtBot, page: MemoryUsePage
) -> None:
    use, session = known(window, qtbot, page), window.session
    for conversation in ("b", "a"):
        for number, items in ((MEMORIES, use.memories), (TO_WRITE, use.unnamed)):
            row = next(place for place, item in enumerate(items) if item.conversation == conversation)
            page.pages.choose(number)
            page.tables[number].row_activated.emit(row)

            def is_selected(name: str = items[row].name, chat: str = conversation) -> bool:
                answer, selected = session.answer, window.row
                if not session.is_ready or answer is None or selected is None:
                    return False
                shown = answer.assembly.candidates.items.conversation
                return shown is not None and shown.id == chat and answer.assembly.candidates.ids[selected] == name

            qtbot.waitUntil(is_selected, timeout=20_000)
    assert page.use is use, "another conversation is no other setting"


def test_without_questions_the_screen_says_so_and_goes_on_with_others(
    window: MainWindow, qtbot: QtBot, page: MemoryUsePage
) -> None:
    window.session.show_workspace(workspace(asks=False), CURRENT)
    qtbot.waitUntil(lambda: window.session.is_ready and not page.isVisible())
    assert page.use is None
    window.session.show_workspace(workspace(), CURRENT)
    qtbot.waitUntil(page.isVisible)
    assert len(known(window, qtbot, page).memories) == 6


def written(window: MainWindow, qtbot: QtBot, page: MemoryUsePage) -> MemoryWriting:
    """The ways to write memories, once they are of the current setting."""
    running = window.session.tasks.is_running
    is_known = lambda: page.writing is not None and not page.is_waiting and not running("memory_use")  # noqa: E731
    qtbot.waitUntil(lambda: window.session.is_ready and is_known(), timeout=20_000)
    assert page.writing is not None
    return page.writing


def test_other_ways_to_write_are_those_of_the_command_and_asked_only_in_sight(
    window: MainWindow, qtbot: QtBot, page: MemoryUsePage
) -> None:
    assert page.writing is None
    for policy in ("ratio", "window_rag"):
        window.session.edit(use_policy, policy)
        page.pages.choose(WRITTEN)
        writing = written(window, qtbot, page)
        pipeline = window.session.pipeline
        asked = replace(window.session.scenario, conversation=None, query=None)
        expected = result_of(memory_writing(Basis(pipeline, asked), pipeline.workspace.probes))
        assert list(page.ways.records()) == list(WRITTEN_WAYS.records(expected))
        assert [one.way.name for one in writing.ways] == ["none", "filed", "extracts"]
        assert page.said.text() == expected.sentence
        page.pages.choose(MEMORIES)
        use = known(window, qtbot, page)
        assert page.said.text() == use.sentence
        page.pages.choose(WRITTEN)
        assert page.said.text() == expected.sentence, "what is known is not asked again"
        assert not window.session.tasks.is_running("memory_use")


def test_ways_to_write_sort_and_are_gone_with_their_files(
    window: MainWindow, qtbot: QtBot, page: MemoryUsePage
) -> None:
    page.pages.choose(WRITTEN)
    written(window, qtbot, page)
    page.ways_table.sort_by("tokens")
    tokens = [int(text.replace(",", "")) for text in texts(page.ways, "tokens")]
    assert tokens in (sorted(tokens), sorted(tokens, reverse=True))
    window.session.show_workspace(workspace(asks=False), CURRENT)
    qtbot.waitUntil(lambda: window.session.is_ready and not page.isVisible())
    assert page.writing is None
    assert page.ways.rowCount() == 0
    window.session.show_workspace(workspace(), CURRENT)
    qtbot.waitUntil(page.isVisible)
    assert len(written(window, qtbot, page).ways) == 3


def test_other_places_are_those_of_the_command_and_a_new_setting_asks_again(
    window: MainWindow, qtbot: QtBot, page: MemoryUsePage
) -> None:
    running = window.session.tasks.is_running
    is_known = lambda: page.places is not None and not page.is_waiting and not running("memory_use")  # noqa: E731
    page.pages.choose(PLACED)
    said = []
    for policy in ("ratio", "slots"):
        window.session.edit(use_policy, policy)
        qtbot.waitUntil(lambda: window.session.is_ready and is_known())
        pipeline = window.session.pipeline
        asked = replace(window.session.scenario, conversation=None, query=None)
        expected = result_of(memory_places(Basis(pipeline, asked), pipeline.workspace.probes))
        assert list(page.placed.records()) == list(PLACES.records(expected))
        assert page.said.text() == expected.sentence
        assert page.placed.rowCount() == len(expected.places)
        said.append(expected.sentence)
    page.pages.choose(WRITTEN)
    written(window, qtbot, page)
    page.pages.choose(PLACED)
    assert page.said.text() == said[-1] != said[0]
    assert not running("memory_use")
    window.session.show_workspace(workspace(asks=False), CURRENT)
    qtbot.waitUntil(lambda: window.session.is_ready and not page.isVisible())
    assert page.placed.rowCount() == 0


def test_that_there_are_no_memories_is_said_once(window: MainWindow, qtbot: QtBot, page: MemoryUsePage) -> None:
    window.session.show_workspace(changed(workspace(), memory_sets=()), CURRENT)
    known(window, qtbot, page)
    assert page.said.text() == ""
    assert NO_MEMORIES in [label.text() for label in page.tables[MEMORIES].findChildren(QLabel)]
    page.pages.choose(TO_WRITE)
    assert page.said.text() == NO_MEMORIES
    page.pages.choose(WRITTEN)
    assert [one.way.name for one in written(window, qtbot, page).ways] == ["none", "extracts"]
