"""Secrets: what is one, and that they are masked wherever texts of files are shown or written."""

import json
from base64 import b64encode
from pathlib import Path
from time import thread_time
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector import secrets
from inspector.csv_text import csv_lines
from inspector.formats import load_workspace
from inspector.json_text import json_document
from inspector.secrets import MARK, masked, masked_head, masked_json, masked_part, may_hold_secrets, secrets_in
from inspector.visible_text import made_visible, on_one_line

_BODY = "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"
_HEX = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
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
    "-----BEGIN PGP " + f"PRIVATE KEY BLOCK-----\nlQ{_BODY}\n-----END PGP PRIVATE KEY BLOCK-----": "private key",
    "GOCSPX" + "-" + _BODY: "Google client",
    "whsec" + "_" + _BODY: "webhook",
    "pypi" + "-AgEIcHlwaS5vcmc" + _BODY: "PyPI",
    "1234567890" + ":AA" + _BODY[:33]: "Telegram",
    "MTIzNDU2Nzg5MDEyMzQ1Njc4" + ".Gab12c." + _BODY: "Discord token",
    "SG" + f".{_BODY[:22]}.{_BODY}{_BODY[:7]}": "SendGrid",
    "SK" + _HEX: "Twilio",
    "key" + "-" + _HEX: "Mailgun",
    "dop" + "_v1_" + _HEX * 2: "DigitalOcean",
    "dapi" + _HEX: "Databricks",
    "pplx" + "-" + _BODY + _BODY[:12]: "Perplexity",
    "r8" + "_" + _BODY + "a": "Replicate",
    "hvs" + "." + _BODY: "Vault",
    "lin" + "_api_" + _BODY: "Linear",
    "ntn" + "_" + _BODY + _BODY[:10]: "Notion",
    "secret" + "_" + _BODY + _BODY[:7]: "Notion",
    "shpat" + "_" + _HEX: "Shopify",
    "dp" + ".pt." + _BODY + _BODY[:7]: "Doppler",
    "ATATT3" + "xFfGF0" + _BODY: "Atlassian",
    "AGE-SECRET-KEY" + "-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" * 2: "age",
    "sbp" + "_" + _HEX + "01234567": "Supabase",
    "lsv2" + f"_pt_{_HEX}_0123456789": "LangSmith",
    "Basic " + b64encode(f"admin:{_BODY}".encode()).decode(): "basic login",
    "https://hooks.slack.com/services/" + "T00000000/B00000000/" + _BODY[:24]: "Slack webhook",
    "https://discord.com/api/webhooks/" + f"123456789012345678/{_BODY}{_BODY}": "Discord webhook",
    "postgres://admin:" + f"{_BODY}@db.example.org/x": "address",
    "DB_PASSWORD=" + _BODY: "named",
    "DB_PASSWORD=" + "aB3dE5g!H7jK9mN1": "named",
    "password: " + _BODY: "named",
    '"client_secret": "' + f'{_BODY}"': "named",
    'const apiKey = "' + f'{_BODY}"': "named",
    "AccountKey=" + f"{_BODY}/+{_BODY}==;EndpointSuffix=core": "named",
    "x-api-key: " + _BODY: "named",
    "api_token => '" + f"{_BODY}'": "named",
    "export AWS_SECRET_ACCESS_KEY=" + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYnoSampleKEY": "named",
    "os.environ['OPENAI_API_KEY'] = " + "'abc123def456'": "named",
    "spring.datasource.password=" + "Tr0ub4dor&3": "named",
    "password: " + "correct-horse-battery": "named",
    "db_pass: " + "xyZ12345": "named",
    r"{\"access_token\": \"" + f'{_BODY}\\"}}': "named",
}
KEY = next(iter(SECRETS))
PLAIN = (
    "a task-based approach and sk-learn-like-names-of-libraries",
    "the desk-top, xoxo, AIzawa, AKIA, eyJ, hf_hub, npm_config",
    "Bearer of bad news for everybody here",
    "?token=short and &sig=abc",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "password: please choose one, the password is required",
    'the field "password": "string", passwd = getpass(), PASSWORD=${DB_PASSWORD}, token=<your-token-here>',
    "token: 4096, max_tokens=128000, tokenizer: embedded:o200k_base, token_count = 12345678",
    '{"key": "gpt-4o-2024-08-06", "sort_key": "memory_share", "turkey: 12 eggs 2kg", "keys": ["a1b2c3d4e5f6"]}',
    "key: X25519PrivateKey(PKey), password: PySide6.QtCore.QByteArray, api_key=os.environ['API_KEY']",
    "compass: north-by-north-west, bypass = True, https://example.org/?token=abc&key=north&pass=first",
    "next_token: 9f4d9f69-275a-41fe-b58e-2b837bd9ba48 and the commit 6b99262f0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "Basic understanding of Basic English/German, SKYLINE, api, https://example.org:8080/a@b, mail me@example.org",
    "see https://example.org/webhooks/1 and thanks.slack, 12:AA, key-value, key-ring, SG.1, dp.pt, r8_x",
)
SPLIT = (
    "sk-" + "ant-api03-" + f"{_BODY[:9]}\n{_BODY[9:]}",
    "ghp" + f"_{_BODY[:20]}\r\n    {_BODY[20:]}\nnext line",
    "hf" + rf"_{_BODY[:16]}\n{_BODY[16:]}",
    "ghp" + f"_{_BODY[:9]}\u200b{_BODY[9:]}",
    "gh\u200bp" + f"_{_BODY}",
    "pass\u200dword=" + _BODY[:18] + "\ufeff" + _BODY[18:],
)
"""Written over two lines, or with characters that are not seen."""


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


