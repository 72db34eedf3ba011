"""Exports: each form says what the answer says, escapes what must be, and never touches a source."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from inspector.assembly.answer import Answer, answer_value, measured, planned_answer
from inspector.assembly.columns import Section
from inspector.assembly.item_tables import FILE_KEYS
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.formats.chat_exports import CHAT_EXPORTS, NothingSaidError, export_chat
from inspector.model import Call, Character, Conversation, Memory, MemorySet, Message, Source, Text, Tool, Workspace
from inspector.pages.export import ENDINGS, UnknownEndingError, export_answer
from inspector.plugins import policies
from inspector.sources import SourceProtectedError

NASTY = "<script>alert(1)</script>|a*b*"


@pytest.fixture
def pipeline(tmp_path: Path) -> Pipeline:
    """Ten messages of about five words, one with an id and a text that are HTML, Markdown and a formula."""
    messages = [Message(f"m{number}", "user" if number % 2 == 0 else "assistant", "a b c d e") for number in range(9)]
    messages.append(Message(f"={NASTY}", "assistant", f"{NASTY} g h i j", name="+Nova"))
    workspace = Workspace(
        conversations=(Conversation("c", tuple(messages)),), sources=(Source(str(tmp_path / "talk.json"), "openai"),)
    )
    return Pipeline(workspace, policies()[0], load_presets())


@pytest.fixture
def answer(pipeline: Pipeline) -> Answer:
    """Some kept, some dropped, measured."""
    scenario = Scenario(tokenizer="estimate:words", context_window=60, parameters={"min_exchanges": 1})
    return measured(pipeline, planned_answer(pipeline, pipeline.case(scenario)))


def written(pipeline: Pipeline, answer: Answer, file: Path) -> str:
    export_answer(answer, pipeline.workspace, file)
    return file.read_text()


def test_json_is_the_assembly_of_the_contract(pipeline: Pipeline, answer: Answer, tmp_path: Path) -> None:
    assert json.loads(written(pipeline, answer, tmp_path / "a.json")) == json.loads(json.dumps(answer_value(answer)))


def test_csv_has_one_line_for_each_item_and_no_formula(pipeline: Pipeline, answer: Answer, tmp_path: Path) -> None:
    lines = list(csv.DictReader(io.StringIO(written(pipeline, answer, tmp_path / "a.csv"))))
    items = answer_value(answer)["items"]
    assert tuple(lines[0]) == FILE_KEYS
    assert [(line["action"], int(line["tokens"]), int(line["spent"])) for line in lines] == [
        (item["action"], item["tokens"], item["spent"]) for item in items
    ]
    assert {line["action"] for line in lines} == {"kept", "dropped"}
    assert lines[-1]["id"] == f"'={NASTY}"
    assert lines[-1]["name"] == "'+Nova"
    assert all(not cell.startswith(("=", "+", "@")) for line in lines for cell in line.values())


class Cells(HTMLParser):
    """Collects tags and cell texts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.cells.append(data)


def test_html_escapes_and_loads_nothing(pipeline: Pipeline, answer: Answer, tmp_path: Path) -> None:
    page = Cells()
    page.feed(written(pipeline, answer, tmp_path / "a.html"))
    assert not page.tags & {"img", "link", "iframe", "object", "base"}
    assert any(text.startswith(NASTY) for text in page.cells)
    assert f"{answer.ledger.total:,}" in page.cells
    assert {text for found in answer.findings for text in (found.code, found.message, found.advice)} <= set(page.cells)


def test_markdown_rows_keep_their_columns(pipeline: Pipeline, answer: Answer, tmp_path: Path) -> None:
    text = written(pipeline, answer, tmp_path / "a.md")
    assert "<script>" not in text
    items = text.split("## Items")[1]
    rows = [line for line in items.splitlines() if line.startswith("| ")]
    assert len(rows) == 1 + len(answer.assembly.candidates)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {7}
    findings = [row for row in text.split("## Findings")[1].split("##")[0].splitlines() if row.startswith("| ")]
    assert [row.rsplit(" | ", 1)[1].removesuffix(" |").replace("\\", "") for row in findings] == [
        "Advice",
        *(finding.advice for finding in answer.findings),
    ]
    for heading in ("## Settings", "## Budget", "## Findings"):
        assert heading in text


