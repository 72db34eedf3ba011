"""Secrets: what is one, and that they are masked wherever texts of files are shown or written."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector import secrets
from inspector.csv_text import csv_lines
from inspector.formats import load_workspace
from inspector.json_text import json_document
from inspector.secrets import MARK, masked, masked_head, masked_json, may_hold_secrets, secrets_in
from inspector.visible_text import made_visible, on_one_line

_BODY = "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"
# Written in two parts: no program that looks for secrets should find any here.
SECRETS = {
    "sk-" + "proj-" + _BODY: "OpenAI",
    "sk-" + "ant-api03-" + _BODY: "Anthropic",
    "ghp" + "_" + _BODY: "GitHub",
    "github" + "_pat_" + _BODY: "GitHub",
    "AKIA" + "IOSFODNN7EXAMPLE": "AWS",
    "xox" + "b-123456789012-" + _BODY: "Slack",
    "AIza" + _BODY[:35]: "Google API",
    "ya29." + _BODY: "Google token",
    "hf" + "_" + _BODY: "Hugging Face",
    "sk" + "_live_" + _BODY: "Stripe",
    "glpat" + "-" + _BODY: "GitLab",
    "xai" + "-" + _BODY: "xAI",
    "gsk" + "_" + _BODY: "Groq",
    "npm" + "_" + _BODY: "npm",
    "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0In0." + _BODY: "JWT",
    "Bearer " + _BODY: "bearer",
    "https://x.s3.amazonaws.com/a?X-Amz-Date=1&X-Amz-Signature=" + _BODY: "signed address",
    "-----BEGIN RSA " + f"PRIVATE KEY-----\nMII{_BODY}\n{_BODY}=\n-----END RSA PRIVATE KEY-----": "private key",
}
KEY = next(iter(SECRETS))
PLAIN = (
    "a task-based approach and sk-learn-like-names-of-libraries",
    "the desk-top, xoxo, AIzawa, AKIA, eyJ, hf_hub, npm_config",
    "Bearer of bad news for everybody here",
    "?token=short and &sig=abc",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_masked_and_keeps_its_place(secret: str) -> None:
    text = f"before {secret} after"
    shown = masked(text)
    assert len(shown) == len(text)
    assert _BODY[8:] not in shown
    assert "IOSFODNN" not in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    assert MARK in shown
    assert masked(shown) == shown


@pytest.mark.parametrize(("secret", "kind"), SECRETS.items())
def test_the_kind_and_the_place_are_found_in_a_long_text(secret: str, kind: str) -> None:
    text = "ein Wörtchen " * 30_000 + secret + " tail" * 5_000
    (found,) = secrets_in(text)
    assert abs(found[0] - 13 * 30_000) <= len(secret)
    assert kind in found[1]


@pytest.mark.parametrize("secret", SECRETS)
def test_one_that_a_text_begins_with_is_found(secret: str) -> None:
    assert [place for place, _ in secrets_in(secret)] == [max(0, secret.find("&X-Amz-Sig"))]


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text: str) -> None:
    assert masked(text) == text
    assert list(secrets_in(text)) == []


@given(st.text(max_size=60), st.sampled_from(sorted(SECRETS)), st.text(max_size=60))
def test_whatever_stands_around_it_nothing_else_changes_its_length(before: str, secret: str, after: str) -> None:
    text = f"{before} {secret} {after}"
    assert len(masked(text)) == len(text)
    assert _BODY[8:] not in masked(text)


@pytest.mark.parametrize(
    "piece",
    ["sk-", "eyJ-", "eyJaaaaaaaaaaa.", "?sig=", "Bearer ", "-----BEGIN PRIVATE KEY-----", "AKIA", "xoxb-", "&token=a"],
)
def test_a_text_of_nothing_but_beginnings_takes_a_time_that_grows_with_it_alone(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    assert len(masked(text)) == len(text)
    assert len(list(secrets_in(text))) <= len(text) // len(piece)


def test_one_behind_very_many_words_that_begin_with_the_letter_of_bearer_is_found() -> None:
    text = "Bea Bet Ba " * 100_000 + "Bearer " + _BODY
    assert [kind for _, kind in secrets_in(text)] == ["a bearer token"]
    assert may_hold_secrets(text.encode())


def test_the_beginning_of_a_text_shows_no_beginning_of_a_secret() -> None:
    text = "x" * 90 + " " + KEY
    assert masked_head(text, 100) == ("x" * 90 + " sk-" + MARK * 6)


def test_every_way_out_masks() -> None:
    for shown in (made_visible(KEY), on_one_line(KEY), "".join(csv_lines([{"a": KEY}]))):
        assert _BODY not in shown
    for secret in SECRETS:
        document = json_document({"text": secret})
        assert _BODY[8:] not in document.decode()
        assert len(json.loads(document)["text"]) == len(secret)
    plain = b'{"text": "\xc3\xa9"}'
    assert masked_json(plain) is plain


def test_they_are_shown_only_to_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_revealed", True)
    assert masked(KEY) == KEY
    assert on_one_line(KEY) == KEY
    assert KEY in json_document({"text": KEY}).decode()


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "user", "content": f"My key is {KEY}, keep it"},
        {"role": "assistant", "content": "AKIA" + "IOSFODNN7EXAMPLE is another"},
    ]
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(messages))
    return path


def test_a_file_with_secrets_has_one_problem_that_names_place_and_kinds(chat: Path) -> None:
    workspace = load_workspace([chat])
    (problem,) = workspace.problems
    assert (problem.file, problem.place, problem.severity) == (str(chat), "message m1", "warning")
    assert "2 secrets" in problem.message
    assert "OpenAI" in problem.message
    assert "AWS" in problem.message
    assert KEY in workspace.conversations[0].messages[1].content, "what is counted is the text itself"