@pytest.mark.parametrize("secret", SPLIT)
def test_one_that_is_split_is_masked_whole(secret: str) -> None:
    for around in ("", "ein Wörtchen " * 500):
        text = f"{around}a\u200bb before {secret} after"
        shown = masked(text)
        assert len(shown) == len(text)
        assert shown.startswith(f"{around}a\u200bb before ")
        assert shown.endswith(" after")
        assert not any(piece in shown for piece in (_BODY[2:8], _BODY[10:15], _BODY[22:]))
        assert len(list(secrets_in(text))) == 1
        assert may_hold_secrets(text.encode())


@given(st.text(max_size=60), st.sampled_from(sorted([*SECRETS, *PLAIN, *SPLIT])), st.text(max_size=60))
def test_a_short_text_is_looked_at_as_a_long_one_is(before: str, text: str, after: str) -> None:
    text, filling = f"{before} {text} {after}", " and more" * 300
    assert masked(f"{text}{filling}").removesuffix(filling) == masked(text)


@pytest.mark.parametrize(("secret", "kind"), SECRETS.items())
def test_the_kind_and_the_place_are_found_in_a_long_text(secret: str, kind: str) -> None:
    text = "ein Wörtchen " * 30_000 + secret + " tail" * 5_000
    (found,) = secrets_in(text)
    assert abs(found[0] - 13 * 30_000) <= len(secret)
    assert kind in found[1]


@pytest.mark.parametrize("secret", SECRETS)
def test_one_that_a_text_begins_with_is_found(secret: str) -> None:
    ((place, _),) = secrets_in(secret)
    assert place <= masked(secret).index(MARK)


@given(
    st.text(max_size=60),
    st.sampled_from(sorted([*SECRETS, *PLAIN, *SPLIT])),
    st.integers(0, 500).map("\u200b ".__mul__) | st.text(max_size=900),
    st.integers(300, 1_000),
)
def test_block_by_block_the_same_is_found(before: str, text: str, after: str, size: int) -> None:
    data = f"{before * 4} {text} {after}".encode()
    whole = may_hold_secrets(data)
    with patch.object(secrets, "_BLOCK_BYTES", size):
        assert may_hold_secrets(data) == whole


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
    text = piece * (200_000 // len(piece))
    begun = thread_time()
    assert len(masked(text)) == len(text)
    assert len(list(secrets_in(text))) <= len(text) // len(piece)
    assert thread_time() - begun < 5, "it takes a fifth of a second, or minutes where it grows with the square"


def test_one_behind_very_many_words_that_begin_with_the_letter_of_bearer_is_found() -> None:
    text = "Bea Bet Ba " * 100_000 + "Bearer " + _BODY
    assert [kind for _, kind in secrets_in(text)] == ["a bearer token"]
    assert may_hold_secrets(text.encode())


def test_the_beginning_of_a_text_shows_no_beginning_of_a_secret() -> None:
    text = "x" * 90 + " " + KEY
    assert masked_head(text, 100) == ("x" * 90 + " sk-" + MARK * 6)
    text = f'{"x" * 80} "password": "{_BODY * 3}"'
    assert _BODY[:3] not in masked_head(text, 100)


LONG_KEY = "-----BEGIN RSA " + "PRIVATE KEY-----\n" + f"MII{_BODY}\n" * 120 + "-----END RSA PRIVATE KEY-----"
LONG_RUN = "sk" + "-" + "a1b2" * 2_500


@pytest.mark.parametrize("secret", [*SECRETS, LONG_KEY, LONG_RUN])
def test_a_part_is_masked_as_it_is_within_the_whole(secret: str) -> None:
    text = "word " * 2_000 + secret + " and more words" * 1_000
    whole = masked(text)
    for start in (0, 9_000, 9_990, 10_010, 10_030, 10_030 + len(secret) // 2, 9_990 + len(secret), 14_000):
        assert masked_part(text, start, start + 200) == whole[start : start + 200], start


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
