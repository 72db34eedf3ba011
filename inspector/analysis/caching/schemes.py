"""The rules of providers' prompt caches: a table, to which a newcomer adds a row.

Sources: OpenAI's guide "Prompt caching" and the texts of its SDK for GPT-5.6 and later; Anthropic's page "Prompt
caching"; Google's page "Context caching"; DeepSeek's, xAI's and Alibaba's pages on theirs. Where the price file lists
the shortest prefix of a model, that is taken.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from inspector.tokens.models.prices import Prices
from inspector.tokens.models.table import ModelRow

_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Scheme:
    """The rule of a prompt cache.

    `kind`: "breakpoint" keeps an entry at the end of each prompt, and reads it only if the whole entry is the beginning
    of a later one; "blocks" reads the common beginning, in steps. `minimum` is the shortest prefix in tokens, `step`
    the tokens of a block beyond it. `lifetime` is the seconds since the last use, None where none is promised;
    `longest` those since the entry was written, None without such a limit. `reach` is how many blocks of content before
    its end a prompt looks for entries, None without a limit. `write` is the price of writing in parts of the input's,
    where the table has none. `rule` says it in words.
    """

    kind: Literal["breakpoint", "blocks"]
    minimum: int
    lifetime: float | None
    rule: str
    step: int = 1
    write: float = 1.0
    longest: float | None = None
    reach: int | None = None


_BLOCKS_OF_OPENAI = Scheme(
    "blocks",
    1_024,
    10 * _MINUTE,
    "OpenAI keeps beginnings of 1,024 tokens and more in steps of 128, for 10 minutes from each use, at most an hour",
    128,
    longest=60 * _MINUTE,
)
_BREAKPOINT_OF_OPENAI = Scheme(
    "breakpoint",
    1_024,
    30 * _MINUTE,
    "OpenAI keeps each prompt up to its newest message for 30 minutes, for a quarter more",
    write=1.25,
)
_BREAKPOINT_OF_ANTHROPIC = Scheme(
    "breakpoint",
    1_024,
    5 * _MINUTE,
    "Anthropic keeps each prompt marked at its end for 5 minutes, for a quarter more, and looks 20 blocks back",
    write=1.25,
    reach=20,
)
_GOOGLE = Scheme("blocks", 1_024, None, "Google keeps beginnings by itself and promises no time")
_TABLE: tuple[tuple[str, str, Scheme], ...] = (
    ("OpenAI", r"gpt-(?:5\.[6-9]|[6-9]|1\d)(?:\D.*)?", _BREAKPOINT_OF_OPENAI),
    ("OpenAI", r".*", _BLOCKS_OF_OPENAI),
    (
        "Anthropic",
        r"claude-(?:(?:opus|fable)-5|\w+-5[-.]5)(?:\D.*)?",
        replace(_BREAKPOINT_OF_ANTHROPIC, minimum=512),
    ),
    (
        "Anthropic",
        r"claude-(?:opus-4[-.]7|haiku-3[-.]5|3[-.]5-haiku|3-haiku)(?:\D.*)?",
        replace(_BREAKPOINT_OF_ANTHROPIC, minimum=2_048),
    ),
    (
        "Anthropic",
        r"claude-(?:opus-4[-.][56]|haiku-4[-.]5)(?:\D.*)?",
        replace(_BREAKPOINT_OF_ANTHROPIC, minimum=4_096),
    ),
    ("Anthropic", r".*", _BREAKPOINT_OF_ANTHROPIC),
    ("Google", r"gemini-.*pro.*", replace(_GOOGLE, minimum=4_096)),
    ("Google", r"gemini-.*", _GOOGLE),
    ("DeepSeek", r".*", Scheme("blocks", 64, None, "DeepSeek keeps beginnings on disk in steps of 64 tokens", 64)),
    (
        "xAI",
        r".*",
        Scheme("blocks", 128, None, "xAI keeps beginnings in blocks of 128 tokens and promises no time", 128),
    ),
    ("Alibaba", r".*", Scheme("blocks", 256, 5 * _MINUTE, "Alibaba keeps beginnings by itself for 5 minutes")),
)
"""Makers, patterns of whole names in lower case, and the rule; the first match counts."""


def scheme_of(row: ModelRow | None, prices: Prices | None) -> Scheme | None:
    """Return the rule of the cache that a maker runs for its model.

    None where no rule is known, or the table has no price for what is read from a cache.
    """
    if row is None or prices is None or prices.standard.rates.cache_read is None:
        return None
    name = row.name.casefold()
    found = next((rule for maker, names, rule in _TABLE if maker == row.maker and re.fullmatch(names, name)), None)
    if found is _BLOCKS_OF_OPENAI and prices.breakpoints:
        found = _BREAKPOINT_OF_OPENAI
    return found if found is None or prices.cache_minimum is None else replace(found, minimum=prices.cache_minimum)
