"""The page of one prompt: it loads nothing, is read without scripts, and redacted has nothing of any text in it."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from inspector.assembly.answer import Answer, measured, planned_answer
from inspector.assembly.bar_drawing import bar_drawing
from inspector.assembly.marks import ItemKey, Marks
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.preset import Preset
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.drawings.colors import DARK, Role
from inspector.drawings.svg import svg
from inspector.model import Character, Conversation, Lorebook, LoreEntry, Memory, MemorySet, Message, Workspace
from inspector.pages.export import UnknownEndingError, export_answer
from inspector.pages.prompt_page import prompt_page
from inspector.pages.redaction import Redaction, Telling
from inspector.plugins import policies

SECRETS = ("harbour", "kettle", "Nova", "lighthouse", "birthday", "m-secret", "seaweed")
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e'


class Page(HTMLParser):
    """What is written in a page, and its elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in ("meta", "input"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


@pytest.fixture
def pipeline() -> Pipeline:
    """A chat, a card, a memory and lore, each with words that nothing else has, some of them as ids."""
    messages = [
        Message(f"m-secret{n}", "user" if n % 2 == 0 else "assistant", f"the harbour {n} a b") for n in range(8)
    ]
    workspace = Workspace(
        conversations=(Conversation("birthday", tuple(messages), title="birthday"),),
        characters=(Character("Nova", "Nova", system_prompt="mind the kettle"),),
        memory_sets=(MemorySet("m", (Memory("lighthouse", "the lighthouse is dark"),)),),
        lorebooks=(Lorebook("l", (LoreEntry("seaweed", "green seaweed", keys=("harbour",)),)),),
    )
    return Pipeline(workspace, policies()[0], load_presets())


def answered(pipeline: Pipeline, **settings: object) -> Answer:
    scenario = Scenario(**{"tokenizer": "estimate:words", "context_window": 90, **settings})  # type: ignore[arg-type]
    return measured(pipeline, planned_answer(pipeline, pipeline.case(scenario)))


def test_every_item_has_a_row_and_every_fate_and_section_a_box(pipeline: Pipeline) -> None:
    answer = answered(pipeline)
    text = prompt_page(answer)
    page = Page(text)
    assert sum(len(row) == 7 for row in page.rows) == 1 + len(answer.assembly.candidates)
    boxes = {value for name, value in page.attributes if name == "id" and value[:2] in ("f-", "s-")}
    assert boxes
    for name in boxes:
        assert f"#{name}:not(:checked) ~ .wide .{name} {{ display: none; }}" in text


def test_it_loads_nothing_and_runs_no_script_but_its_own(pipeline: Pipeline) -> None:
    page = Page(prompt_page(answered(pipeline, draft=HOSTILE, query=HOSTILE)))
    assert page.tags.count("script") == 1
    assert not {"img", "link", "iframe", "object", "base"} & set(page.tags)
    assert not any(name.startswith("on") or name in ("src", "href", "style") for name, _ in page.attributes)
    assert any(value.startswith("default-src 'none'") for name, value in page.attributes if name == "content")
    assert any(HOSTILE[:-1] in row[-1] for row in page.rows)
    text = prompt_page(answered(pipeline, draft=HOSTILE)).replace(SVG_NAMESPACE, "")
    assert not re.search(r"https?:|@import|url\((?!#)|\u202e", text)


def test_what_changed_from_the_baseline_is_named(pipeline: Pipeline) -> None:
    before, after = answered(pipeline, context_window=400), answered(pipeline)
    page = Page(prompt_page(after, before))
    assert ["context_window", "400", "90"] in page.rows
    assert ["1", "kept → ✕ dropped"] in [row[:2] for row in page.rows]


def test_redacted_it_has_nothing_of_any_text(pipeline: Pipeline) -> None:
    pipeline.known.marks = Marks((ItemKey("m-secret0"),), {ItemKey("m-secret1"): "ask about seaweed"})
    given = {
        "draft": "more seaweed?",
        "query": "where is the kettle",
        "pinned": ("m-secret2",),
        "excluded": ("lighthouse", "birthday of nobody"),
        "overrides": {"m-secret3": {"content": "seaweed"}},
    }
    answer, before = answered(pipeline, **given), answered(pipeline, context_window=400)
    plain, redacted = prompt_page(answer, before), prompt_page(answer, before, redacts=True)
    for word in SECRETS:
        assert word in plain
        assert word not in redacted
    assert "Must stay." in redacted


@pytest.mark.parametrize("tokenizer", ["hf:/home/ludmila/model", r"gguf:C:\Users\ludmila\model.gguf"])
def test_redacted_it_has_nothing_of_the_place_of_a_tokenizer(pipeline: Pipeline, tokenizer: str) -> None:
    answer = answered(pipeline)
    answer = replace(
        answer,
        case=replace(answer.case, scenario=replace(answer.case.scenario, tokenizer=tokenizer)),
        ledger=replace(answer.ledger, tokenizer=tokenizer),
    )
    assert "model" in prompt_page(answer)
    assert "ludmila" not in prompt_page(answer, redacts=True)
    assert "estimate:chorus" in prompt_page(answered(pipeline, tokenizer="estimate:chorus"), redacts=True)


def test_redacted_no_name_that_somebody_gave_is_told() -> None:
    model = {"model": "acme-kettle-7b", "context_window": 90}
    workspace = Workspace(
        conversations=(Conversation("c", (Message("m", "user", "the same"), Message("n", "user", "the same"))),),
        characters=(Character("Nova", "Nova", preferred_llm=model),),
    )
    presets = {**load_presets(), ("ratio", "kettle"): Preset()}
    answer = answered(Pipeline(workspace, policies()[0], presets), context_window=None, preset="kettle")
    page = prompt_page(answer, redacts=True)
    assert "kettle" in prompt_page(answer)
    assert "kettle" not in page
    telling = Telling(answer, Redaction())
    for tokenizer in ("gguf:kettle.gguf", "hf:kettle", "server:http://kettle", "hf:/home/kettle/model", "kettle"):
        assert "kettle" not in telling.setting("tokenizer", tokenizer)
    assert telling.setting("tokenizer", "embedded:o200k_base") == "embedded:o200k_base"
    assert telling.setting("model", "gpt-4o") == "gpt-4o"
    assert "kettle" not in telling.setting("response_reserve", "kettle")
    assert telling.setting("memory_role", "system") == "system"


def test_redacted_the_sentence_of_an_error_is_not_told(pipeline: Pipeline) -> None:
    refused = answered(pipeline, policy="ratio", parameters={"kettle": "lighthouse"})
    assert refused.assembly.error is not None
    assert "kettle" in prompt_page(refused, refused)
    for page in (prompt_page(refused, None, True), prompt_page(refused, refused, True)):
        assert "kettle" not in page
        assert "lighthouse" not in page
        assert refused.assembly.error.code in page


def test_equal_texts_are_seen_to_be_equal_in_one_report_and_in_no_other() -> None:
    one, other = Redaction(), Redaction()
    assert one.hidden("yes") == one.hidden("yes") != one.hidden("no")
    assert one.hidden("yes") != other.hidden("yes"), "nobody finds it by the hashes of all words"
    assert one.hidden("abc").endswith(", 3 characters")
    assert one.hidden("\ud800").endswith(", 1 character")
    assert one != other
    assert "yes" not in repr(one)


def test_only_the_page_can_be_redacted(pipeline: Pipeline, tmp_path: Path) -> None:
    with pytest.raises(UnknownEndingError, match="redacted"):
        export_answer(answered(pipeline), pipeline.workspace, tmp_path / "a.csv", redacts=True)
    assert list(tmp_path.iterdir()) == []


def test_a_drawing_keeps_its_size_on_a_narrow_page_and_words_stay_whole(pipeline: Pipeline) -> None:
    page = prompt_page(answered(pipeline))
    assert page.count('<div class="wide"><svg') == page.count("<svg") == 1
    assert "overflow-wrap: anywhere" not in page
    assert "max-width: 100%; height: auto" not in page


def test_the_only_bar_begins_at_the_edge_and_two_leave_room_for_their_names(pipeline: Pipeline) -> None:
    answer = answered(pipeline)
    alone, compared = (svg([bar_drawing(answer, before)]).decode() for before in (None, answer))
    assert "before" not in alone
    assert int(re.findall(r'width="(\d+)"', alone)[0]) < int(re.findall(r'width="(\d+)"', compared)[0])


def test_the_bar_of_a_page_is_the_file_and_takes_dark_colours_by_its_roles(pipeline: Pipeline) -> None:
    answer = answered(pipeline, context_window=900)
    page = prompt_page(answer)
    assert svg([bar_drawing(answer)]).decode() in page
    assert page.count('<rect class="free" ') == 2, "in the bar and in its legend"
    dark = page[page.index("prefers-color-scheme: dark") :]
    for role in (Role.FREE, Role.BASE, Role.TEXT, Role.OVERHEAD):
        assert f"svg .{role} {{ fill: {DARK[role]}; }}" in dark


def test_boxes_keep_their_words_on_a_narrow_page(pipeline: Pipeline) -> None:
    page = prompt_page(answered(pipeline))
    boxes = re.findall(r'<div id="items"[^>]*>(.*?)<div class="wide">', page)[0]
    assert re.fullmatch(r'(<input type="checkbox" [^>]*><label [^>]*>[^<]*</label>)+', boxes)
    assert "grid-template-columns: repeat(auto-fill, 1.3em minmax(9.5em, 1fr))" in page, (
        "a box and its words are columns together"
    )


def test_a_baseline_that_could_not_be_made_has_no_figures(pipeline: Pipeline) -> None:
    after = answered(pipeline, policy="naive")
    refused = answered(pipeline, policy="ratio", parameters={"history_share": 0.9})
    assert refused.assembly.error is not None
    text = prompt_page(after, refused)
    page = Page(text)
    assert f"No prompt was made of the baseline: {refused.assembly.error.message}" in text
    assert ["policy", "ratio", "naive"] in page.rows
    assert not any(row[:2] == ["Part", "Before"] or "Reason after" in row for row in page.rows)
    assert svg([bar_drawing(after, refused)]) == svg([bar_drawing(after)])


@pytest.mark.parametrize("ending", ["html", "md", "svg"])
def test_a_prompt_that_could_not_be_made_has_no_figures(pipeline: Pipeline, tmp_path: Path, ending: str) -> None:
    good = answered(pipeline)
    refused = answered(pipeline, policy="ratio", parameters={"history_share": 0.9})
    assert refused.assembly.error is not None
    export_answer(refused, pipeline.workspace, tmp_path / f"a.{ending}", before=good)
    text = (tmp_path / f"a.{ending}").read_text("utf-8")
    assert ("No prompt was made" if ending == "svg" else refused.assembly.error.message) in text
    assert not re.search(r"100[.]0 %|[0-9]+ free|free . [0-9]|items? of|not decided", text)
