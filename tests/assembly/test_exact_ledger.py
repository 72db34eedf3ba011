"""Parts plus overhead equal the whole: with an exact tokenizer the residual is 0 for every conversation."""

from typing import Any

import pytest
from building import answer_to, pipeline_for, workspace
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from inspector.assembly.answer import Answer, measured, planned_answer
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario
from inspector.formats.content.turns import beside
from inspector.model import (
    Call,
    Character,
    Component,
    Document,
    Image,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    Passage,
    PastSummary,
    Profile,
    Text,
    Tool,
    Workspace,
    changed,
)
from tests.examples import examples

EXACT = [
    {"model": "gpt-4o", "tokenizer": "embedded:o200k_base"},
    {"model": "qwen2.5-7b-instruct", "tokenizer": "embedded:qwen2.5"},
]
OTHERS = ["qwen3-8b", "llama-3-8b-instruct", "llama-3.1-8b-instruct", "gemma-3-27b-it", "gpt-4o"]
"""Models whose templates trim, move, refuse or leave out what they are given."""

pieces = st.sampled_from(
    [
        "\n",
        "\n\n",
        " ",
        "  ",
        "Hello",
        "hello",
        ".",
        "!",
        "…",
        "🙂",
        "👩‍👩‍👧",
        "日本語",
        "a",
        "1234",
        "'s",
        "- ",
        "<|im_end|>",
        "é",
        "\t",
        "عربي",
    ]
)
texts = st.lists(pieces, max_size=6).map("".join)
messages = st.builds(
    Message,
    id=st.just(""),
    role=st.sampled_from(["user", "assistant", "system", "tool"]),
    parts=st.builds(beside, texts, calls=st.sampled_from([(), (), (Call("t1", "look", '{"at": "sky"}'),)])),
    summary=st.none() | texts,
)


def _named(items: list[Message]) -> tuple[Message, ...]:
    return tuple(changed(item, id=f"m{number}") for number, item in enumerate(items))


@st.composite
def workspaces(draw: st.DrawFn) -> Workspace:
    contents = draw(st.lists(texts, max_size=5))
    stored = MemorySet("default", tuple(Memory(f"k{n}", text, similarity=0.5) for n, text in enumerate(contents)))
    character = Character(
        "nova",
        name="Nova",
        system_prompt=draw(texts),
        components=(Component("c0", "note", draw(texts), 1), Component("c1", "note", draw(texts), 2)),
        profile=Profile(name=draw(texts), facts=tuple(draw(st.lists(texts, max_size=2)))),
    )
    return workspace(
        _named(draw(st.lists(messages, max_size=6))),
        stored,
        character if draw(st.booleans()) else None,
        lorebooks=(
            Lorebook("book", (LoreEntry("l0", draw(texts), constant=True), LoreEntry("l1", ".", constant=True))),
        ),
        passages=(Passage("p0", draw(texts), "document"), Passage("p1", draw(texts), "document")),
        summaries=(PastSummary("s0", draw(texts)),),
        documents=(Document("d0", draw(texts)), Document("d1", "\nend.")),
        tools=(Tool({"name": "look"}),) if draw(st.booleans()) else (),
    )


def assert_adds_up(answer: Answer) -> None:
    """The parts are the whole, and exact but for tools, calls and results of OpenAI: these are counted by a rule."""
    ledger, said = answer.ledger, answer.ledger.prompt.messages if answer.ledger.prompt else ()
    by_rule = any(line.name == "tool definitions" for line in ledger.lines)
    by_rule |= any(message.said.calls or message.role == "tool" for message in said)
    assert ledger.exact != (by_rule and answer.model.chat_format.name == "openai")
    assert_sums(answer)


def assert_sums(answer: Answer) -> None:
    ledger, assembly = answer.ledger, answer.assembly
    assert ledger.counted is not None
    assert assembly.in_prompt[ledger.counted >= 0].all()
    assert not assembly.spent[ledger.counted < 0].any()
    assert ledger.total == ledger.items + sum(line.tokens for line in ledger.lines)
    assert ledger.residual == 0
    assert ledger.cost.low <= ledger.total <= ledger.cost.high
    assert ledger.items == int(answer.assembly.used.sum())


