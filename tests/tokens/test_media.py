"""What pictures, pages, sound and film cost: golden facts, the makers' own examples, and what holds for any size."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.certainty import Certainty, Cost
from inspector.tokens.media.families import FAMILIES, family_of
from inspector.tokens.media.grids import GemmaGrid
from inspector.tokens.media.media import Media, media_of
from inspector.tokens.media.open_models import Canvas, Cells
from inspector.tokens.media.openai import Level, Patches, Tiles
from inspector.tokens.media.rules import PictureRule
from inspector.tokens.models.loading import load_models
from tests.facts import facts

_SIDES = st.integers(1, 20_000)
_LEVELS = ["", "auto", "low", "medium", "high", "original", "ultra_high", "no such level"]
_RULES = [family.picture for family in FAMILIES if family.picture is not None]
_SYMMETRIC = [rule for rule in _RULES if type(rule).__name__ in {"Tiles", "Patches", "ClaudePatches", "GemmaGrid"}]


def _media(model: str) -> Media:
    """The rules of a golden row, whose name may tell a limit: gemma-4 (1120), internvl3 (12 tiles)."""
    name, _, limit = model.partition(" (")
    media = media_of(name)
    return replace(media, picture_rule=GemmaGrid(int(limit[:-1]))) if name == "gemma-4" else media


def _is_right(cost: Cost, row: dict[str, Any]) -> bool:
    off = abs(cost.tokens - row["tokens"])
    within = off <= 0.08 * row["tokens"] if row.get("approximate") else off == 0
    marked = cost.certainty is Certainty.RULE and cost.low <= row["tokens"] <= cost.high <= row.get(
        "at_most", cost.high
    )
    return within and marked and bool(cost.rule)


def test_every_golden_picture_costs_the_same(data_folder: Path) -> None:
    rows = facts(data_folder, "pictures.jsonl")
    wrong = [
        f"{row['name']}: {cost}, expected {row['tokens']}"
        for row in rows
        if not _is_right(cost := _media(row["model"]).picture(row["width"], row["height"], row["detail"]), row)
    ]
    assert len(rows) > 300
    assert not wrong, "\n".join(wrong)


def test_golden_pages_and_seconds_cost_the_same_and_are_estimates(data_folder: Path) -> None:
    for row in facts(data_folder, "pages_seconds.jsonl"):
        media = media_of(row["model"])
        if "pages" in row:
            cost = media.document(row["pages"], tuple(row["page"]))
        else:
            cost = media.sound(row["seconds"]) if row["kind"] == "audio" else media.film(row["seconds"])
        assert (cost.tokens, cost.certainty) == (row["tokens"], Certainty.ESTIMATE), row["name"]
        assert cost.low <= cost.tokens <= cost.high


@pytest.mark.parametrize(
    ("model", "size", "detail", "tokens"),
    [
        ("gpt-4o", (1024, 1024), "", 765),
        ("gpt-4o", (2048, 4096), "high", 1105),
        ("gpt-4o", (4096, 8192), "low", 85),
        ("gpt-5", (1024, 1024), "auto", 630),
        ("gpt-4o-mini", (1024, 1024), "high", 25_501),
        ("o3-2025-04-16", (128, 64), "high", 225),
        ("gpt-4.1-mini-2025-04-14", (1800, 2400), "high", 2353),
        ("gpt-5-mini", (1600, 1600), "high", 1826),
        ("gpt-5.4", (1600, 1600), "high", 3000),
        ("gemini-2.5-flash", (384, 384), "", 258),
        ("gemini-3.1-pro-preview", (1920, 1080), "MEDIA_RESOLUTION_HIGH", 1100),
        ("gemini-3-flash-preview", (1024, 768), "media_resolution_low", 266),
        ("qwen2.5vl:7b", (640, 480), "", 391),
        ("Qwen/Qwen3-VL-8B-Instruct", (1920, 1080), "", 2040),
        ("glm-4.6v", (4032, 3024), "", 7500),
        ("gemma3:27b-it-q4_K_M", (640, 480), "", 256),
        ("gemma-4-31b-it", (1920, 1080), "", 264),
        ("pixtral-12b-2409", (1920, 1080), "", 2340),
        ("mistral-small-2503", (640, 480), "", 432),
        ("OpenGVLab/InternVL3-8B", (640, 480), "", 3328),
        ("meta-llama/Llama-3.2-11B-Vision-Instruct", (1024, 1024), "", 1),
    ],
)
def test_examples_of_the_makers(model: str, size: tuple[int, int], detail: str, tokens: int) -> None:
    cost = media_of(model).picture(*size, detail)
    assert (cost.tokens, cost.certainty) == (tokens, Certainty.RULE)


@pytest.mark.parametrize(
    ("size", "standard", "high"),
    [
        ((200, 200), 64, 64),
        ((1000, 1000), 1296, 1296),
        ((1092, 1092), 1521, 1521),
        ((1920, 1080), 1560, 2691),
        ((2000, 1500), 1564, 3888),
        ((3840, 2160), 1560, 4784),
    ],
)
def test_the_table_of_anthropic(size: tuple[int, int], standard: int, high: int) -> None:
    found = [
        media_of(name).picture(*size).tokens for name in ("claude-haiku-4-5", "claude-opus-4-7", "claude-opus-5.5")
    ]
    assert found == [standard, high, high]


def test_the_example_of_llamas_processor() -> None:
    """A picture of 200 rows and 300 columns goes on a canvas of 224 by 448: its docstring."""
    assert "2 x 1 tiles" in Canvas(tile=224, most=3).cost((300, 200), "").rule
    assert media_of("llama-4-scout").picture(336, 336).tokens == 145
    assert media_of("llama4:scout").picture(672, 336).tokens == 3 * 144 + 2 + 1


def test_a_level_not_given_shows_the_higher_figure_from_gpt_5_5_on() -> None:
    open_level, high, original = (media_of("gpt-5.5").picture(4032, 3024, level) for level in ("", "high", "original"))
    assert (open_level.tokens, open_level.certainty) == (original.tokens, Certainty.ESTIMATE)
    assert open_level.low == high.low < open_level.tokens
    assert "the level is not given" in open_level.rule
    assert media_of("gpt-5.4").picture(4032, 3024).tokens == high.tokens


def test_the_range_holds_a_bill_that_the_formula_misses() -> None:
    cost = media_of("gpt-4.1-mini").picture(4000, 1474, "high")
    assert cost.tokens == 2348
    assert cost.low <= 2488 <= cost.high


def test_large_pictures_of_gemini_2_are_not_certain() -> None:
    cost = media_of("gemini-2.5-pro").picture(960, 540)
    assert (cost.tokens, cost.low, cost.high, cost.certainty) == (258, 258, 6 * 258, Certainty.ESTIMATE)


@pytest.mark.parametrize("model", ["gpt-5.9", "gpt-5.4-luna", "gpt-5.45", "gpt-4o-legal-finetune", "gpt-5.1", ""])
def test_a_name_without_a_row_has_no_rule(model: str) -> None:
    media = media_of(model)
    costs = [media.picture(100, 100), media.document(3), media.sound(10), media.film(10)]
    assert {cost.certainty for cost in costs} == {Certainty.UNKNOWN}
    assert not any(cost.is_bounded or cost.tokens for cost in costs)
    assert all("no rule is known" in cost.rule for cost in costs)


def test_a_maker_that_is_not_the_rows_has_no_rule() -> None:
    assert media_of("gpt-4o", "OpenAI").picture_rule is not None
    assert media_of("gpt-4o", "Mistral AI").picture_rule is None


def test_an_unknown_size_is_unknown_within_the_rule() -> None:
    cost = media_of("gpt-4o").picture(None, None, "high")
    assert (cost.tokens, cost.low, cost.high, cost.certainty) == (0, 255, 1445, Certainty.UNKNOWN)
    assert media_of("gpt-4o").picture(0, 100, "high") == cost
    assert media_of("gpt-4o").picture(None, None, "low").tokens == 85
    assert media_of("gemma-3-27b").picture(None, None).tokens == 256


def test_what_a_maker_refuses_has_no_cost_by_rule() -> None:
    refused = [media_of("qwen3-vl-8b").picture(20_000, 50), media_of("gpt-6-astra").picture(9_000, 9_000, "original")]
    assert [cost.certainty for cost in refused] == [Certainty.UNKNOWN] * 2
    assert all("refuse" in cost.rule for cost in refused)
    assert media_of("gpt-4o").picture(100, 100, "original").certainty is Certainty.UNKNOWN


def test_a_document_has_its_text_and_a_picture_of_each_page() -> None:
    media = media_of("gpt-4o")
    page = media.picture(1024, 1325, "high").tokens
    known = media.document(3, (612, 792), 1_000)
    assert known.tokens == 1_000 + 3 * page
    guessed = media.document(3)
    assert guessed.certainty is Certainty.ESTIMATE
    assert guessed.low <= 3 * (600 + page) <= guessed.high
    assert guessed.high >= 3 * (3_000 + page)
    # Anthropic's page: a document of three pages costs about 7,000.
    assert abs(media_of("claude-sonnet-4-5").document(3).tokens - 7_000) < 350
    assert media.document(None).certainty is Certainty.UNKNOWN


def test_a_page_of_gemini_3_costs_its_grid() -> None:
    media = media_of("gemini-3.1-pro-preview")
    assert media.document(1, (595, 842)).tokens == 532
    assert media.document(1, (595, 842), 900).tokens == 532, "the text is not billed beside the page"


def test_sound_and_film_need_their_length() -> None:
    for media in (media_of("gemini-2.5-flash"), media_of("gemini-3-flash-preview")):
        assert {media.sound(None).certainty, media.film(0).certainty} == {Certainty.UNKNOWN}
    assert media_of("voxtral-small-24b").sound(61).tokens == 1_125, "padded to 90 seconds"
    assert media_of("voxtral-small-24b").sound(61).low == 763
    assert media_of("gemma-4-e4b").sound(100).tokens == 750
    assert media_of("gemma-3n-e4b").sound(3).tokens == 188


@given(_SIDES, _SIDES, st.sampled_from(_RULES), st.sampled_from(_LEVELS))
def test_no_picture_is_beyond_the_limits_or_exact(width: int, height: int, rule: PictureRule, level: str) -> None:
    cost, (least, most) = rule.cost((width, height), level), rule.bounds(level)
    assert cost.certainty is not Certainty.EXACT
    if cost.certainty is not Certainty.UNKNOWN:
        assert least <= cost.low <= cost.tokens <= cost.high
        assert cost.tokens <= most
        assert cost.rule


@given(_SIDES, _SIDES, st.sampled_from(_SYMMETRIC), st.sampled_from(["", "low", "high"]))
def test_a_turned_picture_costs_the_same(width: int, height: int, rule: PictureRule, level: str) -> None:
    assert rule.cost((width, height), level).tokens == rule.cost((height, width), level).tokens


@given(st.integers(28, 2_047), st.integers(28, 768))
def test_a_wider_picture_is_not_cheaper_while_it_is_not_shrunk(width: int, height: int) -> None:
    within = [Tiles(85, 170), Cells(28, 1, 2_100 * 2_100), Patches(1.2, Level(10_000, 6_000))]
    for rule in within:
        assert rule.cost((width, height), "high").tokens <= rule.cost((width + 1, height), "high").tokens
    if width <= 1_000:
        claude = media_of("claude-opus-5")
        assert claude.picture(width, height).tokens <= claude.picture(width + 1, height).tokens


def test_no_model_of_the_table_has_two_rows() -> None:
    names = [row.name for row in load_models().rows]
    several = [name for name in names if sum(bool(each.pattern.fullmatch(name.casefold())) for each in FAMILIES) > 1]
    assert not several
    for name in ("gpt-4o", "claude-sonnet-4-5", "gemini-2.5-pro", "qwen3-vl-8b", "glm-4.5v", "gemma-3-27b"):
        assert family_of(name) is not None


def test_every_row_of_the_table_names_a_maker_of_the_model_table() -> None:
    makers = {row.maker for row in load_models().rows}
    assert {family.maker for family in FAMILIES} <= makers
    assert all(re.fullmatch(family.pattern.pattern, "x") is None for family in FAMILIES)
