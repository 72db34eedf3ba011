"""Comparable forms of model names as users, files and hosts write them. Nothing here knows which models exist."""

import re
from collections.abc import Iterator
from itertools import zip_longest

Key = tuple[str, ...]

# Makers and hosts prefixed to a model's name with a dash: databricks-claude-…, zai-org-glm-…. Words at the beginning
# of a model's own name (mistral, deepseek, qwen) are not among them.
_VENDORS = (
    *("accounts", "alibaba", "amazon", "anthropic", "azure", "bedrock", "cerebras", "cohere", "databricks"),
    *(
        "deepinfra",
        "fireworks",
        "ft",
        "google",
        "groq",
        "meta",
        "microsoft",
        "moonshot",
        "moonshotai",
        "nvidia",
        "ollama",
    ),
    *("openai", "openrouter", "sambanova", "together", "vertex", "xai", "z-ai", "zai", "zai-org"),
)
_VENDOR_BEFORE = re.compile(rf"(?:{'|'.join(sorted(_VENDORS, key=len, reverse=True))})[-_:]+|[a-z-]+[._]")
_PART = re.compile(r"\d+[^\W\d_]*|[^\W\d_]+")
# Fireworks cannot have dots in names: llama-v3p1-8b, glm-4p7.
_DOT_AS_P = re.compile(r"(?<=\d)p(?=\d)")


def plain(name: str) -> str:
    """Return a name without differences of case, surrounding space and kind of slash."""
    return name.strip().casefold().replace("\\", "/")


def key_of(name: str) -> Key:
    """Return the parts of a name, equal for spellings of the same model: Claude-3.5-Sonnet and claude-3-5-sonnet,
    qwen2.5:7b and Qwen-2.5-7B, deepseek-v3p1 and deepseek-3.1.

    A part is a run of letters, or of digits with the letters right after it (4o, 72b). () if there is none.
    """
    parts = _PART.findall(_DOT_AS_P.sub(".", plain(name)))
    followed = zip_longest(parts, parts[1:], fillvalue="")
    return tuple(part for part, after in followed if not (part == "v" and after[:1].isdigit()))


def spellings(name: str) -> Iterator[str]:
    """Yield the name, then without each prefix of hosts in turn: openrouter/openai/gpt-4o, us.anthropic.claude-…"""
    whole = plain(name)
    places = [0, *(match.end() for match in re.finditer("/", whole))]
    for place in places:
        rest = whole[place:]
        yield rest
        while (vendor := _VENDOR_BEFORE.match(rest)) is not None:
            rest = rest[vendor.end() :]
            yield rest