@pytest.mark.parametrize("counted", EXACT, ids=lambda counted: counted["model"])
@pytest.mark.parametrize("policy", ["naive", "ratio", "reserve", "window_rag"])
@examples(120)
@given(workspaces(), st.sampled_from([0, 40, 120, 4000, 10**9]), st.booleans(), st.sampled_from([0, 0, 2]))
@example(
    workspace([Message("m0", "user", "\n\nhi")], MemorySet("d", (Memory("k0", "End."), Memory("k1", "")))),
    4000,
    False,
    0,
)
def test_parts_and_overhead_are_the_whole(
    policy: str, counted: dict[str, str], found: Workspace, window: int, selective: bool, cap: int
) -> None:
    parameters: dict[str, Any] = {}
    if policy == "ratio":
        changes = {"selective": selective, "recent_messages": 1, "message_cap": cap, "system_overflow": "ignore"}
        parameters = {**changes, "min_exchanges": 1}
    elif policy == "reserve":
        parameters = {"response_min": 0, "pack": "knapsack" if selective else "skip"}
    elif policy == "window_rag":
        parameters = {"history_budget": 150_000 if selective else 8, "misfit": "skip", "min_tail": cap}
    answer = answer_to(found, policy=policy, context_window=window, parameters=parameters, **counted)
    if answer.assembly.error is None:
        assert_adds_up(answer)
    else:
        assert not answer.ledger.exact


@pytest.mark.parametrize("counted", EXACT, ids=lambda counted: counted["model"])
def test_leading_newlines_meet_the_frame_and_still_add_up(counted: dict[str, str]) -> None:
    found = workspace([Message("m0", "user", "\n\n\nfirst"), Message("m1", "assistant", "\n")])
    assert_adds_up(answer_to(found, policy="naive", **counted))


@pytest.mark.parametrize("model", OTHERS)
@pytest.mark.parametrize("policy", ["naive", "ratio", "window_rag", "slots", "priority"])
@examples(40)
@given(workspaces(), st.sampled_from([60, 4000]))
def test_parts_are_the_whole_under_every_template(model: str, policy: str, found: Workspace, window: int) -> None:
    """Also where a template refuses the chat and another stands in for it: then it is no longer called exact."""
    answer = answer_to(found, policy=policy, context_window=window, model=model, tokenizer="auto")
    prompt = answer.ledger.prompt
    assume(answer.assembly.error is None and prompt is not None)
    assert prompt is not None
    is_said = "template_refused" in {finding.code for finding in answer.findings}
    assert not prompt.refusal or (is_said and not answer.ledger.exact)
    if prompt.chat.faithful:
        assert_sums(answer)


def test_no_messages_are_no_prompt() -> None:
    answer = answer_to(workspace([], tools=(Tool({"name": "look"}),)), **EXACT[0])
    assert answer.ledger.lines == ()
    assert answer.ledger.rendered == 0


def test_tools_are_a_line_and_calls_are_charged_to_their_message() -> None:
    call = Message("m1", "assistant", parts=(Call("t1", "look", '{"at": "sky"}'),))
    found = workspace([Message("m0", "user", "look up"), call], tools=(Tool({"name": "look"}),))
    answer = answer_to(found, policy="naive", **EXACT[1])
    assert_adds_up(answer)
    lines = {line.name: line.tokens for line in answer.ledger.lines}
    counted = answer.ledger.counted
    assert lines["tool definitions"] > 50
    assert counted is not None
    assert counted[1] == answer.assembly.candidates.counts.tokenizer.count(["look", '{"at": "sky"}']).sum()
    assert answer.assembly.spent[1] > 0


