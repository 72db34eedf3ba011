"""A person's own rows of the model table: what they change, and how a bad one is named while the good ones stay."""

import os
from pathlib import Path

import pytest

from inspector.reading.yaml import dump
from inspector.tokens.models.files import entry_of, own_rows, read_entries
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.prices import cost


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_there_are_the_shipped_rows(tmp_path: Path) -> None:
    assert load_models(tmp_path / "models.yaml") is load_models()
    assert load_models().problems == ()


def test_an_own_row_replaces_the_shipped_one_of_its_name(tmp_path: Path) -> None:
    path = written(tmp_path / "models.yaml", "- {name: GPT-4o, context_window: 64000}\n")
    table = load_models(path)
    row = table.find("openai/gpt-4o").row
    assert row is not None
    assert (row.context_window, row.tokenizer, row.price_in) == (64_000, "embedded:o200k_base", 2.5)
    assert (row.source, row.date) == ("your own row", "")
    assert len(table.rows) == len(load_models().rows)
    assert load_models().find("gpt-4o").row is not row


def test_prices_of_the_users_own_stand_alone(tmp_path: Path) -> None:
    path = written(
        tmp_path / "models.yaml", "- {name: gpt-5.5, price_in: 1}\n- {name: gpt-5.4, context_window: 1000}\n"
    )
    mine, other = load_models(path).rows[:2]
    assert (mine.price_in, mine.price_out, mine.prices) == (1.0, 30.0, None)
    assert other.prices == load_models().find("gpt-5.4").row.prices is not None  # type: ignore[union-attr]
    tiers = "{standard: {rates: {input: 1}, tiers: [{above: 9, rates: {input: 2}}]}}"
    (whole,) = load_models(written(path, f"- {{name: gpt-5.5, price_in: 1, prices: {tiers}}}\n")).rows[:1]
    assert whole.prices is not None
    assert [cost(whole.prices, tokens) for tokens in (9, 10)] == [9e-6, 20e-6]
    wrong = load_models(written(path, "- {name: gpt-5.5, prices: {standard: {rates: {input: -1}}}}\n"))
    (problem,) = wrong.problems
    assert problem.message == "gpt-5.5: prices: expected US dollars per million tokens, from 0 on"


def test_a_row_of_a_new_name_counts_by_an_estimate_until_it_says_otherwise(tmp_path: Path) -> None:
    text = """
- name: mine-7b
  context_window: 16384
- {name: yours, context_window: 100, tokenizer: "embedded:qwen3", exact_tokenizer: true, chat_format: qwen3,
   aliases: [llama3.1:8b, 4.5], price_in: 0.5, price_out: 1, date: 2026-01-31, source: me}
"""
    table = load_models(written(tmp_path / "models.yaml", text))
    assert table.problems == ()
    mine, yours = table.rows[:2]
    assert (mine.name, mine.context_window, mine.tokenizer, mine.exact_tokenizer) == (
        "mine-7b",
        16384,
        "standin:unknown",
        False,
    )
    assert (yours.date, yours.source, yours.price_out) == ("2026-01-31", "me", 1.0)
    assert table.find("4.5").row is yours
    assert table.find("llama3.1:8b").row is yours  # the person's own alias wins over a shipped one


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{name: bad}", "bad: expected a context_window, because the shipped table has no row of this name"),
        ("{name: bad, context_window: many}", "bad: context_window: Expected int, got str"),
        ("{name: bad, context_window: -5}", "bad: context_window: expected a number of tokens above 0 and up to"),
        ("{name: bad, context_window: 3000000000}", "bad: context_window: expected a number of tokens above 0 and up"),
        ("{name: bad, context_window: 5, max_output: 3000000000}", "bad: max_output: expected a number of tokens"),
        ("{name: bad, context_window: 5, window: 7}", "bad: unknown field window; expected one of name, maker, "),
        ("{name: bad, context_window: 5, tokenizer: embedded:bad}", "bad: tokenizer: expected embedded:NAME"),
        ("{name: bad, context_window: 5, tokenizer: gpt2}", "bad: tokenizer: expected embedded:NAME"),
        ("{name: bad, context_window: 5, price_in: -1}", "bad: price_in: expected US dollars per million tokens"),
        ("{name: bad, context_window: 5, price_in: .inf}", "bad: price_in: "),
        ("{name: bad, context_window: 5, aliases: one}", "bad: aliases: Expected array, got str"),
        ("{context_window: 5}", "a row without a name"),
        ("{name: '--', context_window: 5}", "a row without a name"),
        ("{name: [a], context_window: 5}", "a row without a name"),
        ("{name: good-1, context_window: 6}", "a second row for good-1; expected one row a model"),
        ("just text", "expected a row, a mapping such as"),
    ],
)
def test_a_bad_row_is_named_and_the_good_ones_stay(tmp_path: Path, row: str, said: str) -> None:
    path = written(
        tmp_path / "models.yaml",
        f"- {{name: good-1, context_window: 5}}\n- {row}\n- {{name: good-2, context_window: 5}}\n",
    )
    table = load_models(path)
    (problem,) = table.problems
    assert (problem.file, problem.place) == (str(path), "line 2")
    assert problem.message.startswith(said)
    assert "\n" not in str(problem)
    assert [entry.name for entry in table.rows[:2]] == ["good-1", "good-2"]
    assert table.find("bad").row is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"- {name: a]", "line 1, column 11: is not valid YAML"),
        (b"name: a\n", "line 1: expected a list of rows"),
        (b"\xff\xfe", "byte 0: expected UTF-8 text"),
    ],
)
def test_a_file_that_is_no_list_of_rows_leaves_the_shipped_ones(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "models.yaml"
    path.write_bytes(content)
    table = load_models(path)
    assert next(map(str, table.problems)).startswith(f"{path}: {said}")
    assert len(table.rows) == len(load_models().rows)


@pytest.mark.parametrize(
    "content", ["- " * 1_000, "- " * 100_000, "[" * 100_000, "- {name: " * 1_000, "#\r" + "- " * 100_000]
)
def test_a_file_that_is_nested_deep_leaves_the_shipped_rows(tmp_path: Path, content: str) -> None:
    (problem,) = load_models(written(tmp_path / "models.yaml", content)).problems
    assert problem.file == str(tmp_path / "models.yaml")


def test_a_folder_in_place_of_the_file_is_said(tmp_path: Path) -> None:
    (problem,) = load_models(tmp_path).problems
    assert str(problem).startswith(f"{tmp_path}: is a folder; expected a file")


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    assert load_models(written(tmp_path / "models.yaml", "# nothing yet\n")).problems == ()


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path / "models.yaml", "- {name: mine, context_window: 5}\n")
    first = load_models(path)
    assert load_models(path) is first
    written(path, "- {name: mine, context_window: 6}\n")
    os.utime(path, ns=(1, 1))
    row = load_models(path).find("mine").row
    assert row is not None
    assert row.context_window == 6


def test_rows_are_written_as_they_are_read(tmp_path: Path) -> None:
    rows = load_models().rows
    path = written(tmp_path / "models.yaml", dump([entry_of(row) for row in rows]))
    assert own_rows(path, load_models()) == (rows, ())
    assert len(read_entries(path)[0]) == len(rows)
