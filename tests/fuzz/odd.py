"""Odd values: what mutations put in place of sound ones."""

import random
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, TypeVar

Item = TypeVar("Item")

TEXTS: tuple[str, ...] = (
    *("", " ", "x", "\n", "\0", "a\0b", "\ud83d", "\udc00x", "\ufeff", "\ufffe", "\u2028", "\x85", "\x1c"),
    *("\u202egnp.exe", "\x1b[2J\x1b]0;title\x07", "\x9b31m", "\x08\x08", "e\u0301" * 40, "𝒳😀", "ß" * 70, "\u200b"),
    *("[/bold]", "[red]", "[link=file:///x]y", "%s %n", "{0}", "{{char}}{{user}}", "{{", "}}", "{% for x in y %}"),
    *("<img src='file:///dev/zero'>", "<b>x", "&lt;", '=HYPERLINK("http://x")', "+1", "@@depth 99999", "@@", "```"),
    *("../../x", "/dev/zero", "/", "C:\\x", ".", "..", "~", "con", "a" * 300, "a/b", "file:///x", "-", "--help"),
    *("NaN", "Infinity", "1e999", "null", "true", "yes", "-0", "٣", "１２", "²", "1_000", "0x10", "1e3", "9" * 400),
    *("<|im_end|>", "<|endoftext|>", "</s>", "<think>", "[INST]", "<|start|>assistant", "▁", "Ġ", "##a", "<0x00>"),
    *("/(a+)+$/", "/((((/", "/[/", "/a/gg", "/\\/", "(" * 330 + ")" * 330, "/" + "(" * 330 + ")" * 330 + "/"),
    *("/(?<a>x)\\k<a>/", "/x{99999}/", "/(x{999}){999}/", "/\\u{110000}/u", "/a|*/", "/(?i)a/", "/[z-a]/", "/\\p{X}/u"),
    *("role", "system", "user", "assistant", "tool", "message", "id", "auto", "none", "default", "draft", "m0", "m1"),
    *("estimate:words", "embedded:qwen3", "hf:.", "gguf:/dev/null", "gguf:", "tiktoken:gpt2", "gpt-4o", "ratio"),
)
"""Texts that something may take for markup, a number, a path, a pattern, an escape, or the end of a text."""

NUMBERS: tuple[int | float, ...] = (
    *(0, 1, -1, 2, 7, 100, 255, 256, 65_535, 65_536, 2**31 - 1, 2**31, -(2**31) - 1, 2**32, 2**53 + 1),
    *(2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**30, -(10**30), 10**400, 1e308, -1e308, 1e-320, 0.1, -0.5, -0.0),
    *(1.5, 101, float("nan"), float("inf"), float("-inf")),
)

TIMES: tuple[int | float | str, ...] = (
    *("10000-01-01T00:00:00Z", "0000-00-00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "0001-01-01"),
    *("-0001-01-01", "1969-12-31T23:59:59.999999Z", "2024-02-30T00:00:00", "2024-01-01T24:00:00", "2024-W01-1"),
    *("20240101T000000Z", "2024-01-01T00:00:00+23:59:59.999999", "2024-01-01 00:00:60", "0:00 am on 0 may, 0000"),
    *("April 31, 99999 25:61am", "2024-2-30@25h61m61s", "2024-01-01@00h00m00s 999ms", "13:47", "1e9", "1700000000"),
    *("1700000000000", "-62135596801", "99999999999999999999999999", "2024-01-01T00:00:00[UTC]", "²024-01-01"),
    *(0, -1, 1_700_000_000, 1_700_000_000_000, 1_700_000_000_000_000, 1.7e18, 1e19, -1e19, -62_135_596_801),
    *(253_402_300_800, 253_402_300_799_999, 1e308, 2**63, -(2**63), 1_700_000_000.123456789, float("nan")),
)

KEYS: tuple[str, ...] = (
    *("", " ", "\0", "__proto__", "__class__", "format", "id", "name", "role", "content", "text", "time", "type"),
    *("messages", "message", "parent", "children", "parts", "data", "value", "entries", "extensions", "x" * 500, "é"),
    *("$", "$date", ".", "a.b", "[0]", "`", "\ud800", "1", "-1", "null", "true", "<<", "metadata", "tool_calls"),
)

CONTAINERS: tuple[Any, ...] = ([], {}, [[]], [{}], [None], {"": None}, {"a": []}, ["x", 5], [[[[]]]], {"type": []})


def odd_value(rng: random.Random) -> Any:
    """A value of any type: text, number, container, truth, nothing."""
    kind = rng.randrange(10)
    if kind < 4:
        return odd_text(rng)
    if kind < 7:
        return rng.choice(NUMBERS)
    return deepcopy(rng.choice(CONTAINERS)) if kind < 9 else rng.choice((None, True, False))


def odd_text(rng: random.Random) -> str:
    """A text that may be taken for something else, rarely a long one."""
    if rng.random() < 0.06:
        return rng.choice(("a", "ab ", "é", "[", "a\n", "😀")) * rng.choice((1_000, 20_000, 100_000))
    text = rng.choice(TEXTS)
    return text + rng.choice(TEXTS) if rng.random() < 0.1 else text


def some(rng: random.Random, items: Sequence[Item], most: int) -> list[Item]:
    """Up to so many of the items, in any order."""
    return rng.sample(items, min(len(items), rng.randint(1, most)))
