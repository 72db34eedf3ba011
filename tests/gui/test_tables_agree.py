"""The tables of the window have the rows that the commands write for the same answer."""

from dataclasses import replace

from click.testing import CliRunner
from pytestqt.qtbot import QtBot

from inspector.analysis.archive.listing import Archive
from inspector.analysis.archive.overview import overview
from inspector.analysis.basis import Basis
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.cli import group
from inspector.formats import load_workspace
from inspector.gui.plots.exporting import table_csv
from inspector.gui.screens.conversations.model import ConversationsModel
from inspector.gui.screens.servers.model import CountsModel, OffersModel
from inspector.gui.token_text.model import TokenTableModel
from inspector.plugins import policies
from inspector.resources import samples_folder
from inspector.tokens.embedded import embedded_tokenizer
from inspector.tokens.servers.server import Measured, ServedModel, Server
from inspector.tokens.servers.tables import COUNTS, OFFERS, offers_of
from inspector.tokens.shown.tokens import Stretch, shown_tokens


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
    model.show_archive(replace(Archive.of(chats), looked=looked), tuple(chat.id for chat in chats), "")
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
