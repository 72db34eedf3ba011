"""The names of models as files, hosts and users write them, taken apart: what stands before a name, the name, what
stands behind it.

A name is never shortened to a beginning of itself: another number, word or size is another model. The rules are those
of the makers' catalogues, and of Hugging Face's and Ollama's for files of open models.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from inspector.tokens.models.makers import MAKERS_THAT_HOST, is_host, maker_of, words_before_dash

Key = tuple[str, ...]
LONGEST = 1_000
"""A longer name, in code points, is none of a model, and is not taken apart: it may have a word at each of them."""

# A number with its decimals and the letters right after it (4o, 72b, 3.1), or a run of letters.
_PART = re.compile(r"\d+(?:\.\d+)*[^\W\d_]*|[^\W\d_]+")
# Fireworks cannot have dots in names: llama-v3p1-8b, glm-4p7.
_DOT_AS_P = re.compile(r"(?<=\d)p(?=\d)")
# A v before a version with decimals says nothing, nor does that of Fireworks' llama-v2.
_LETTER_V = re.compile(r"(?<![a-z])v(?=\d+\.\d)|(?<=llama-)v(?=\d)")
# Lines whose makers or hosts write a version with a dash, too: claude-opus-4-5, and on Bedrock llama3-1-8b.
_DASHED_LINES = re.compile(r"claude|llama|grok|jamba|internlm|[a-z]+stral")
_DASHED_VERSION = re.compile(r"(?<![\d.])(\d{1,2})-(\d{1,2})(?![\d.a-z])")

_ADDRESS = re.compile(r"arn:aws[^/]*/|projects/[^/]+/locations/[^/]+/publishers/")
_FILE = re.compile(r"\.(?:gguf|safetensors)$")

_MONTH, _DAY = "(?:0[1-9]|1[0-2])", "(?:0[1-9]|[12][0-9]|3[01])"
_DATE = re.compile(
    rf"[-@:](?:20\d\d-{_MONTH}(?:-{_DAY})?|{_MONTH}-20\d\d|(?:20)?[2-9]\d{_MONTH}{_DAY}|{_MONTH}-?{_DAY})$"
    r"|@(?:00\d|default)$"  # Google's numbers of a release
)
_BEHIND = re.compile(
    r"-(?:v\d+|\d):\d+(?::\d+k)?$"  # Bedrock
    r"|[-:](?:preview|latest)$"
    r"|:(?:free|thinking|online|nitro|floor|beta|extended|exacto|cloud)$|-cloud$"  # OpenRouter, Ollama
)
"""A part behind a name that does not make another model: a version of a host, a stage or a tag."""
_BEHIND_OPEN = re.compile(
    r"[-.:](?:instruct|chat|it|hf|unsloth|gguf|ggml|safetensors|onnx|mlx|exl[23]|awq|gptq|autoround|dwq|qat|imat|i1|ud|mxfp4-moe)$"
    r"|[-.@:](?:i?q\d(?:-[01k])?(?:-(?:xxs|xs|s|m|l|xl|nl))?|tq[12]-0)$"  # llama.cpp: q4_k_m, iq3_xs
    r"|[-.@:](?:(?:bf|fp|f)(?:4|8|16|32)(?:-dynamic|-block)?|(?:nv|mx)fp4|int[48]|w\da\d+)$"
    r"|[-.@:](?:bnb-|mlx-|dwq-)?[2-8]-?bits?$|[-.@:]\d(?:\.\d+)?bpw$"
    r"|-\d{5}-of-\d{5}$"
)
"""A part behind the name of an open model: its tuning for chats, its file's form, its quantisation."""

_MODE = re.compile(
    rf"-(?:(?:non-)?reasoning|beta|experimental|latest|preview|gv2|contributor|with-tools|{_MONTH}{_DAY})$"
)
"""A mode or a stage at the end of a listed name, which is of the model before it only if it costs the same."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name without words that stand before it. `makers` are those among the words; `by_user` says that some of the
    words are neither makers nor hosts: users of Hugging Face or folders, which hold open models only.
    """

    text: str
    makers: frozenset[str] = frozenset()
    by_user: bool = False


