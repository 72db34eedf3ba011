"""Kinds of secrets: keys and tokens in the forms documented by their providers, and values named as secrets.

Forms with a distinctive beginning are recognized by it. A password has no form: it is recognized by its name or its
place, unless its text is a word, a variable or a placeholder.
"""

import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass

from inspector.derived import cached_property

_ID = "A-Za-z0-9_-"
_BREAK = r"(?:\\r)?\r?(?:\\n|\n)[ \t]*"
"""A line end in the middle, also as escaped in JSON."""


def _always(_: re.Match[str]) -> bool:
    return True


@dataclass(frozen=True)
class Kind:
    """A kind of secret: texts without any of the `hints` have none; group 2 of the pattern is masked.

    `lead` is the most characters before the hint; with 0, a secret begins with it.
    """

    name: str
    hints: tuple[str, ...]
    expression: str
    is_one: Callable[[re.Match[str]], bool] = _always
    lead: int = 0

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the expression, compiled when a hint is first seen: most never are."""
        return re.compile(self.expression)


def _kind(name: str, head: str, rest: str, *hints: str, lead: int = 0) -> Kind:
    # If a secret could begin inside of another, the search would run from each such place to the end.
    before = "[A-Za-z0-9_-]" if f"[{_ID}]" in rest else "[A-Za-z0-9]"
    return Kind(name, hints, rf"(?<!{before})({head})({rest})", lead=lead)


def _of(characters: str, least: int, ahead: str = "") -> str:
    """Match at least `least` of these characters, also across a line break.

    The next line belongs to the match if it is a single word of letters and figures, as keys are.
    """
    word = f"[{characters}]"
    rest = rf"{_BREAK}(?={word}*[0-9])(?={word}*[A-Za-z]){word}{{8,}}(?=\s|[\"'`<\\]|$)"
    broken = rf"(?=(?:{word}|{_BREAK}){{{least},}}){word}{{4,}}{_BREAK}(?={word}*[0-9]){word}{{8,}}"
    return rf"{ahead}(?:{word}{{{least},}}(?:{rest})?|{broken})"


_SIGNED = "Signature|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token|sig|access_token|token"
_ALNUM, _HEX = "A-Za-z0-9", "a-f0-9"
_SLASH = r"\\?/"


def _has_colon(found: re.Match[str]) -> bool:
    """Return whether the encoded text is a name and a password."""
    whole = found[2].rstrip("=")
    try:
        login = b64decode(whole + "=" * (-len(whole) % 4), validate=True).decode()
    except ValueError:
        return False
    return ":" in login and login.isprintable()


_UNTOLD = re.compile(
    r"(?i)[$%{<*•@(\[]|(.)\1*$|\.\.\.|your|example|change[_-]?me|redacted|placeholder|insert|enter[_-]|replace"
    r"|(?:none|null|nil|true|false|undefined|optional|required|string|password|passwd|secret|token|pass|api[_-]?key)$"
    r"|(?:process\.env|os\.|env\.|self\.|this\.|req(?:uest)?\.|args\.|config\.|settings\.|options\.|arn:)"
    r"|[a-z_]\w*(?:\.[a-z_]\w*)+$"
)
"""Texts in place of a secret: placeholders, and references to another source, including dotted names in code."""
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


def _is_told(found: re.Match[str]) -> bool:
    return _UNTOLD.match(found[2]) is None


KINDS = (
    _kind("an Anthropic API key", "sk-ant-", _of(_ID, 16), "sk-ant-"),
    _kind("an API key as OpenAI makes them", "sk-(?!ant-)", _of(_ID, 20, rf"(?=(?:[{_ID}]|{_BREAK})*[0-9])"), "sk-"),
    _kind("a GitHub token", "gh[pousr]_", _of(_ALNUM, 20), "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _kind("a GitHub token", "github_pat_", _of(r"\w", 22), "github_pat_"),
    _kind("an AWS access key", "AKIA|ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])", "AKIA", "ASIA"),
    _kind(
        "a Slack token", "xox[abeoprs]-|xapp-", _of("A-Za-z0-9-", 10), *(f"xox{kind}-" for kind in "abeoprs"), "xapp-"
    ),
    _kind("a Google API key", "AIza", rf"[{_ID}]{{35}}|[{_ID}]{{4,31}}{_BREAK}[{_ID}]{{4,31}}", "AIza"),
    _kind("a Google token", r"ya29\.", _of(_ID, 20), "ya29."),
    _kind("a Google client secret", "GOCSPX-", _of(_ID, 20), "GOCSPX-"),
    _kind("a Hugging Face token", "hf_", _of(_ALNUM, 30), "hf_"),
    _kind(
        "a Stripe key",
        "[sr]k_(?:live|test)_",
        _of(_ALNUM, 16),
        *(f"{kind}_{of}_" for kind in ("sk", "rk") for of in ("live", "test")),
    ),
    _kind("a Stripe webhook secret", "whsec_", _of("A-Za-z0-9+/=", 24), "whsec_"),
    _kind("a GitLab token", "glpat-", _of(_ID, 20), "glpat-"),
    _kind("an xAI API key", "xai-", _of(_ALNUM, 20), "xai-"),
    _kind("a Groq API key", "gsk_", _of(_ALNUM, 20), "gsk_"),
    _kind("a Perplexity API key", "pplx-", _of(_ALNUM, 40), "pplx-"),
    _kind("a Replicate token", "r8_", _of(_ALNUM, 32), "r8_"),
    _kind("a LangSmith key", "lsv2_(?:pt|sk)_", _of("a-f0-9_", 40), "lsv2_"),
    _kind("an npm token", "npm_", _of(_ALNUM, 36), "npm_"),
    _kind("a PyPI token", "pypi-", rf"(?=AgE){_of(_ID, 40)}", "pypi-AgE"),
    _kind("a Telegram token", "[0-9]{8,10}:", rf"(?=AA){_of(_ID, 34)}", ":AA", lead=10),
    _kind("a SendGrid key", r"SG\.", r"[\w-]{20,24}\.[\w-]{39,50}", "SG."),
    _kind("a Twilio key", "SK", r"[0-9a-f]{32}(?![0-9A-Za-z])", "SK"),
    _kind("a Mailgun key", "key-", r"[0-9a-f]{32}(?![0-9A-Za-z])", "key-"),
    _kind("a DigitalOcean token", "do[opr]_v1_", _of(_HEX, 64), "dop_v1_", "doo_v1_", "dor_v1_"),
    _kind("a Databricks token", "dapi", r"[0-9a-f]{32}(?:-[0-9])?(?![0-9A-Za-z])", "dapi"),
    _kind("a Vault token", r"hv[sbr]\.", _of(_ID, 24), "hvs.", "hvb.", "hvr."),
    _kind("a Linear key", "lin_(?:api|oauth)_", _of(_ALNUM, 32), "lin_api_", "lin_oauth_"),
    _kind("a Notion token", "secret_", r"[A-Za-z0-9]{43}(?![A-Za-z0-9])", "secret_"),
    _kind("a Notion token", "ntn_", _of(_ALNUM, 40), "ntn_"),
    _kind(
        "a Shopify token",
        "shp(?:at|ca|pa|ss)_",
        r"[A-Fa-f0-9]{32}(?![A-Za-z0-9])",
        "shpat_",
        "shpca_",
        "shppa_",
        "shpss_",
    ),
    _kind("a Doppler token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]+\.)?", _of(_ALNUM, 40), "dp."),
    _kind("an Atlassian token", "ATATT3|ATCTT3|ATBB", _of("A-Za-z0-9_=-", 24), "ATATT3", "ATCTT3", "ATBB"),
    _kind("an age key", "AGE-SECRET-KEY-1", _of("A-Z0-9", 58), "AGE-SECRET-KEY-1"),
    _kind("a Supabase key", "sbp_|sb_secret_", _of(_ALNUM + "_", 30), "sbp_", "sb_secret_"),
    _kind("a signed token (JWT)", "eyJ", rf"[{_ID}]{{10,}}\.eyJ[{_ID}]{{10,}}\.[{_ID}]{{10,}}", "eyJ"),
    _kind("a bearer token", "Bearer ", r"(?=[^\s]*[0-9])[A-Za-z0-9._~+/-]{20,}", "Bearer "),
    Kind("a basic login", ("Basic ",), r"(?<!\w)(Basic )([A-Za-z0-9+/]{8,}={0,2})", _has_colon),
    _kind("a Slack webhook", rf"hooks\.slack\.com{_SLASH}[a-z]+{_SLASH}", r"[\w/\\+-]{30,}", "hooks.slack"),
    _kind(
        "a Discord webhook",
        rf"discord(?:app)?\.com{_SLASH}api{_SLASH}webhooks{_SLASH}[0-9]{{17,20}}{_SLASH}",
        r"[\w-]{60,}",
        "webhooks",
        lead=24,
    ),
    Kind(
        "a signed address",
        ("ignature=", "sig=", "oken="),
        rf"((?:[?&]|amp;|u0026)(?:{_SIGNED})=)([^\s&\"'<>?\\)\]]{{16,}})",
        lead=24,
    ),
    Kind(
        "a private key",
        ("PRIVATE KEY",),
        r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)((?:(?!-----)[^\"<>])+)",
        lead=32,
    ),
    Kind(
        "a password in an address",
        ("://", r":\/\/"),
        rf"(:{_SLASH}{_SLASH}[^\s/@:?#\"'<>\\\[\]]{{0,100}}:)([^\s/@?#\"'<>\\\[\]]{{3,200}})(?=@)",
        _is_told,
    ),
)
"""The kinds with a form."""

DISCORD = Kind(
    "a Discord token",
    (),
    r"(?<![\w-])([MNO][\w-]{23,27}\.)([\w-]{6}\.[\w-]{27,})(?![\w-])",
    lead=28,
)
"""Without a distinctive beginning: its two points are seven characters apart."""

# A value by its name

NAME_ENDS = ("key", "ret", "ken", "ord", "swd", "pwd", "ase", "ass")
"""The last three letters of the names of secret values."""
NAMES = "key|secret|token|password|passwd|passphrase|pwd|(?<![a-z])pass"
BEHIND_NAME = r"\\*[\"'`]?\]?[ \t]{0,3}"
"""Between a name and the sign behind it; a bracket where code sets a key."""
_SIGN = rf"{BEHIND_NAME}(?::=|=>|={{1,3}}|:(?!:))[ \t]{{0,3}}(?:\\*[\"'`])?"
_QUOTED = r"(?<=[\"'`])[^\s\"'`\\]{6,200}+(?=\\*[\"'`]|\Z)"
_BARE = r"(?<![\"'`])(?:[^\s\"'`<>,;()\[\]{}|\\&]|&(?![\w.-]+=)){6,200}+(?![(\[{<])"
_LETTERS = re.compile("[A-Za-z]+")
_NAME_BEFORE = re.compile(r"[\w.-]*\Z")
_GLUED = ("api", "access", "secret", "private", "auth", "account", "encryption", "signing", "license", "subscription")
"""Words directly before `key`, without a sign in between."""
_STRONG_SIGN = re.compile(r"[0-9!@#$%^&*+?~]")
_MOST_OF_NAME, _SHORTEST_KEY, _SHORT_TOKEN, _LONG_TOKEN, _LONG_WORD, _MIXED, _DENSE = 40, 8, 12, 16, 12, 8, 20


def _is_named_secret(found: re.Match[str]) -> bool:
    """Return whether the value is a secret by its name and its looks."""
    head, value = found[1], found[2]
    if _UNTOLD.match(value):
        return False
    start = found.start(1)
    before = _NAME_BEFORE.search(found.string, max(0, start - _MOST_OF_NAME), start)
    name, last = before[0] if before else "", _LETTERS.match(head)
    word = last[0] if last else ""
    sort = name.lower().rstrip("_-.")
    if _UUID.match(value) and word.lower() != "secret" and not sort.endswith(_GLUED):
        return False
    if word.lower() == "key":
        return _names_key(name, word, value)
    if word.lower() == "secret":
        return _looks_made(value, _SHORTEST_KEY) or _is_dense(value)
    if word.lower() == "token":
        return _looks_made(value, _SHORT_TOKEN)
    if head[-1] in "\"'`":
        return bool(_STRONG_SIGN.search(value)) or len(value) >= _LONG_WORD
    is_of_environment = word.isupper() and head.removeprefix(word) == "="
    is_phrase = len(value) >= _LONG_WORD and "-" in value and "_" not in value  # as in names in code
    return is_of_environment or is_phrase or bool(_STRONG_SIGN.search(value))


def _names_key(name: str, word: str, value: str) -> bool:
    """Return the same for a value named as some sort of key; without a sort, only if it looks like nothing else."""
    sort = name.lower().rstrip("_-.")
    if sort.endswith("public") or (name and word == "key" and name[-1].isalpha() and not sort.endswith(_GLUED)):
        return False
    if sort.endswith(_GLUED):
        return _looks_made(value, _SHORTEST_KEY) or _is_dense(value)
    if sort:
        return _looks_made(value, _LONG_TOKEN)
    return _looks_made(value, _LONG_TOKEN) and not value.islower()


def _looks_made(value: str, least: int) -> bool:
    """Return whether a value is no word, name, number or path: a piece of it mixes letters and figures."""
    pieces = re.split("[^A-Za-z0-9]", value) if len(value) >= least else ()
    return any(len(piece) >= _MIXED and not piece.isalpha() and not piece.isdigit() for piece in pieces)


def _is_dense(value: str) -> bool:
    """Return whether a long value has small and capital letters and digits, like base64, anywhere between its signs."""
    is_of = (str.islower, str.isupper, str.isdigit)
    return len(value) >= _DENSE and all(any(map(kind, value)) for kind in is_of)


NAMED = Kind(
    "a named password, key or token",
    (),
    rf"((?i:{NAMES}){_SIGN})({_QUOTED}|{_BARE})",
    _is_named_secret,
)