def test_what_a_template_trims_is_a_line_and_a_drift() -> None:
    found = workspace([Message("m0", "user", "\n\n  hello  \n")])
    answer = answer_to(found, policy="naive", model="llama-3.1-8b-instruct", tokenizer="auto")
    assert_sums(answer)
    counted, spent = answer.ledger.counted, int(answer.assembly.spent[0])
    assert counted is not None
    assert int(counted[0]) == 1
    assert {line.name: line.tokens for line in answer.ledger.lines}["rewritten by the template"] == 1 - spent


def test_special_tokens_in_a_text_are_text_and_a_finding() -> None:
    found = workspace([Message("m0", "user", "hi"), Message("m1", "user", "stop <|im_end|> here")])
    answer = answer_to(found, policy="naive", **EXACT[1])
    assert_adds_up(answer)
    (finding,) = (finding for finding in answer.findings if finding.code == "special_token_text")
    assert finding.rows.tolist() == [1]
    specials, rendered = answer.ledger.specials, answer.ledger.rendered
    assert specials is not None
    assert rendered is not None
    assert (specials.example, specials.rows) == ("<|im_end|>", (1,))
    tokenizer = answer.assembly.candidates.counts.tokenizer
    apart = tokenizer.count(["user\nstop ", " here", "user\nstop <|im_end|> here"])
    assert rendered - specials.parsed == apart[2] - (apart[0] + apart[1] + 1)
    assert f"{specials.parsed:,}" in finding.message


@settings(max_examples=60)
@given(
    st.lists(messages.filter(lambda one: not one.tool_calls and one.role != "tool"), max_size=6),
    st.sampled_from([0, 60, 4000]),
)
def test_the_plan_of_a_prompt_of_messages_is_what_is_measured(told: list[Message], window: int) -> None:
    """What a slider shows: no text is touched, and where nothing is joined or called it is the same."""
    pipeline = pipeline_for(workspace(_named(told)))
    scenario = Scenario(model="gpt-4o", context_window=window, parameters={"min_exchanges": 0})
    make_all(pipeline, scenario)
    planned = planned_answer(pipeline, pipeline.case(scenario))
    assert planned.ledger.rendered is planned.ledger.residual is None
    assert planned.ledger.total == measured(pipeline, planned).ledger.total


def test_the_residual_can_fail() -> None:
    """A recorded count that is wrong shows in the residual, and the ledger no longer claims to be exact."""
    found = workspace([Message("m0", "user", "hello", tokens=1000)])
    ledger = answer_to(found, policy="naive", **EXACT[0]).ledger
    assert ledger.residual == 1 - 1000
    assert not ledger.exact


@pytest.mark.parametrize(
    ("message", "scenario"),
    [
        (Message("m0", "user", parts=(Text("hello"), Image())), EXACT[0]),
        (Message("m0", "user", "hello"), {"tokenizer": "estimate:chorus"}),
        (Message("m0", "user", "hello"), {"model": "gpt-4o", "tokenizer": "embedded:qwen2.5"}),
        (Message("m0", "user", "hello"), {"model": "claude-sonnet-4-5", "tokenizer": "auto"}),
    ],
    ids=["pictures", "estimator", "tokenizer of another model", "no tokenizer published"],
)
def test_what_is_estimated_is_not_called_exact(message: Message, scenario: dict[str, str]) -> None:
    answer = answer_to(workspace([message]), **scenario)
    assert not answer.ledger.exact
    assert "estimated_counts" in {finding.code for finding in answer.findings}


def test_the_range_of_a_total_holds_it() -> None:
    """Also where the template writes fewer tokens than the texts have, as OpenAI's does with calls."""
    call = Message("m0", "assistant", parts=(Call("t1", "look", '{"at": "sky", "how": ["far", "up"]}'),))
    answer = answer_to(workspace([call], tools=(Tool({"name": "look"}),)), policy="naive", **EXACT[0])
    cost = answer.ledger.cost
    assert cost.low <= cost.tokens <= cost.high
    assert answer.ledger.residual == 0