def test_cells_of_tabs_and_rows_of_json_are_those_of_csv(pipeline: Pipeline, answer: Answer, tmp_path: Path) -> None:
    lines = list(csv.DictReader(io.StringIO(written(pipeline, answer, tmp_path / "a.csv"))))
    tabbed = [line.split("\t") for line in written(pipeline, answer, tmp_path / "a.tsv").splitlines()]
    assert tabbed == [list(FILE_KEYS), *(list(line.values()) for line in lines)]
    rows = json.loads(written(pipeline, answer, tmp_path / "a.items.json"))
    assert rows[-1]["id"] == f"={NASTY}"
    assert [row["spent"] for row in rows] == [int(line["spent"]) for line in lines]


def test_the_bar_is_a_drawing_with_the_figures_of_the_prompt(
    pipeline: Pipeline, answer: Answer, tmp_path: Path
) -> None:
    drawn = ElementTree.fromstring(written(pipeline, answer, tmp_path / "a.svg"))
    texts = ["".join(text.itertext()) for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    history = int(answer.assembly.used[Section.HISTORY])
    assert any(re.fullmatch(rf"history (≈ )?{history} \(.*%\)", text) for text in texts)
    assert f"{answer.ledger.total:,} of 60 tokens" in drawn.attrib["aria-label"]


def test_text_is_the_prompt_as_the_model_gets_it(pipeline: Pipeline, answer: Answer, tmp_path: Path) -> None:
    text = written(pipeline, answer, tmp_path / "a.txt")
    assert text.startswith("<|im_start|>")
    assert text.count("a b c d e") == int(answer.assembly.in_prompt.sum()) - 1
    assert text.endswith("assistant<|im_sep|>")


def test_an_error_is_exported_too(pipeline: Pipeline, tmp_path: Path) -> None:
    scenario = Scenario(tokenizer="estimate:words", parameters={"memory_share": 0.9})
    failed = planned_answer(pipeline, pipeline.case(scenario))
    assert failed.assembly.error is not None
    for ending in {*ENDINGS} - {".anthropic.json"}:
        export_answer(failed, pipeline.workspace, tmp_path / f"failed{ending}")
    with pytest.raises(NothingSaidError):  # a request without a message is none
        export_answer(failed, pipeline.workspace, tmp_path / "failed.anthropic.json")
    assert failed.assembly.error.message in (tmp_path / "failed.html").read_text()
    assert (tmp_path / "failed.txt").read_text() == ""


_KEY = "ghp" + "_aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"
_HIDDEN = f"\x1b[2J {_KEY}\x9b31m\u202e"
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def test_no_form_tells_a_secret_or_commands_a_terminal(tmp_path: Path) -> None:
    call = Call(_HIDDEN, _HIDDEN, _HIDDEN)
    messages = [
        Message(f"{_HIDDEN}{number}", "user" if number % 2 == 0 else "assistant", _HIDDEN, name=_HIDDEN)
        for number in range(9)
    ]
    messages[1] = Message("m", "assistant", summary=_HIDDEN, parts=(Text(_HIDDEN), call))
    talk = Conversation(_HIDDEN, tuple(messages), title=_HIDDEN, model=_HIDDEN)
    tool = Tool({"type": "function", "function": {"name": _HIDDEN, "description": _HIDDEN}})
    workspace = Workspace(
        (talk,),
        characters=(Character(_HIDDEN, _HIDDEN, system_prompt=_HIDDEN),),
        memory_sets=(MemorySet(_HIDDEN, (Memory(_HIDDEN, _HIDDEN),)),),
        tools=(tool,),
    )
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    scenario = Scenario(
        tokenizer="estimate:words", context_window=60, query=_HIDDEN, draft=_HIDDEN, parameters={"min_exchanges": 1}
    )
    answer = measured(pipeline, planned_answer(pipeline, pipeline.case(scenario)))
    for ending in ENDINGS:
        text = written(pipeline, answer, tmp_path / f"a{ending}")
        assert _KEY not in text, ending
        assert ending == ".txt" or not _COMMANDS.search(text), f"{ending}: only the prompt is what the model gets"
    for kind in CHAT_EXPORTS:
        text = export_chat(workspace, talk, kind).content.decode()
        assert _KEY not in text, kind
        assert not _COMMANDS.search(text), kind


def test_an_unknown_ending_names_those_that_there_are(pipeline: Pipeline, answer: Answer, tmp_path: Path) -> None:
    with pytest.raises(UnknownEndingError, match=r"\.html, \.json, .*\.csv, \.tsv, \.md, \.txt, \.svg"):
        export_answer(answer, pipeline.workspace, tmp_path / "a.pdf")


def test_an_opened_file_is_refused(pipeline: Pipeline, answer: Answer, tmp_path: Path) -> None:
    with pytest.raises(SourceProtectedError):
        export_answer(answer, pipeline.workspace, tmp_path / "talk.json")
    assert not (tmp_path / "talk.json").exists()
