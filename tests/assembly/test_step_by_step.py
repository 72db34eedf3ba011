"""Sessions worked out in columns are those lived through message by message, at every end of every parameter."""

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import step_by_step
from building import answer_to, workspace
from hypothesis import example, given
from hypothesis import strategies as st
from test_folds import told

from inspector.assembly.policies.agents.aider import AiderSummary
from inspector.assembly.policies.agents.anthropic import AnthropicCompaction
from inspector.assembly.policies.agents.cline_compact import ClineCompact
from inspector.assembly.policies.agents.codex import CodexCompact
from inspector.assembly.policies.agents.langchain import LangchainSummarize
from inspector.assembly.policies.agents.opencode import OpencodeCompact
from inspector.assembly.policies.agents.openhands import OpenhandsCondenser
from inspector.assembly.policies.agents.roo import RooContext
from inspector.model import Call, Message, Result, Role, Text, with_parts
from tests.examples import examples

ROLES: dict[str, Role] = {"user": "user", "system": "system", "tool": "tool"}
TURNS = st.tuples(
    st.sampled_from(["user", "user", "assistant", "assistant", "calls", "calls", "tool", "tool", "system"]),
    st.integers(0, 6),
    st.integers(0, 3),
)
TALKS = st.lists(TURNS, max_size=40)
SIZES = st.integers(0, 40)
_EXCHANGE = ("user", 1, 0), ("assistant", 2, 0)


def messages(drawn: Sequence[tuple[str, int, int]], word: str = "w", prefix: str = "m") -> list[Message]:
    """Return messages of so many words; calls and results have one of a few ids, so that some are found again."""
    found: list[Message] = []
    for number, (role, size, call) in enumerate(drawn):
        name, text = f"{prefix}{number}", " ".join([word] * size)
        if role == "tool":
            result = Result(f"c{call}" if call else "", content=text)
            found.append(with_parts(Message(name, "tool", ""), (result,)))
        elif role == "calls":
            calls = [Call(f"c{one}", "look", "{}") for one in range(1, call + 1)]
            found.append(with_parts(Message(name, "assistant", ""), (Text(text), *calls)))
        else:
            found.append(Message(name, ROLES.get(role, "assistant"), text))
    return found


def check_agree(policy: Any, step: Any, talk: Sequence[Message], window: int, **parameters: Any) -> None:
    """Assert that a policy decides everything as the steps do."""
    name, lived = _NAMES[policy], lambda *given: step(*given)

    def decided() -> dict[str, Any]:
        given = workspace(talk)
        return told(answer_to(given, policy=name, context_window=window, parameters=parameters).assembly)

    found = decided()
    with patch.object(policy, "_live", lived):
        assert found == decided()


_NAMES: dict[Any, str] = {
    AiderSummary: "aider_summary",
    AnthropicCompaction: "anthropic_compaction",
    ClineCompact: "cline_compact",
    CodexCompact: "codex_compact",
    LangchainSummarize: "langchain_summarize",
    OpencodeCompact: "opencode_compact",
    OpenhandsCondenser: "openhands_condenser",
    RooContext: "roo_context",
}
_AMOUNTS = ("tokens", "messages", "fraction")


@examples(600)
@given(
    drawn=TALKS,
    kinds=st.tuples(st.sampled_from([*_AMOUNTS, "clauses"]), st.sampled_from(_AMOUNTS)),
    tokens=st.tuples(SIZES, SIZES),
    counts=st.tuples(st.integers(0, 12), st.integers(0, 12)),
    shares=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    size=SIZES,
    replay=st.booleans(),
)
def test_langchains_summaries(
    drawn: Any, kinds: Any, tokens: Any, counts: Any, shares: Any, size: int, replay: bool
) -> None:
    parameters = {
        "trigger_kind": kinds[0],
        "trigger_tokens": tokens[0],
        "trigger_messages": counts[0],
        "trigger_fraction": shares[0],
        "trigger_clauses": f'[{{"tokens": {tokens[0]}, "messages": {counts[0]}}}, {{"fraction": {shares[0]}}}]',
        "keep_kind": kinds[1],
        "keep_tokens": tokens[1],
        "keep_messages": counts[1],
        "keep_fraction": shares[1],
        "summary_size": size,
        "replay": replay,
    }
    check_agree(LangchainSummarize, step_by_step.langchain, messages(drawn), 60, **parameters)


@examples(400)
@given(drawn=TALKS, most=SIZES, recent=SIZES, base=SIZES, size=SIZES, replay=st.booleans())
def test_clines_compactions(drawn: Any, most: int, recent: int, base: int, size: int, replay: bool) -> None:
    parameters = {
        "max_input_tokens": most,
        "preserve_recent_tokens": recent,
        "base_tokens": base,
        "summary_size": size,
        "replay": replay,
    }
    check_agree(ClineCompact, step_by_step.cline, messages(drawn), 60, **parameters)


