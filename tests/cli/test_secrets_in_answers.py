"""Commands mask the secrets of files unless they are asked to show them."""

import json
import re
from pathlib import Path

import pytest

from inspector import secrets
from tests.cli.conftest import Run
from tests.test_secrets import KEY


@pytest.fixture
def chat(tmp_path: Path) -> str:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": f"My key is {KEY}"}]))
    return str(path)


COMMANDS = (
    ("assemble",),
    ("assemble", "--format", "json"),
    ("search", "key"),
    ("search", KEY[12:20]),
    ("count", "--format", "json"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_shows_them_unless_it_is_asked(run: Run, chat: str, command: tuple[str, ...]) -> None:
    answer = run(*command, chat)
    assert answer.exit_code == 0, answer.stderr
    assert KEY[10:] not in answer.stdout + answer.stderr
    assert "message m0: holds 1 secret" in answer.stderr
    assert run(*command, chat, "--reveal-secrets").exit_code == 0
    assert not secrets.are_revealed(), "one run does not speak for the next"


def test_who_asks_is_shown_them(run: Run, chat: str) -> None:
    assert KEY in run("assemble", chat, "--format", "json", "--reveal-secrets").stdout


def test_counts_are_those_of_the_text_itself(run: Run, chat: str) -> None:
    masked, revealed = (run("count", chat, "--format", "json", *more).stdout for more in ((), ("--reveal-secrets",)))
    assert json.loads(masked) == json.loads(revealed)


def test_words_of_a_secret_that_the_query_found_are_not_shown_apart_from_it(run: Run, chat: str) -> None:
    Path(chat).write_text(json.dumps([*json.loads(Path(chat).read_text()), {"role": "assistant", "content": "ok"}]))
    piece = max(re.split(r"[^A-Za-z0-9]", KEY), key=len).lower()
    masked, revealed = (run("explain", chat, "--item", "m0", *more).stdout for more in ((), ("--reveal-secrets",)))
    assert "its own words (key" in " ".join(masked.split())
    assert piece not in masked.lower()
    assert piece in revealed.lower()
