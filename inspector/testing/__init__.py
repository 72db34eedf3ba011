"""Checks for authors of plug-ins; each reports a fault in a sentence, by raising AssertionError.

    from inspector.testing import check_format, check_policy, check_tokenizer

    def test_my_policy() -> None:
        check_policy(MyPolicy(share=0.5))

    def test_my_format() -> None:
        check_format(FORMAT, "tests/chat.log")

    def test_my_tokenizer() -> None:
        check_tokenizer(make("small"))

They need no test library. The project's own tests call them for everything that is built in.
"""

from inspector.testing.formats import check_format
from inspector.testing.policies import check_policy
from inspector.testing.tokenizers import check_tokenizer

__all__ = ["check_format", "check_policy", "check_tokenizer"]
