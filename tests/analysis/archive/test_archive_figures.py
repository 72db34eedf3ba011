"""The figures of chats and of whole archives: counted by hand, or in a plainer way."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector.analysis.archive.chats import Opening
from inspector.analysis.archive.figures import BINS, ESTIMATORS, WALL_TOKENS, ChatFigures, chat_figures, script_of
from inspector.analysis.archive.summary import FiguresOfFiles, bin_name, spread, summary_of
from inspector.assembly.columns import Action
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Workspace
from tests.archives import files_in, opening, write_chats


@pytest.fixture
def figures(pipeline: Pipeline, scenario: Scenario) -> ChatFigures:
    return chat_figures(pipeline, scenario)


def test_messages_by_role(figures: ChatFigures) -> None:
    assert (figures.messages, figures.tokens) == (10, 86)
    user, assistant = figures.roles["user"], figures.roles["assistant"]
    assert (user.messages, user.tokens, assistant.messages, assistant.tokens) == (5, 56, 5, 30)
    lengths = dict(zip(map(bin_name, range(BINS)), user.lengths, strict=True))
    assert {name: count for name, count in lengths.items() if count} == {"2–3": 1, "4–7": 1, "8–15": 2, "16–31": 1}


def test_walls_of_text(found: Workspace, pipeline: Pipeline, scenario: Scenario) -> None:
    tall = replace(scenario, overrides={"m2": {"tokens": WALL_TOKENS}, "m3": {"tokens": WALL_TOKENS - 1}})
    figures = chat_figures(pipeline, tall)
    assert (figures.walls, figures.wall_tokens) == (1, WALL_TOKENS)


def test_what_is_left_out_adds_up(pipeline: Pipeline, scenario: Scenario, figures: ChatFigures) -> None:
    assembly = pipeline.assemble(make_all(pipeline, scenario))
    left_out = assembly.action == Action.DROPPED
    assert figures.left_out == sum(items for items, _ in figures.dropped.values()) == left_out.sum()
    tokens = sum(tokens for _, tokens in figures.dropped.values())
    assert tokens == assembly.candidates.tokens[left_out].sum()
    assert {section for section, _ in figures.dropped} == {"memory", "history"}


@pytest.mark.parametrize("window", [40, 70, 120, 200, 1000])
def test_when_the_budget_is_exhausted_is_what_every_turn_says(
    pipeline: Pipeline, scenario: Scenario, window: int
) -> None:
    asked = replace(scenario, context_window=window)
    lacking = [number for number in range(1, 11) if _lacks(pipeline, replace(asked, at=number))]
    assert chat_figures(pipeline, asked).exhausted_at == next(iter(lacking), None)


def _lacks(pipeline: Pipeline, scenario: Scenario) -> bool:
    assembly = pipeline.assemble(make_all(pipeline, scenario))
    return bool((assembly.action[assembly.candidates.existing_messages] != Action.KEPT).any())


def test_reach_is_counted_from_the_newest(pipeline: Pipeline, scenario: Scenario) -> None:
    assert chat_figures(pipeline, replace(scenario, context_window=1000)).reach == 10
    narrow = chat_figures(pipeline, scenario)
    assert 0 < narrow.reach < 10
    assert narrow.reach_days is None


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Hello", "Latin"),
        ("Grüß Gott, Привет", "Latin"),
        ("Привет", "Cyrillic"),
        ("三人行必有我師", "Han"),
        ("東京へ行きます", "Japanese"),
        ("안녕하세요", "Hangul"),
        ("नमस्ते", "Devanagari"),
        ("🎉 123", "other"),
        ("1, 2", "other"),
        ("", "other"),
    ],
)
def test_scripts(text: str, script: str) -> None:
    assert script_of(text) == script


def test_estimates_are_compared_by_script(figures: ChatFigures) -> None:
    (script,) = summary_of([figures]).scripts
    assert (script.script, script.messages, script.tokens) == ("Latin", 10, 86)
    characters = 86 * 2 - 10
    assert script.characters == characters
    chorus = sum(max(1, (2 * cost - 1) // 4) for cost in (9, 4, 30, 6, 2, 12, 7, 3, 8, 5))
    assert script.errors[ESTIMATORS.index("estimate:chorus")] == pytest.approx((chorus - 86) / 86)


def test_an_archive_is_the_sum_of_its_chats(tmp_path: Path) -> None:
    chats = write_chats(tmp_path / "chats", 5)
    (chats / "broken.json").write_text("{")
    work = FiguresOfFiles(opening(), Scenario(tokenizer="estimate:words", context_window=60))
    found, bad = work(tuple(files_in(chats)))
    summary = summary_of(found, bad)
    assert [Path(one.path).name for one in summary.bad] == ["broken.json"]
    assert summary.messages == spread([8] * 5)
    assert summary.tokens.total == sum(chat.tokens for chat in found)
    assert sum(role.tokens for role in summary.roles) == summary.tokens.total
    assert sum(sum(role.lengths) for role in summary.roles) == 40
    assert (
        summary.exhausted.count == sum(chat.exhausted_at is not None for chat in found) == sum(summary.exhausted_bins)
    )
    assert [(one.section, one.chats, one.unused) for one in summary.sections if one.section == "memory"] == [
        ("memory", 5, 5)
    ]
    assert summary.dropped[0].tokens == max(one.tokens for one in summary.dropped)


def test_nothing_comes_to_nothing() -> None:
    summary = summary_of([])
    assert (summary.tokens.total, summary.roles, summary.dropped) == (0, (), ())


def test_a_spread_names_values_that_are_there() -> None:
    assert spread([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100]).median == 6
    assert spread([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100]).most == 10
    assert spread([4]).largest == 4
    assert (spread([14, 337]).median, spread([14, 337]).most) == (14, 337), "one of two is no nine of ten"


def test_who_opens_takes_no_file_with_probes_alone_for_a_bad_one(tmp_path: Path) -> None:
    file = tmp_path / "asked.json"
    file.write_text('{"format": "prompt-inspector/probes@1", "probes": [{"id": "q", "evidence": ["m0"]}]}')
    made: Opening = opening()
    assert made.read(str(file))[1] == []
