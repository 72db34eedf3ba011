"""A chat template without an end: the window's thread renders none, and Cancel and closing end what renders it."""

import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from inspector.assembly.scenario import Scenario
from inspector.gui.session.session import Session
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import TOKENIZER_GROUP
from inspector.tokens.chat import process, processes
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.chat.messages import ChatTemplate
from inspector.tokens.chat.process import Limits
from inspector.tokens.chat.processes import TemplateProcesses
from tests.test_tokenizer_plugins import Letters

ENDLESS = "{% set many = range(99999) | list %}{% for a in many %}{% for b in many %}{% endfor %}{% endfor %}"
TEMPLATES = {"always": ENDLESS, "when long": "{% if messages | length > 9 %}" + ENDLESS + "{% endif %}x"}
"""The one is never measured on a short chat, the other one not before the prompt is."""
CHAT = Workspace(conversations=(Conversation("c", tuple(Message(f"m{n}", "user", "so be it") for n in range(20))),))


@dataclass(frozen=True)
class WithTemplate(Letters):
    """Counts letters, and comes with a chat template."""

    chat_template: ChatTemplate | None = None


def make(rest: str) -> WithTemplate:
    """The tokenizer `own:REST`, with the template of that name."""
    return WithTemplate(f"own:{rest}", f"own:{rest}@1", chat_template=ChatTemplate("own", TEMPLATES[rest]))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> "list[subprocess.Popen[Any]]":
    """The processes that were started to render templates."""
    found: list[subprocess.Popen[Any]] = []

    def start(*terms: Any, **options: Any) -> "subprocess.Popen[Any]":
        assert threading.current_thread() is not threading.main_thread()
        found.append(start_process(*terms, **options))
        return found[-1]

    start_process = subprocess.Popen
    monkeypatch.setattr(process.subprocess, "Popen", start)
    return found


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Has templates rendered for at most so many seconds."""

    def limit(seconds: float) -> None:
        made = TemplateProcesses(Limits(seconds=seconds))
        monkeypatch.setattr(processes, "_processes", lambda: made)

    frames_of.cache_clear()  # a template that another test gave up would not be measured again
    return limit


@pytest.fixture
def session(qtbot: QtBot, install: Callable[..., None]) -> Iterator[Session]:
    install(TOKENIZER_GROUP, own="tests.gui.test_hostile_templates:make")
    made = Session()
    yield made
    made.close()
    made.deleteLater()


def show_hostile(session: Session, name: str, qtbot: QtBot, started: list[Any]) -> None:
    """Show a chat with a template, and wait until a process is at what has no end."""
    session.show_workspace(CHAT, Scenario(tokenizer=f"own:{name}", context_window=9_999))
    work, running = "frames" if name == "always" else "measure", processes._processes()
    qtbot.waitUntil(lambda: session.tasks.is_running(work) and bool(running._busy) and bool(started))


@pytest.mark.parametrize("name", TEMPLATES)
def test_cancel_ends_what_renders_a_template(
    name: str, session: Session, limited: Callable[[float], None], started: list[Any], qtbot: QtBot
) -> None:
    limited(600)
    show_hostile(session, name, qtbot, started)
    session.cancel_work()
    qtbot.waitUntil(lambda: session.is_ready and started[-1].returncode is not None)


@pytest.mark.parametrize("name", TEMPLATES)
def test_closing_ends_what_renders_a_template(
    name: str, session: Session, limited: Callable[[float], None], started: list[Any], qtbot: QtBot
) -> None:
    limited(600)
    show_hostile(session, name, qtbot, started)
    session.close()
    assert started[-1].returncode is not None


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_window_gets_ready_with_another_format_and_says_so(
    name: str, session: Session, limited: Callable[[float], None], started: list[Any], qtbot: QtBot
) -> None:
    limited(0.5)
    show_hostile(session, name, qtbot, started)
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.answer is not None
    assert "template_refused" in [finding.code for finding in session.answer.findings]
    assert session.answer.ledger.residual == 0
    assert len(started) == 1
