"""What all tokenizers share: prefixes by bisection and by tokens, surrogates, and that importing costs nothing."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.tokenizer import longest_prefix, prefix_of_tokens, without_surrogates


def test_longest_prefix_by_bisection() -> None:
    assert longest_prefix("a bb ccc", 4, len) == "a bb"
    assert longest_prefix("abc", 9, len) == "abc"
    assert longest_prefix("abc", 0, len) == ""
    assert longest_prefix("abc", -1, len) == ""


def test_a_prefix_that_counts_more_alone_is_shortened() -> None:
    def count(text: str) -> int:
        return 9 if text.endswith("cd") else len(text) // 2

    assert prefix_of_tokens("abcdef", b"abcd", 2, count) == "abc"


def test_a_prefix_ends_between_code_points() -> None:
    assert prefix_of_tokens("aé", "aé".encode()[:2], 5, len) == "a"


def test_tokens_that_do_not_spell_the_text_are_not_taken() -> None:
    assert prefix_of_tokens("e\u0301bc", "éb".encode(), 3, len) == "e\u0301b"


def test_surrogates() -> None:
    assert without_surrogates("a\ud83d\ude00b") == "a😀b"
    assert without_surrogates("a\ude00\ud83d") == "a\ufffd\ufffd"


@given(text=st.text())
def test_a_text_without_surrogates_is_left_as_it_is(text: str) -> None:
    assert without_surrogates(text) is text


HEAVY = ("tiktoken", "splintr", "transformers", "tokenizers", "huggingface_hub", "jinja2", "yaml", "PySide6")
IMPORTS = f"""
import pkgutil, sys, importlib, inspector.tokens
for module in pkgutil.walk_packages(inspector.tokens.__path__, "inspector.tokens."):
    # Imported when a file of models, or a tokenizer.json, is read.
    if not module.name.endswith((".media.folder", ".models.files", ".models.importing", ".tokenizer_json")):
        importlib.import_module(module.name)
print([name for name in {HEAVY!r} if name in sys.modules])
"""


def test_importing_the_package_imports_nothing_heavy() -> None:
    answer = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
