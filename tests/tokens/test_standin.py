"""Stand-ins: kinds of text, factors against the reconstructed vocabulary, and what holds for any text."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.embedded import embedded_tokenizer
from inspector.tokens.reconstructed.tokenizer import reconstructed_tokenizer
from inspector.tokens.standin.factors import FACTORS
from inspector.tokens.standin.kinds import TextKind, stretches
from inspector.tokens.standin.tokenizer import STANDIN_NAMES, standin_tokenizer, tokens_by_kind

ENGLISH = "The harbour is quiet, and the ship that comes at midnight waits for the tide."
GERMAN = "Der Hafen ist still, und das Schiff wartet um Mitternacht auf die Flut, die noch nicht kommt."
CODE = "def wait(ship):\n    while not tide.is_high:\n        sleep(60)\n    return ship.leave()"
KINDS = [
    (ENGLISH, [TextKind.ENGLISH]),
    (GERMAN, [TextKind.LATIN]),
    ("Déjà vu, señor!", [TextKind.LATIN]),
    ("ok", [TextKind.UNSURE]),
    (CODE, [TextKind.CODE]),
    (f"{ENGLISH}\n```python\n{CODE}\n```\n{ENGLISH}", [TextKind.ENGLISH, TextKind.CODE, TextKind.ENGLISH]),
    ('```json\n{"a": [1, 2]}\n```', [TextKind.JSON, TextKind.UNSURE]),
    ('{"name": "Mara", "seen": [1, 2]}', [TextKind.JSON]),
    ("<ul>\n<li><b>One</b></li>\n<li>Two</li>\n</ul>", [TextKind.HTML]),
    ("12 004 18.5\n13 201 19.0", [TextKind.DIGITS]),
    (
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        [TextKind.BASE64],
    ),
    ("Гавань тиха, 12 кораблей.", [TextKind.CYRILLIC, TextKind.UNSURE]),
    ("Το λιμάνι είναι ήσυχο", [TextKind.GREEK]),
    ("الميناء هادئ", [TextKind.ARABIC_HEBREW]),
    ("הנמל שקט", [TextKind.ARABIC_HEBREW]),
    ("बंदरगाह शांत है", [TextKind.DEVANAGARI]),
    ("ท่าเรือเงียบสงบ", [TextKind.THAI]),
    ("港口很安静，船在午夜到来。", [TextKind.HAN]),
    ("港は静かで、船は真夜中に来る。", [TextKind.JAPANESE]),
    ("항구는 조용하다", [TextKind.HANGUL]),
    ("துறைமுகம் அமைதி", [TextKind.OTHER]),
    ("hello привет мир and more", [TextKind.ENGLISH, TextKind.CYRILLIC, TextKind.ENGLISH]),
    ("", []),
]


@pytest.mark.parametrize(("text", "kinds"), KINDS)
def test_kinds(text: str, kinds: list[TextKind]) -> None:
    assert [kind for kind, _ in stretches(text)] == kinds


@given(text=st.text() | st.lists(st.sampled_from([one for one, _ in KINDS] + ["```", "\n", " "])).map("".join))
@examples(300)
def test_the_stretches_are_the_text(text: str) -> None:
    assert "".join(stretch for _, stretch in stretches(text)) == text


@given(text=st.text())
@examples(200)
def test_the_count_lies_within_its_bounds(text: str) -> None:
    for name in STANDIN_NAMES:
        one = standin_tokenizer(name)
        counts = one.count([text])
        low, high = one.spread.bounds([text], counts)
        assert 0 <= low[0] <= counts[0] <= high[0]
        assert (counts[0] == 0) == (text == "")


def test_a_text_of_one_kind_is_its_tokens_times_the_factor() -> None:
    base = int(embedded_tokenizer("o200k_base").count([ENGLISH])[0])
    for name in STANDIN_NAMES:
        usual, low, high = FACTORS[name][TextKind.ENGLISH]
        one = standin_tokenizer(name)
        counts = one.count([ENGLISH])
        assert counts.tolist() == [round(base * usual)]
        assert [bound.tolist() for bound in one.spread.bounds([ENGLISH], counts)] == [
            [int(np.floor(base * low))],
            [int(np.ceil(base * high))],
        ]


def test_every_family_has_a_factor_for_every_kind() -> None:
    for factors in FACTORS.values():
        assert set(factors) == set(TextKind)
        assert all(0 < factor.low <= factor.usual <= factor.high for factor in factors.values())


@pytest.mark.parametrize(("family", "exact"), [("claude-v3", "claude-v3"), ("claude-v4.7", "claude-v4.8")])
def test_the_factors_of_claude_hold_its_reconstructed_counts(family: str, exact: str, data_folder: Path) -> None:
    """Of pieces as long as those by which their range was measured, in Chinese, where four characters are one."""
    written = "".join(path.read_text("utf-8") for path in sorted((data_folder / "kdconv").glob("*.json"))[:3])
    talk = "".join(re.findall("[\u3000-\u303f\u4e00-\u9fff\uff01-\uff1f]+", written))[:60_000]
    pieces = [talk[start : start + 800] for start in range(0, len(talk), 800)]
    one, reference = standin_tokenizer(family), reconstructed_tokenizer(exact).count(pieces)
    low, high = one.spread.bounds(pieces, one.count(pieces))
    assert ((low <= reference) & (reference <= high)).mean() > 0.9
    assert abs(one.count(pieces).sum() / reference.sum() - 1) < 0.05


def test_tokens_by_kind_add_up() -> None:
    texts = [one for one, _ in KINDS]
    found = tokens_by_kind(texts)
    assert found.shape == (len(texts), len(TextKind))
    alone = embedded_tokenizer("o200k_base").count([ENGLISH, CODE])
    assert found[0].sum() == alone[0]
    assert found[4, TextKind.CODE] == alone[1]


def test_the_japanese_chat(data_folder: Path) -> None:
    path = data_folder.parent / "trials" / "today" / "japanese.json"
    if not path.is_file():
        pytest.skip("the small inputs are not here")
    text = json.loads(path.read_text("utf-8"))["messages"][0]["content"]
    one = standin_tokenizer("grok")
    low, high = one.spread.bounds([text], one.count([text]))
    assert low[0] < 570
    assert high[0] > 577


def test_the_first_tokens() -> None:
    one = standin_tokenizer("claude-v3")
    text = f"{ENGLISH} {GERMAN} 港口很安静"
    for limit in (0, 1, 7, 30, 500):
        first = one.first(text, limit)
        assert text.startswith(first)
        assert one.count([first])[0] <= limit
    assert one.first(text, 500) == text
