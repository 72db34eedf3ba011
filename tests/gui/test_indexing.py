"""Words of many texts are indexed off the window's thread: nothing is ranked by them before, and everything after."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Kind
from inspector.assembly.edits import go_to_turn, set_query, use_policy
from inspector.assembly.memory_ranking import comparison_sentence, rank_memories
from inspector.assembly.scenario import Scenario
from inspector.gui.main_window import MainWindow
from inspector.model import Conversation, Memory, MemorySet, Message, Workspace
from inspector.retrieval.lexical import LexicalIndex
from inspector.retrieval.relevance.surroundings import Surroundings
from inspector.retrieval.similarity import INDEXED_AT_ONCE

READY_MILLISECONDS = 60_000
LEAVE_SECONDS = 10
MANY = INDEXED_AT_ONCE + 2_000
BOATS, TEA = "the boats of the harbour", "a cup of tea"


@dataclass
class Builds:
    """The indexes of many texts that were made: their texts, and on which threads.

    Each waits on its worker for leave; `in_vain` says that one did not get it, because the window stood still.
    """

    texts: list[Sequence[str]] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    leave: threading.Event = field(default_factory=threading.Event)
    in_vain: bool = False


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Iterator[Builds]:
    made, build = Builds(), LexicalIndex.__init__

    def watched(index: LexicalIndex, texts: Sequence[str], *surroundings: Surroundings) -> None:
        if len(texts) > INDEXED_AT_ONCE:
            made.texts.append(texts)
            made.threads.add(threading.get_ident())
            if threading.current_thread() is not threading.main_thread():
                made.in_vain |= not made.leave.wait(LEAVE_SECONDS)
        build(index, texts, *surroundings)

    monkeypatch.setattr(LexicalIndex, "__init__", watched)
    yield made
    made.leave.set()


def talk(count: int) -> tuple[Message, ...]:
    said = ((BOATS if number % 3 else TEA) for number in range(count))
    roles = ("user", "assistant")
    return tuple(Message(f"m{n}", roles[n % 2], f"{text} {n}") for n, text in enumerate(said))  # type: ignore[arg-type]


def shown(opened: Callable[..., MainWindow], messages: int, memories: int, scenario: Scenario) -> MainWindow:
    window = opened()
    stored = tuple(Memory(f"k{n}", f"{TEA if n % 2 else BOATS} {n}") for n in range(memories))
    found = Workspace(conversations=(Conversation("c", talk(messages)),), memory_sets=(MemorySet("s", stored),))
    window.session.show_workspace(found, scenario)
    return window


def ready(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.is_ready, timeout=READY_MILLISECONDS)


def indexing(window: MainWindow, builds: Builds, qtbot: QtBot) -> None:
    """Wait until an index is being built, and the answer that goes without it is there."""
    qtbot.waitUntil(lambda: window.session.tasks.is_running("index") and bool(builds.texts), timeout=READY_MILLISECONDS)
    window.session.flush()


def similarities(window: MainWindow) -> np.ndarray:
    assembly = window.session.assembly
    assert assembly is not None
    return assembly.candidates.similarity[assembly.candidates.rows(Kind.MEMORY)]


def sentence(window: MainWindow) -> str:
    assembly = window.session.assembly
    assert assembly is not None
    return comparison_sentence(rank_memories(assembly, window.session.policy))


def test_memories_are_unranked_until_a_worker_has_indexed_their_words(
    opened: Callable[..., MainWindow], builds: Builds, qtbot: QtBot
) -> None:
    wanted = Scenario(tokenizer="estimate:words", context_window=4_000, similarity="lexical", query="boats")
    window = shown(opened, 4, MANY, wanted)
    indexing(window, builds, qtbot)
    assert np.isnan(similarities(window)).all()
    assert sentence(window) == "Words are being indexed."
    window.session.edit(set_query, "tea")
    window.session.flush()
    assert np.isnan(similarities(window)).all()
    builds.leave.set()
    ready(window, qtbot)
    like = similarities(window)
    assert (like[1::2] > 0).all()
    assert (like[::2] == 0).all()
    assert sentence(window) == f"Similarity: {MANY:,} lexical BM25."
    assert len(builds.texts) == 1
    assert threading.main_thread().ident not in builds.threads


def test_messages_are_indexed_by_a_worker_and_once_whichever_take_part(
    opened: Callable[..., MainWindow], builds: Builds, qtbot: QtBot
) -> None:
    wanted = Scenario(
        policy="window_rag", tokenizer="estimate:words", context_window=4_000, similarity="lexical", query="boats"
    )
    window = shown(opened, MANY, 3, wanted)
    indexing(window, builds, qtbot)
    session = window.session
    assert session.assembly is not None
    assert np.isnan(session.assembly.candidates.message_likeness.values).all()
    session.edit(go_to_turn, MANY - 500)
    session.flush()
    assert np.isnan(session.assembly.candidates.message_likeness.values).all()
    builds.leave.set()
    ready(window, qtbot)
    candidates = session.assembly.candidates
    like = candidates.message_likeness.values[candidates.earlier_messages]
    assert len(like) < MANY - 400
    assert (like[1:3] > 0).all()
    assert (like[::3] == 0).all()
    assert len(builds.texts) == 1
    assert threading.main_thread().ident not in builds.threads


def test_a_few_texts_do_not_wait_for_the_index_of_many(
    opened: Callable[..., MainWindow], builds: Builds, qtbot: QtBot
) -> None:
    wanted = Scenario(
        policy="window_rag", tokenizer="estimate:words", context_window=4_000, similarity="lexical", query="boats"
    )
    window = shown(opened, MANY, 3, wanted)
    indexing(window, builds, qtbot)
    window.session.edit(use_policy, "ratio")
    window.session.flush()
    assert (similarities(window)[::2] > 0).all()
    assert not builds.in_vain
    builds.leave.set()
    ready(window, qtbot)
    assert threading.main_thread().ident not in builds.threads
