"""Thoughts in the planned ledger: they come to what the measured one finds in the rendered prompt."""

import pytest
from building import pipeline_for, workspace
from hypothesis import example, given
from hypothesis import strategies as st

from inspector.analysis.replay.prefix import UnitReader
from inspector.assembly.answer import Answer, ledger_terms, measured, planned_answer
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario
from inspector.assembly.token_ledger import TokenLedger, planned_total
from inspector.formats.content.turns import beside
from inspector.model import Call, Message, Text, Thought, Tool, changed
from inspector.tokens.certainty import Certainty
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.chat.messages import THOUGHTS
from tests.examples import examples

MODELS = {
    "qwen3": ("qwen3-8b", "embedded:qwen3"),
    "chatml": ("kimi-dev-72b", "embedded:qwen2.5"),
    "harmony": ("gpt-oss-20b", "embedded:gpt-oss"),
    "minimax_m3": ("MiniMax-M3", "embedded:qwen3"),
    "deepseek_v4": ("deepseek-v4-flash", "embedded:deepseek_r1"),
    "openai": ("gpt-4o", "embedded:o200k_base"),
    "claude_v4.8": ("claude-opus-4-8", "embedded:qwen3"),
    "claude_v3": ("claude-sonnet-4-5", "embedded:qwen3"),
}
THOUGHT = "So they want the height at noon"
Turn = tuple[str, bool]
TURNS = st.lists(st.tuples(st.sampled_from(["user", "answer", "call"]), st.booleans()), max_size=7)


def chat(turns: list[Turn], thoughtful: bool = True) -> list[Message]:
    """A question and these turns; a call is followed by its result. All texts are words, which no seam changes."""
    said = [Message("", "user", "How high is the tide")]
    for kind, has_thought in turns:
        thoughts, call = THOUGHT if has_thought and thoughtful else "", Call("call00001", "look", "{}")
        if kind == "user":
            said.append(Message("", "user", "And then"))
        elif kind == "answer":
            said.append(Message("", "assistant", parts=beside("Four metres", thoughts=thoughts)))
        else:
            parts = beside("Looking", thoughts=thoughts, calls=[call])
            said += [Message("", "assistant", parts=parts), Message("", "tool", "calm")]
    return [changed(message, id=f"m{number}") for number, message in enumerate(said)]


def answers(messages: list[Message], has_tools: bool = False, **scenario: object) -> tuple[Answer, Answer]:
    """The planned answer of a scenario in which all is counted, and the measured one."""
    tools = (Tool({"name": "look", "description": "look", "parameters": {}}),) if has_tools else ()
    pipeline, wanted = pipeline_for(workspace(messages, tools=tools)), Scenario(**{"policy": "naive", **scenario})  # pyright: ignore[reportArgumentType]
    make_all(pipeline, wanted)
    planned = planned_answer(pipeline, pipeline.case(wanted))
    return planned, measured(pipeline, planned)


def thoughts_of(ledger: TokenLedger) -> int:
    return next((line.tokens for line in ledger.lines if line.name == "thoughts"), 0)


@pytest.mark.parametrize("name", MODELS)
@given(turns=TURNS, has_tools=st.booleans(), sent=st.sampled_from(THOUGHTS))
@example(turns=[("call", True)], has_tools=True, sent="auto")
@example(turns=[("answer", True), ("user", False), ("call", True)], has_tools=False, sent="auto")
@example(turns=[("answer", True), ("user", False), ("answer", True), ("user", False)], has_tools=False, sent="auto")
@examples(25)
def test_a_plan_has_the_thoughts_of_the_prompt(name: str, turns: list[Turn], has_tools: bool, sent: str) -> None:
    model, tokenizer = MODELS[name]
    has_tools |= any(kind == "call" for kind, _ in turns)
    pairs = [
        answers(chat(turns, thoughtful), has_tools, model=model, tokenizer=tokenizer, thoughts=sent)
        for thoughtful in (True, False)
    ]
    (planned, found), (bare_plan, bare) = pairs
    assert planned.model.chat_format.name == name
    assert thoughts_of(planned.ledger) == thoughts_of(found.ledger)
    if not turns or turns[-1][0] != "answer":  # some templates write an empty thought into a last answer
        added = found.ledger.total - bare.ledger.total
        assert planned.ledger.total - bare_plan.ledger.total == added


def test_a_plan_of_plain_thoughts_is_what_is_measured() -> None:
    turns = [("answer", True), ("user", False), ("answer", True), ("user", False)]
    model, tokenizer = MODELS["minimax_m3"]
    for which, sent in (("auto", 2), ("none", 0)):
        planned, found = answers(chat(turns), model=model, tokenizer=tokenizer, thoughts=which)
        counted = int(planned.assembly.candidates.counts.tokenizer.count([THOUGHT])[0])
        assert planned.ledger.total == found.ledger.total == found.ledger.rendered
        assert thoughts_of(planned.ledger) == counted * sent
        assert planned_total(planned.assembly, *ledger_terms(planned.case)) == planned.ledger.total


def test_a_message_that_is_not_whole_has_no_thoughts() -> None:
    messages = [*chat([("call", True)] * 4), Message("last", "user", "And then")]
    model, tokenizer = MODELS["minimax_m3"]
    settings = {"message_cap": 2, "recent_messages": 1, "min_exchanges": 1, "system_overflow": "ignore"}
    came = set()
    for window in (40, 80, 120, 160, 4000):
        parameters = settings if window < 4000 else {}
        planned, found = answers(
            messages, model=model, tokenizer=tokenizer, policy="ratio", context_window=window, parameters=parameters
        )
        assert thoughts_of(planned.ledger) == thoughts_of(found.ledger)
        came.add(thoughts_of(found.ledger))
    assert min(came) < max(came) == 28


@pytest.mark.parametrize("name", ["qwen3", "minimax_m3", "harmony"])
def test_units_of_a_prompt_have_their_thoughts(name: str) -> None:
    model, tokenizer = MODELS[name]
    planned, _ = answers(chat([("answer", True), ("user", False), ("call", True)]), model=model, tokenizer=tokenizer)
    chat_format = planned.model.chat_format
    reply = frames_of(chat_format, planned.assembly.candidates.counts.tokenizer).reply()
    assert thoughts_of(planned.ledger)
    assert UnitReader(chat_format, ()).units(planned.assembly).tokens + reply == planned.ledger.total


def test_the_summary_of_an_encrypted_thought_is_no_text_of_the_prompt() -> None:
    """It costs once, as a thought that cannot be read: its summary is for users."""

    def ledgers_of(thought: Thought) -> list[TokenLedger]:
        parts = (thought, Text("Looking"), Call("call00001", "look", "{}"))
        said = [Message("m0", "user", "Hi"), Message("m1", "assistant", parts=parts), Message("m2", "tool", "calm")]
        return [one.ledger for one in answers(said, model="qwen3-8b")]

    assert all(thoughts_of(ledger) for ledger in ledgers_of(Thought(THOUGHT)))
    for ledger in ledgers_of(Thought(THOUGHT, encrypted=True)):
        assert not thoughts_of(ledger)
        assert ledger.certainty is Certainty.UNKNOWN
