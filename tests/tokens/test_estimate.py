"""Estimators: their rules by hand-made tables, and the first N tokens by brute force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.estimate import ESTIMATORS, image_tokens

FAMILY = "👩‍👩‍👧‍👦"  # 7 code points, 25 bytes
ACCENT = "e\u0301"  # 2 code points, 3 bytes

# text: chorus, whisperengine, -component, ibex, ibex-claude, brain, brain-0.1, scribe, words
TABLE = {
    "": (0, 0, 0, 0, 0, 0, 0, 0, 0),
    "a": (1, 1, 0, 1, 1, 1, 0, 0, 1),
    "abc": (1, 1, 0, 1, 1, 1, 0, 0, 1),
    "abcd": (1, 1, 1, 1, 2, 2, 1, 1, 1),
    "Hello, world! This is a test.": (7, 7, 7, 8, 9, 10, 7, 7, 6),
    "   ": (1, 1, 0, 1, 1, 1, 0, 0, 0),
    " \n\t  \u3000   ": (2, 1, 2, 3, 3, 3, 2, 2, 0),
    "  one \n\n two\tthree   ": (5, 3, 5, 6, 6, 7, 5, 5, 3),
    FAMILY: (1, 1, 1, 2, 2, 3, 6, 6, 1),
    ACCENT * 4: (2, 2, 2, 2, 3, 3, 3, 3, 1),
    "日本語のテキスト": (2, 2, 2, 2, 3, 3, 6, 6, 1),
    "\ud83d lone": (1, 1, 1, 2, 2, 2, 2, 2, 2),
}
NAMES = [
    *("chorus", "whisperengine", "whisperengine-component", "ibex", "ibex-claude"),
    *("brain", "brain-0.1", "scribe", "words"),
]
SHORT_TEXTS = st.text(st.sampled_from("ab \n\tz漢é😀\u0301\u3000"), max_size=24)


@pytest.mark.parametrize(("column", "name"), list(enumerate(NAMES)))
def test_rule_by_table(column: int, name: str) -> None:
    counts = ESTIMATORS[f"estimate:{name}"].count(list(TABLE))
    assert dict(zip(TABLE, counts.tolist(), strict=True)) == {text: row[column] for text, row in TABLE.items()}
    assert counts.dtype == "int32"


def test_the_table_names_every_estimator() -> None:
    assert [f"estimate:{name}" for name in NAMES] == list(ESTIMATORS)
    assert not any(estimator.exact for estimator in ESTIMATORS.values())


def test_no_texts() -> None:
    assert ESTIMATORS["estimate:words"].count([]).tolist() == []


@pytest.mark.parametrize("name", NAMES)
@given(text=SHORT_TEXTS, limit=st.integers(-1, 12))
def test_first_is_the_longest_prefix_that_fits(name: str, text: str, limit: int) -> None:
    estimator = ESTIMATORS[f"estimate:{name}"]
    prefixes = [text[:length] for length in range(len(text) + 1)]
    fitting = [prefix for prefix in prefixes if estimator.count([prefix])[0] <= limit]
    assert estimator.first(text, limit) == (fitting[-1] if fitting else "")


def test_first_words_keep_the_white_space_behind_them() -> None:
    assert ESTIMATORS["estimate:words"].first("one  two three", 2) == "one  two "


def test_only_whisperengine_charges_for_pictures() -> None:
    charged = {name: image_tokens(estimator) for name, estimator in ESTIMATORS.items() if image_tokens(estimator)}
    assert charged == {"estimate:whisperengine": 85}