@examples(200)
@given(drawn=TALKS, trigger=SIZES, base=SIZES, size=SIZES, replay=st.booleans())
def test_claudes_compactions(drawn: Any, trigger: int, base: int, size: int, replay: bool) -> None:
    parameters = {"trigger": trigger, "base_tokens": base, "summary_size": size, "replay": replay}
    check_agree(AnthropicCompaction, step_by_step.anthropic, messages(drawn), 10_000, **parameters)


WORDS = ["w", "word " * 9, "ä€😀 " * 7, "long " * 60]


@example(
    drawn=[("user", 0, 0), ("user", 1, 0), ("assistant", 6, 0), ("user", 1, 0)],
    word="abcd",
    of_program="",
    limit=1,
    room=1,
    base=0,
    size=0,
    replay=True,
)
@examples(500)
@given(
    drawn=TALKS,
    word=st.sampled_from(WORDS),
    of_program=st.sampled_from(["", "<environment_context>", "  # AGENTS.md instructions for "]),
    limit=st.integers(1, 900),
    room=st.integers(0, 12) | st.integers(0, 400),
    base=st.sampled_from([0, 7, 1_000]),
    size=SIZES,
    replay=st.booleans(),
)
def test_codexs_compactions(
    drawn: Any, word: str, of_program: str, limit: int, room: int, base: int, size: int, replay: bool
) -> None:
    talk = messages(drawn, word)
    if of_program and talk and talk[-1].role == "user":
        talk[-1] = Message(talk[-1].id, "user", of_program + talk[-1].content)
        talk.extend(messages(drawn, word, "again"))
    parameters = {
        "auto_compact_limit": limit,
        "user_message_tokens": room,
        "base_tokens": base,
        "summary_size": size,
        "replay": replay,
    }
    check_agree(CodexCompact, step_by_step.codex, talk, 1_000, **parameters)


@example(drawn=[*_EXCHANGE, ("user", 1, 0), *_EXCHANGE], most=1, reads=1, size=0, replay=True)
@examples(600)
@given(
    drawn=TALKS,
    most=st.integers(1, 60),
    reads=st.integers(500, 570) | st.just(1),
    size=st.integers(0, 12) | SIZES,
    replay=st.booleans(),
)
def test_aiders_summaries(drawn: Any, most: int, reads: int, size: int, replay: bool) -> None:
    parameters = {"max_tokens": most, "model_max_input": reads, "summary_size": size, "replay": replay}
    check_agree(AiderSummary, step_by_step.aider, messages(drawn), 1_000, **parameters)


@examples(500)
@given(
    drawn=TALKS,
    is_plain=st.booleans(),
    percent=st.sampled_from([0.0, 100.0]) | st.floats(0, 100),
    reply=st.integers(0, 70),
    base=SIZES,
    size=SIZES,
    replay=st.booleans(),
)
def test_roos_condensing(
    drawn: Any, is_plain: bool, percent: float, reply: int, base: int, size: int, replay: bool
) -> None:
    """`is_plain`: without tools, so that it is worked out in columns more often."""
    talk = messages([turn for turn in drawn if not is_plain or turn[0] in ("user", "assistant")])
    parameters = {
        "condense_percent": percent,
        "max_tokens": reply,
        "base_tokens": base,
        "summary_size": size,
        "replay": replay,
    }
    check_agree(RooContext, step_by_step.roo, talk, 60, **parameters)


@examples(600)
@given(
    drawn=TALKS,
    output=st.integers(0, 70),
    input_limit=st.just(0) | SIZES,
    recent=SIZES,
    turns=st.integers(-1, 4),
    goes_on=st.booleans(),
    base=SIZES,
    size=SIZES,
    replay=st.booleans(),
)
def test_opencodes_compactions(
    drawn: Any,
    output: int,
    input_limit: int,
    recent: int,
    turns: int,
    goes_on: bool,
    base: int,
    size: int,
    replay: bool,
) -> None:
    parameters = {
        "max_output": output,
        "input_limit": input_limit,
        "preserve_recent_tokens": recent,
        "tail_turns": turns,
        "autocontinue": goes_on,
        "base_tokens": base,
        "summary_size": size,
        "replay": replay,
    }
    check_agree(OpencodeCompact, step_by_step.opencode, messages(drawn), 60, **parameters)


@examples(300)
@given(drawn=TALKS, first=st.integers(0, 5), more=st.integers(0, 12), size=SIZES, replay=st.booleans())
def test_openhands_summaries(drawn: Any, first: int, more: int, size: int, replay: bool) -> None:
    parameters = {"keep_first": first, "max_size": 2 * (first + 2) + more, "summary_size": size, "replay": replay}
    check_agree(OpenhandsCondenser, step_by_step.openhands, messages(drawn), 10_000, **parameters)
