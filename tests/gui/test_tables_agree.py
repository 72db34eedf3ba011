"""The tables of the window have the rows that the commands write for the same answer."""

from dataclasses import replace

import numpy as np
from answers import answer_of, message, pipeline_for, timed_messages
from click.testing import CliRunner
from pytestqt.qtbot import QtBot

from inspector.analysis.archive.listing import Archive
from inspector.analysis.archive.overview import overview
from inspector.analysis.basis import Basis, result_of
from inspector.analysis.keeping.search import ways_to_keep
from inspector.analysis.keeping.tables import WAYS, Ways
from inspector.analysis.recorded.tables import RECORDED
from inspector.assembly.answer import item_values
from inspector.assembly.compare import compare
from inspector.assembly.compare_tables import CHANGES
from inspector.assembly.item_tables import ITEM_ROWS
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.recorded import compare_recorded
from inspector.assembly.scenario import Scenario
from inspector.cli import group
from inspector.formats import load_workspace
from inspector.gui.keeping.dialog import WaysModel
from inspector.gui.plots.exporting import table_csv
from inspector.gui.screens.changes.model import ComparisonModel
from inspector.gui.screens.changes.recorded_model import RecordedModel
from inspector.gui.screens.conversations.view import ConversationsModel
from inspector.gui.screens.decisions.model import DecisionModel
from inspector.gui.servers.view import CountsModel, OffersModel
from inspector.gui.token_text.view import TokenTableModel
from inspector.plugins import policies
from inspector.resources import samples_folder
from inspector.tokens.embedded import embedded_tokenizer
from inspector.tokens.servers.server import Measured, ServedModel, Server
from inspector.tokens.servers.tables import COUNTS, OFFERS, offers_of
from inspector.tokens.shown.tokens import Stretch, shown_tokens

PIPELINE = pipeline_for(timed_messages(60), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
WIDE, NARROW = answer_of(PIPELINE, 300), answer_of(PIPELINE, 160)


def written(*arguments: str, stdin: str = "") -> bytes:
    result = CliRunner().invoke(group, [*arguments, "--format", "csv"], input=stdin)
    assert result.exit_code == 0, result.stderr
    return result.stdout_bytes


def test_the_tokens_of_a_text(qtbot: QtBot) -> None:
    text = "Ahoi, café!\nzwei"
    model = TokenTableModel()
    model.show_tokens(shown_tokens((Stretch(text),), embedded_tokenizer("o200k_base")))
    assert table_csv([model]) == written("tokens", "-", "--tokenizer", "embedded:o200k_base", stdin=text)


def test_the_conversations_of_an_archive(qtbot: QtBot) -> None:
    file = samples_folder() / "companion.workspace.yaml"
    pipeline = Pipeline(load_workspace([file]), policies()[0], load_presets())
    chats = pipeline.workspace.conversations
    looked = {one.row: one for one in overview(Basis(pipeline, Scenario()))}
    model = ConversationsModel()
    archive = replace(Archive.of(chats), looked=looked)
    model.show(archive, archive.matching(""), tuple(chat.id for chat in chats))
    assert table_csv([model]) == written("conversations", str(file))


def test_models_of_servers_and_counts_beside_theirs(qtbot: QtBot) -> None:
    offers = offers_of(
        Server("ollama", "127.0.0.1:1", "1.0", (ServedModel("a", 9, None), ServedModel("b", loaded=False)))
    )
    counts = (Measured("m0", 3, 13), Measured("m1", 2, 2))
    offered, counted = OffersModel(), CountsModel()
    offered.show_offers(offers)
    counted.show_counts(counts)
    assert list(offered.records()) == list(OFFERS.records(offers))
    assert list(counted.records()) == list(COUNTS.records(counts))


def test_of_the_items(qtbot: QtBot) -> None:
    assembly = NARROW.assembly
    model = DecisionModel()
    model.show(assembly, assembly.order, assembly.candidates.ids)
    shown, values = list(model.records()), list(item_values(NARROW))
    assert [{key: row[key] for key in value if key != "counted"} for row, value in zip(shown, values, strict=True)] == [
        {key: value[key] for key in value if key != "counted"} for value in values
    ]
    written = list(ITEM_ROWS.records(assembly))
    assert [{key: row[key] for key in row if key != "score"} for row in written] == [
        {key: row[key] for key in written[0] if key != "score"} for row in shown
    ]


def test_of_a_comparison(qtbot: QtBot) -> None:
    comparison = compare(WIDE.assembly, NARROW.assembly)
    model = ComparisonModel()
    model.show_comparison(comparison)
    assert list(model.records()) == list(CHANGES.records(comparison)) != []


def test_of_what_was_recorded(qtbot: QtBot) -> None:
    noted = [message(number, metadata={"recorded": {"action": "kept", "by": "rules"}}) for number in range(30)]
    comparison = compare_recorded(answer_of(pipeline_for(noted), 100).assembly)
    model = RecordedModel()
    model.show_comparison(comparison)
    shown = {str(row["id"]): row for row in model.records()}
    assert [shown[str(row["id"])] for row in RECORDED.records(comparison)] == list(RECORDED.records(comparison)) != []


def test_of_the_ways_to_keep(qtbot: QtBot) -> None:
    lost = np.flatnonzero(~NARROW.assembly.in_prompt)[-1:]
    found = result_of(ways_to_keep(Basis(PIPELINE, NARROW.scenario), lost))
    ways = Ways(found, NARROW.assembly.candidates)
    model = WaysModel()
    model.show_ways(ways)
    assert list(model.records()) == list(WAYS.records(ways)) != []
