"""Tokenizers of plug-ins: made by entry points for names that begin like theirs, and replaced where they fail."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import inspector
from inspector import plugins
from inspector.analysis.basis import Basis
from inspector.analysis.tokenizers.ask import TokenizerComparison, tokenizer_comparisons
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli import group
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import TOKENIZER_GROUP
from inspector.tokens.choice import UnknownTokenizerError, choose_tokenizer, load_tokenizer
from inspector.tokens.models.loading import load_models
from inspector.tokens.tokenizer import Tokenizer, TokenizerUnavailableError, TokenSpans, longest_prefix

CHAT = Workspace(conversations=(Conversation("c1", (Message("m0", "user", "so be it"),)),))
Install = Callable[..., None]


@dataclass(frozen=True)
class Letters:
    """Each code point is a token."""

    name: str
    fingerprint: str
    exact: bool = True

    def count(self, texts: Sequence[str]) -> Any:
        return np.fromiter(map(len, texts), np.int32, len(texts))

    def first(self, text: str, limit: int) -> str:
        return longest_prefix(text, limit, len)

    def spans(self, text: str) -> TokenSpans:
        letters = np.arange(1, len(text) + 1)
        return TokenSpans(text, letters.astype(np.int32), letters)


def make(rest: str) -> Tokenizer:
    """Letters, one by one."""
    if rest == "gone":
        raise TokenizerUnavailableError("its file is gone")
    if rest == "raising":
        raise ZeroDivisionError("no letters at all")
    if rest == "other":
        return Letters("embedded:llama3", "letters:other")
    if rest == "copied":
        return Letters("letters:copied", "embedded:llama3@1")
    if rest == "no":
        raise UnknownTokenizerError("letters are either small or large")
    return object() if rest == "none" else Letters(f"letters:{rest}", f"letters:{rest}@1")  # type: ignore[return-value]


NO_FUNCTION = "letters"


def here(name: str) -> str:
    return f"{__name__}:{name}"


@pytest.fixture
def letters(install: Install) -> None:
    install(TOKENIZER_GROUP, letters=here("make"))


def chosen(requested: str, model: str = "gpt-4o") -> Any:
    return choose_tokenizer(requested, load_models().find(model).row, plugins.tokenizers()[0])


@pytest.mark.usefixtures("letters")
def test_a_plug_in_makes_the_tokenizers_that_begin_with_its_name() -> None:
    choice = chosen("letters:small")
    assert (choice.tokenizer.name, choice.tokenizer.count(["abc"]).tolist()) == ("letters:small", [3])
    assert choice.reason == "letters:small was asked for, but is not known to be the tokenizer of gpt-4o."
    assert choice.tokenizer is chosen("letters:small").tokenizer
    assert choice.tokenizer is not chosen("letters:large").tokenizer


@pytest.mark.usefixtures("letters")
def test_a_vocabulary_of_the_same_name_is_another_one() -> None:
    assert not chosen("letters:o200k_base").exact
    assert chosen("embedded:o200k_base").exact


@pytest.mark.usefixtures("letters")
def test_an_unknown_name_lists_the_plug_ins_and_nothing_is_looked_up_by_itself() -> None:
    with pytest.raises(UnknownTokenizerError, match=r"gguf:FILE, letters:REST$"):
        chosen("sounds:small")
    with pytest.raises(UnknownTokenizerError, match="either small or large"):
        chosen("letters:no")
    with pytest.raises(UnknownTokenizerError, match="unknown tokenizer 'letters:small'"):
        load_tokenizer("letters:small")


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize(
    ("rest", "why", "logged"),
    [
        ("gone", "its file is gone", 0),
        ("raising", "the plug-in letters failed: ZeroDivisionError: no letters at all", 1),
        ("none", "the plug-in letters failed: AttributeError: 'object' object has no attribute 'name'", 1),
        ("other", "the plug-in letters is broken: its name is 'embedded:llama3', expected letters:other", 0),
        ("copied", "the plug-in letters is broken: its fingerprint is 'embedded:llama3@1', expected a text that", 0),
    ],
)
def test_one_that_cannot_be_had_is_replaced_and_the_reason_says_why(
    rest: str, why: str, logged: int, caplog: pytest.LogCaptureFixture
) -> None:
    choice = chosen(f"letters:{rest}", "qwen2.5-7b")
    assert (choice.tokenizer.name, choice.exact) == ("embedded:qwen2.5", False)
    assert choice.reason.startswith(f"letters:{rest} cannot be had here ({why}")
    assert len([record for record in caplog.records if record.exc_info]) == logged


def test_what_cannot_be_loaded_becomes_a_problem_and_the_rest_stays(install: Install) -> None:
    broken = {"absent": "no_such_module:make", "auto": here("make"), "embedded": here("make"), "a:b": here("make")}
    install(TOKENIZER_GROUP, **broken, text=here("NO_FUNCTION"), letters=here("make"))
    makers, problems = plugins.tokenizers()
    assert list(makers) == ["letters"]
    said = [str(problem) for problem in problems]
    for part in (
        "no_such_module:make: the tokenizer absent cannot be loaded: ModuleNotFoundError",
        f"{here('make')}: the tokenizer name auto is already taken",
        "the tokenizer name embedded is already taken",
        "the tokenizer a:b cannot be loaded: ValueError: the name of a tokenizer stands before a colon",
        "the tokenizer text cannot be loaded: TypeError: the entry point of a tokenizer is a function",
    ):
        assert sum(part in line for line in said) == 1, part
    assert len(said) == 5


@pytest.mark.usefixtures("letters")
def test_a_pipeline_counts_with_what_it_is_given_and_its_forks_do_too() -> None:
    pipeline = Pipeline(CHAT, plugins.policies()[0], {}, tokenizers=plugins.tokenizers()[0])
    scenario = Scenario(policy="naive", tokenizer="letters:small")
    *_, comparison = tokenizer_comparisons(Basis(pipeline.fork(), scenario), ["letters:large", "estimate:words"])
    assert isinstance(comparison, TokenizerComparison)
    counted = {column.name: column.tokens.tolist() for column in comparison.columns if column.tokens is not None}
    assert counted == {"letters:small": [8], "letters:large": [8], "estimate:words": [3]}


@pytest.mark.usefixtures("letters")
def test_the_python_interface_counts_with_plug_ins() -> None:
    answer = inspector.assemble(CHAT, {"policy": "naive", "tokenizer": "letters:small"})
    assert [item["tokens"] for item in answer["items"]] == [8]


@pytest.mark.usefixtures("letters")
def test_commands_count_with_plug_ins(tmp_path: Path) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": "hello"}]), encoding="utf-8")

    def answer(*words: str, given: str = "") -> dict[str, Any]:
        result = CliRunner().invoke(group, [*words, "--format", "json"], given)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    assert answer("count", str(chat), "--tokenizer", "letters:small")["total"] == 5
    assert answer("count", "-", "--tokenizer", "letters:small", given="abc")["total"] == 3
    compared = answer("tokenizers", str(chat), "--with", "letters:small")
    assert [row["name"] for row in compared["tokenizers"]] == ["embedded:o200k_base", "letters:small"]


def test_the_command_lists_tokenizers_with_where_they_come_from(install: Install) -> None:
    install(TOKENIZER_GROUP, letters=here("make"), absent="no_such_module:make")
    result = CliRunner().invoke(group, ["tokenizers", "--list", "--format", "json"])
    rows = {row["name"]: row for row in json.loads(result.stdout)["tokenizers"]}
    assert rows["letters:REST"] == {"name": "letters:REST", "title": "Letters, one by one.", "origin": here("make")}
    assert {rows[name]["origin"] for name in ("embedded:qwen3", "estimate:words", "hf:NAME")} == {"built in"}
    assert "the tokenizer absent cannot be loaded" in result.stderr
    assert "letters:REST" in CliRunner().invoke(group, ["tokenizers", "--list"]).stdout
