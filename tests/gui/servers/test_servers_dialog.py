"""The servers dialog: nothing is asked by itself, finds can be used, counts stand beside ours, and work can stop."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_window
from inspector.assembly.scenario import Scenario
from inspector.gui.remembered.remembered_columns import RememberedColumns
from inspector.gui.servers import asking as server_search
from inspector.gui.servers.asking import NO_PROMPT
from inspector.gui.servers.dialog import ServersDialog
from inspector.gui.servers.view import (
    NONE_FOUND,
    NOT_ASKED,
    OUTDATED,
    SPECIALS_NOTE,
    CountsModel,
    OffersModel,
    ServersView,
    counts_summary,
)
from inspector.gui.session.session import Session
from inspector.gui.theme import apply_theme
from inspector.model import Conversation, Message, Workspace
from inspector.tokens.servers import server
from inspector.tokens.servers.server import Measured, ServedModel, Server
from inspector.tokens.servers.tables import Offer, offers_of
from tests.servers import recorded as record


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)
    monkeypatch.setattr(server, "LIMITS", replace(server.LIMITS, silence_seconds=0.3))


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication, session: Session) -> Iterator[ServersView]:
    apply_theme(qapp, "light")
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ServersDialog(session, RememberedColumns(None), parent)
    with qtbot.waitExposed(dialog):
        dialog.open_beside()
    yield dialog.view
    assert parent.findChild(ServersDialog) is dialog


def show_chat(qtbot: QtBot, session: Session, texts: tuple[str, ...] = ("one two three", "four", "five six")) -> None:
    messages = tuple(Message(f"m{n}", ("user", "assistant")[n % 2], text) for n, text in enumerate(texts))
    scenario = Scenario(policy="naive", tokenizer="estimate:words", context_window=500)
    session.show_workspace(Workspace(conversations=(Conversation("c1", messages),)), scenario)
    qtbot.waitUntil(lambda: session.is_ready and session.answer is not None)


def find(qtbot: QtBot, view: ServersView, *addresses: str) -> None:
    view.addresses.setText(" ".join(addresses))
    view.find_button.click()
    qtbot.waitUntil(lambda: not view.cancel_button.isVisible())


def compare(qtbot: QtBot, view: ServersView) -> list[list[str]]:
    view.measure_button.click()
    qtbot.waitUntil(lambda: not view.cancel_button.isVisible())
    return cells(view.counts)


def cells(model: OffersModel | CountsModel) -> list[list[str]]:
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


def test_nothing_is_asked_by_itself(view: ServersView, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    def fail(*arguments: Any) -> Any:
        raise AssertionError("it asked")

    monkeypatch.setattr(server_search, "find_servers", fail)
    view.hide()
    view.show()
    qtbot.wait(20)
    assert view.offer_table._empty.text() == NOT_ASKED
    assert not view.window_button.isEnabled()
    assert not view.measure_button.isEnabled()


def test_what_servers_offer_is_listed_and_the_loaded_one_selected(view: ServersView, qtbot: QtBot) -> None:
    with record.recorded(record.LM_STUDIO) as one, record.recorded(record.OLLAMA) as other:
        find(qtbot, view, one, other)
    QAbstractItemModelTester(view.offers, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert cells(view.offers)[:2] == [
        ["LM Studio", "qwen2-vl-7b", "not loaded", "–", "32,768"],
        ["LM Studio", "meta-llama-3.1-8b-instruct", "loaded", "4,096", "131,072"],
    ]
    assert cells(view.offers)[2] == ["Ollama 0.12.6", "qwen2.5:7b", "loaded", "8,192", "32,768"]
    assert view.offer is not None
    assert view.offer.model is not None
    assert view.window_button.isEnabled()
    assert not view.measure_button.isEnabled()


def test_the_window_of_a_server_becomes_the_scenarios(view: ServersView, session: Session, qtbot: QtBot) -> None:
    models = {"data": [{"id": "gpt-4o:latest", "owned_by": "vllm", "max_model_len": 9000}]}
    with record.recorded({**record.VLLM, "/v1/models": models}) as address:
        find(qtbot, view, address)
    view.window_button.click()
    assert (session.scenario.context_window, session.scenario.model) == (9000, "gpt-4o")
    assert "9,000 tokens and gpt-4o" in view.said.text()
    session.undo_stack.undo()
    assert (session.scenario.context_window, session.scenario.model) == (None, None)


def test_a_model_that_the_table_does_not_know_leaves_ours(view: ServersView, session: Session, qtbot: QtBot) -> None:
    models = {"data": [{"id": "no-such-model", "owned_by": "vllm", "max_model_len": 700}]}
    with record.recorded({**record.VLLM, "/v1/models": models}) as address:
        find(qtbot, view, address)
    view.window_button.click()
    assert (session.scenario.context_window, session.scenario.model) == (700, None)
    assert "does not know this model" in view.said.text()


def test_counts_stand_beside_ours(view: ServersView, session: Session, qtbot: QtBot) -> None:
    show_chat(qtbot, session)
    with record.recorded(record.LLAMA_CPP) as address:
        find(qtbot, view, address)
        assert "this machine" in view.measure_button.toolTip()
        assert compare(qtbot, view) == [
            ["1  user", "3", "3", "0"],
            ["2  assistant", "1", "1", "0"],
            ["3  user", "2", "2", "0"],
        ]
    assert "counts 6 tokens in 3 messages, as we do" in view.summary.text()
    assert "The whole prompt is 11 tokens, measured by your server" in view.summary.text()
    assert view.problem.isHidden()


def test_differences_are_said(view: ServersView, session: Session, qtbot: QtBot) -> None:
    show_chat(qtbot, session)
    counting = {"/tokenize": lambda body: {"count": 7}}
    with record.recorded({**record.VLLM, **counting}) as address:
        find(qtbot, view, address)
        assert [row[3] for row in compare(qtbot, view)] == ["−4", "−6", "−5"]
    assert "counts 21 tokens, we count 6; 3 of 3 messages differ" in view.summary.text()
    assert SPECIALS_NOTE in view.summary.text()


def test_a_refusal_ends_the_counts_with_a_sentence(view: ServersView, session: Session, qtbot: QtBot) -> None:
    show_chat(qtbot, session)
    with record.recorded({**record.LLAMA_CPP, "/tokenize": 500}) as address:
        find(qtbot, view, address)
        assert compare(qtbot, view) == []
    assert view.problem.text() == f"{address} answers POST /tokenize with error 500."
    assert view.find_button.isEnabled()


def test_counts_of_a_prompt_that_was_changed_say_so(view: ServersView, session: Session, qtbot: QtBot) -> None:
    show_chat(qtbot, session)
    with record.recorded(record.LLAMA_CPP) as address:
        find(qtbot, view, address)
        compare(qtbot, view)
        assert not view.count_table.painter.dimmed
        session.edit(use_window, 400)
        qtbot.waitUntil(lambda: session.is_ready)
        assert view.count_table.painter.dimmed
        assert view.summary.text().count(OUTDATED) == 1
        compare(qtbot, view)
    assert not view.count_table.painter.dimmed
    assert OUTDATED not in view.summary.text()


def test_a_prompt_that_changes_while_it_is_counted_is_of_before(
    view: ServersView, session: Session, qtbot: QtBot
) -> None:
    show_chat(qtbot, session, ("one two",) * 30)
    go_on = threading.Event()
    asked: list[str] = []

    def count(body: Any) -> Any:
        if len(asked) > 25:
            go_on.wait(5)
        asked.append("")
        return {"tokens": [1, 2]}

    with record.recorded({**record.LLAMA_CPP, "/tokenize": count}) as address:
        find(qtbot, view, address)
        view.measure_button.click()
        qtbot.waitUntil(lambda: view.counts.rowCount() > 0)
        session.edit(use_window, 400)
        qtbot.waitUntil(lambda: view.count_table.painter.dimmed)
        go_on.set()
        qtbot.waitUntil(lambda: not view.cancel_button.isVisible())
    assert view.summary.text().startswith(f"{OUTDATED} Your server counts 60 tokens")


def test_what_a_server_did_not_tell_is_still_said_after_counting(
    view: ServersView, session: Session, qtbot: QtBot
) -> None:
    show_chat(qtbot, session)
    with record.recorded({**record.LLAMA_CPP_PYTHON, "/extras/tokenize/count": 500}) as address:
        find(qtbot, view, address)
        compare(qtbot, view)
    refused, untold = view.problem.text().splitlines()
    assert "error 500" in refused
    assert "does not tell how long a context" in untold


def test_without_a_prompt_there_is_nothing_to_count(view: ServersView, qtbot: QtBot) -> None:
    with record.recorded(record.LLAMA_CPP) as address:
        find(qtbot, view, address)
        compare(qtbot, view)
    assert view.problem.text() == NO_PROMPT


def test_addresses_that_do_not_answer_are_said_and_silent_usual_ones_are_not(
    view: ServersView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with record.recorded(record.OTHER) as gone:
        pass
    find(qtbot, view, gone, "nonsense,")
    assert view.problem.text().splitlines()[0] == f"{gone} refuses the connection: nothing listens there."
    assert "'nonsense' is not the address" in view.problem.text()
    monkeypatch.setattr(server_search, "DEFAULT_ADDRESSES", (gone,))
    find(qtbot, view)
    assert view.problem.isHidden()
    assert view.offer_table._empty.text() == NONE_FOUND


def test_a_search_can_be_cancelled(view: ServersView, session: Session, qtbot: QtBot) -> None:
    go_on = threading.Event()
    with record.recorded({**record.OLLAMA, "/api/tags": lambda body: go_on.wait(5)}) as address:
        view.addresses.setText(address)
        view.find_button.click()
        assert view.cancel_button.isVisible()
        assert not view.find_button.isEnabled()
        view.cancel_button.click()
        assert not session.tasks.is_running()
        assert not view.cancel_button.isVisible()
        assert view.find_button.isEnabled()
        go_on.set()
        session.tasks.stop()
        qtbot.wait(0)
    assert cells(view.offers) == []


def test_a_server_of_another_machine_is_named_before_anything_is_sent_there(view: ServersView) -> None:
    view.add_server(Server("vllm", "10.0.0.5:8000", "", (ServedModel("m", 100),), True), wanted=True)
    assert "10.0.0.5:8000, which is another machine" in view.measure_button.toolTip()
    assert view.measure_button.isEnabled()


def test_a_model_that_is_not_loaded_is_not_counted_with(view: ServersView) -> None:
    view.add_server(Server("llama_cpp", "127.0.0.1:1", "", (ServedModel("m", loaded=False),), True), wanted=True)
    assert not view.measure_button.isEnabled()
    assert not view.window_button.isEnabled()


def test_a_server_without_models_is_listed() -> None:
    server = Server("koboldcpp", "127.0.0.1:1")
    assert offers_of(server) == (Offer(server, None),)
    model = OffersModel()
    model.show_offers(offers_of(server))
    assert cells(model) == [["KoboldCpp", "no model", "", "–", "–"]]


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((Measured("1", 5, 5),), "counts 5 tokens in 1 message, as we do"),
        ((Measured("1", 5, 6),), "1 of 1 message differs"),
        ((Measured("1", 5, 6), Measured("2", 6, 5)), "counts 11 tokens, we count 11; 2 of 2 messages differ"),
    ],
)
def test_the_summary_counts_messages_that_differ(counts: tuple[Measured, ...], said: str) -> None:
    assert said in counts_summary(counts)


def test_every_control_has_a_name(view: ServersView) -> None:
    controls = (
        *(view.addresses, view.find_button, view.cancel_button, view.window_button, view.measure_button),
        *(view.offer_table, view.count_table),
    )
    assert all(control.objectName() and control.accessibleName() for control in controls)