@dataclass(frozen=True, slots=True)
class Shorter:
    """A name without parts behind it. `for_open` says that this name is the same model only if the model is open;
    `is_stage` that no date is among the parts.
    """

    text: str
    for_open: bool
    is_stage: bool


def plain(name: str) -> str:
    """Return a name without differences of case, surrounding space, separators of words and kind of slash."""
    return name.strip().casefold().replace("\\", "/").replace("_", "-").replace(" ", "-")


def key_of(name: str) -> Key:
    """Return the parts of a name, equal for spellings of the same model: Claude-3.5-Sonnet and claude-3-5-sonnet,
    qwen2.5:7b and Qwen-2.5-7B, deepseek-v3p1 and deepseek-3.1.

    A part is a run of letters, or a number with its decimals and the letters right after it (4o, 72b, 3.1). A dash for
    a decimal point counts as one only where makers or hosts write so. () if there is none.
    """
    text = _DOT_AS_P.sub(".", plain(name))
    if _DASHED_LINES.search(text):
        text = _DASHED_VERSION.sub(r"\1.\2", text)
    return tuple(_PART.findall(_LETTER_V.sub("", text)))


def spellings(name: str) -> Iterator[Spelling]:
    """Yield the name, then without each word of makers and hosts before it: openrouter/openai/gpt-4o, us.anthropic.…"""
    whole = _ADDRESS.sub("", plain(name))
    spelled = _without_folders(Spelling(whole)) if _FILE.search(whole) else Spelling(whole)
    seen: set[Spelling] = set()
    open_ends = [spelled]
    while open_ends:
        one = open_ends.pop(0)
        if one not in seen:
            seen.add(one)
            yield one
            if len(whole) <= LONGEST:
                open_ends.extend(_without_word(one))


def tuned_from(text: str) -> str | None:
    """Return the model that a declared fine-tune stands on: gpt-4o-2024-08-06 of `ft:gpt-4o-2024-08-06:acme::abc`."""
    kind, _, rest = text.partition(":")
    return rest.partition(":")[0] or None if kind == "ft" else None


def shorter(text: str) -> Iterator[Shorter]:
    """Yield the name without one part after the other behind it: a date, a tag, and for open models a quantisation."""
    bare = _FILE.sub("", text)
    for_open, is_stage = bare != text, True
    if for_open:
        yield Shorter(bare, True, True)
    while True:
        for pattern in (_DATE, _BEHIND, _BEHIND_OPEN):
            cut = pattern.sub("", bare)
            if cut != bare:
                break
        else:
            return
        if not cut:
            return
        for_open, is_stage = for_open or pattern is _BEHIND_OPEN, is_stage and pattern is not _DATE
        bare = cut
        yield Shorter(bare, for_open, is_stage)


def modes(text: str) -> Iterator[str]:
    """Yield the name without one mode or stage after the other at its end: grok-4.20-beta, then grok-4.20."""
    while (cut := _MODE.sub("", text)) != text and cut:
        text = cut
        yield text


def _without_folders(one: Spelling) -> Spelling:
    folder, _, last = one.text.rpartition("/")
    return Spelling(last, by_user=bool(folder))


def _without_word(one: Spelling) -> Iterator[Spelling]:
    """Yield the spelling without its first word, for each way in which words are set off."""
    word, slash, rest = one.text.partition("/")
    if slash:
        yield _past(one, word, rest)
        return
    for mark in (".", ":"):
        word, found, rest = one.text.partition(mark)
        if found and rest and (maker_of(word) or is_host(word)):
            yield _past(one, word, rest)
            if mark == "." and maker_of(word):  # Bedrock: deepseek.r1
                yield _past(one, word, f"{word}-{rest}")
    for dashed in words_before_dash(one.text):
        yield _past(one, dashed, one.text[len(dashed) :].lstrip("-"))


def _past(one: Spelling, word: str, rest: str) -> Spelling:
    maker, rest = maker_of(word), plain(rest)
    if is_host(word) or (word in MAKERS_THAT_HOST and "/" in rest):
        return Spelling(rest, one.makers, one.by_user)
    return Spelling(rest, one.makers | {maker} if maker else one.makers, one.by_user or not maker)
