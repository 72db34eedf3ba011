"""prompt-inspector tokens: the tokens of one text, one by one, as their ids and places in the text."""

import csv
import json

import pytest

from inspector.tokens.embedded import embedded_tokenizer
from tests.cli.conftest import Run

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
TEXT = f"Ahoi {FAMILY}, café!\nzwei"
COUNTED = ("--tokenizer", "embedded:o200k_base")


def test_the_tokens_of_plain_text_spell_it(run: Run) -> None:
    value = json.loads(run("tokens", "-", *COUNTED, "--format", "json", stdin=TEXT).stdout)
    tokens, expected = value["tokens"], embedded_tokenizer("o200k_base").spans(TEXT)
    assert "".join(token["text"] for token in tokens) == TEXT
    assert [token["id"] for token in tokens] == expected.ids.tolist()
    assert [token["end"] for token in tokens] == expected.ends.tolist()
    assert [token["number"] for token in tokens] == list(range(1, len(tokens) + 1))
    assert (value["item"], value["tokenizer"], value["left_out"]) == (None, "embedded:o200k_base", 0)


def test_an_item_is_read_as_it_stands_in_the_prompt(run: Run, workspace_file: str) -> None:
    cut = ("--policy", "ratio", "--set", "message_cap=10", *COUNTED, "--window", "4000")
    arguments = ("tokens", workspace_file, "--item", "m2", "--format", "csv")
    rows = list(csv.DictReader(run(*arguments, *cut).stdout.splitlines()))
    assert len(rows) == 10, "what is cut is not listed"
    dropped = run(*arguments, *cut, "--exclude", "m2").stdout
    assert len(list(csv.DictReader(dropped.splitlines()))) == 30, "what is dropped is listed whole"


def test_several_tokens_of_one_sign_are_told_as_its_parts(run: Run) -> None:
    lines = run("tokens", "-", *COUNTED, stdin=TEXT).stdout.splitlines()
    parts = [line for line in lines if " part " in line]
    assert [line.split("part ")[1].split()[0] for line in parts] == [str(n + 1) for n in range(len(parts))]
    assert "characters" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--tokenizer", "estimate:words", "--item", "m1"), "estimate:words estimates"),
        ((), "--item"),
        (("--item", "nowhere"), "no item is called nowhere"),
    ],
)
def test_what_has_no_tokens_is_one_line(run: Run, workspace_file: str, arguments: tuple[str, ...], said: str) -> None:
    result = run("tokens", workspace_file, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
