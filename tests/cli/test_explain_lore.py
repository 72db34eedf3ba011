"""The explanation of a lorebook entry on the command line: which key in which message fired."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def lore_file(tmp_path: Path) -> str:
    """Two messages and a lorebook."""
    messages = [{"id": "m0", "role": "user", "content": "The storm"}, {"id": "m1", "role": "user", "content": "rose"}]
    entries = [
        {"id": "storm", "content": "Storms rise.", "keys": ["/st(or|ro)m/i"], "activation": {"probability": 60}},
        {"id": "calm", "content": "Calm.", "keys": ["rose"], "secondary_keys": ["sea"]},
        {"id": "broken", "content": "x", "keys": ["/[/"]},
    ]
    value = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [{"id": "c1", "messages": messages}],
        "lorebooks": [{"id": "b", "entries": entries}],
    }
    file = tmp_path / "lore.workspace.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("storm", "Its key ‘/st(or|ro)m/i’ occurs in message 1. Would be rolled with 60 %."),
        ("calm", "Dropped. Its key ‘rose’ occurs in message 2, but none of its secondary keys does."),
        ("broken", "Key /[/ cannot be read as a pattern: a bracket is not closed."),
    ],
)
def test_the_sentence_says_which_key_in_which_message(run: Run, lore_file: str, item: str, expected: str) -> None:
    given = ("explain", lore_file, "--tokenizer", "estimate:words", "--item", item, "--format", "json")
    assert json.loads(run(*given).stdout)["sentence"].endswith(expected)
