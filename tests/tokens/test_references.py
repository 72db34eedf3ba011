"""Counts and rendered chats against what other makers' tokenizers and templates said to `make references`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.chat.format import shipped_format, shipped_formats
from inspector.tokens.chat.messages import ChatCall, ChatMessage
from inspector.tokens.chat.sandbox import ChatTemplateError
from inspector.tokens.embedded import EMBEDDED_NAMES
from tests.examples import examples
from tests.references.chats import TOOLS
from tests.references.families import FAMILIES, NOT_COMPARED, Family, counted_here, difference, recorded

SAME_VOCABULARY = {"llama3.3": "llama3.1", "mistral_v2": "mistral_v3"}
REFUSING = {"gemma", "gemma2", "llama2", "llama3.1", "mistral_v1", "qwen3.5", "minimax_m2", "minimax_m3"}
"""The formats whose makers refuse some sequences of roles."""

ROLES = st.sampled_from(["system", "user", "assistant", "tool"])
CALLS = st.lists(st.builds(ChatCall, st.just("look"), st.just('{"at": "sea"}'), st.just("call00001")), max_size=2)
MESSAGES = st.lists(
    st.builds(
        lambda role, content, calls: ChatMessage(
            role,
            content,
            calls=tuple(calls) if role == "assistant" else (),
            call_id="call00001" if role == "tool" else "",
        ),
        ROLES,
        st.sampled_from(["", " ", "Hi", "\n\nHi ", "<think>a</think>b", "👩‍👩‍👧"]),
        CALLS,
    ),
    max_size=5,
)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_counts_are_those_of_the_reference(family: Family) -> None:
    about, cases = recorded(family)
    differences = [what for case in cases if (what := difference(case, counted_here(family, case)))]
    assert not differences, f"{len(differences)} of {len(cases)} differ from {about}, the first in {differences[0]}"
    texts = [case for case in cases if "ordinary" in case]
    assert len(texts) >= (100 if family.has_texts else 0)
    assert len(cases) - len(texts) >= (40 if family.has_chats else 0)


@pytest.mark.parametrize("family", [one for one in FAMILIES if one.has_texts], ids=lambda family: family.name)
def test_a_mark_that_somebody_types_is_text(family: Family) -> None:
    """What a server that parses specials counts is less, except for marks that are tokens wherever they stand."""
    _, cases = recorded(family)
    marked = [case for case in cases if "marks" in case and "parsed" in case]
    assert bool(marked) == (family.has_marks and not family.name.startswith("mistral"))
    assert all(case["parsed"] <= case["ordinary"] for case in marked)


def test_what_is_not_compared_is_said() -> None:
    compared = {family.vocabulary for family in FAMILIES if family.has_texts} | {*SAME_VOCABULARY}
    assert set(EMBEDDED_NAMES) - compared == {name for name in NOT_COMPARED if not name.endswith(" chats")}
    formats = {family.chat_format for family in FAMILIES if family.has_chats}
    without = {name.removesuffix(" chats") for name in NOT_COMPARED if name.endswith(" chats")}
    assert set(shipped_formats()) - formats == without


def test_only_what_was_compared_counts_as_exact() -> None:
    compared = {family.chat_format for family in FAMILIES if family.has_chats and family.has_texts}
    exact = {row.name for row in shipped_formats().values() if row.exact_for}
    assert exact <= compared


@pytest.mark.parametrize("name", list(shipped_formats()))
@given(messages=MESSAGES, tools=st.integers(0, 2))
@examples(25)
def test_a_template_takes_any_chat(name: str, messages: list[ChatMessage], tools: int) -> None:
    chat_format = shipped_format(name)
    try:
        written = chat_format.render(messages, TOOLS[:tools]).text
    except ChatTemplateError as refusal:
        written = str(refusal) if name in REFUSING else ""
    assert written or name in ("llama2", "gemini")  # which write nothing but what is said
    assert not any(word in written for word in ("None", "ndefined", "failed"))
