"""What agents send for nothing: each rule by a session made for it, and nothing in sessions without it."""

import base64
import random
import string
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.waste.ask import Waste, wastes, without_times
from inspector.analysis.waste.kinds import KINDS
from inspector.analysis.waste.rules import encoded_data
from inspector.analysis.waste.session import saved_session
from inspector.analysis.waste.tables import NOTHING_WASTED, Wasted, waste_sentence, waste_value
from inspector.assembly.overhead import tool_texts
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.model import Call, Conversation, Message, Result, Text, Thought, Tool, Workspace
from inspector.tokens.chat.frames import frames_of
from tests.analysis.requests.recorded_agents import record, said, written
from tests.assembly.building import pipeline_for

NOISE = random.Random(1)
FILE = "\n".join(f"line {n}: {''.join(NOISE.choices(string.ascii_lowercase, k=30))}" for n in range(60))
OTHER = "\n".join(f"row {n}: {''.join(NOISE.choices(string.ascii_lowercase, k=30))}" for n in range(60))
DATA = base64.b64encode(NOISE.randbytes(3_000)).decode()


def agent(*turns: tuple[str, str, str], tail: int = 12, **more: Any) -> Workspace:
    """A chat in which these tools are called with these arguments and return these texts, and then much is said."""
    messages = [Message("u0", "user", "Repair the program.")]
    for number, (name, arguments, text) in enumerate(turns):
        messages.append(Message(f"c{number}", "assistant", parts=(Call(f"i{number}", name, arguments),)))
        messages.append(Message(f"r{number}", "tool", parts=(Result(f"i{number}", name, text),)))
    for number in range(tail):
        messages.append(Message(f"a{number}", "assistant", f"Step {number} is done."))
        messages.append(Message(f"u{number + 1}", "user", f"Go on with step {number + 1}."))
    return Workspace(conversations=(Conversation("c", tuple(messages), model="gpt-4o"),), **more)


def found_in(workspace: Workspace) -> dict[str, Waste]:
    pipeline = pipeline_for(workspace)
    return {waste.kind.code: waste for waste in result_of(wastes(Basis(pipeline, Scenario())))}


def tokens_of(workspace: Workspace, text: str) -> int:
    case = pipeline_for(workspace).case(Scenario(conversation=workspace.conversations[0].id, policy="naive"))
    return int(case.model.tokenizer.tokenizer.count([text])[0])


def test_an_agent_that_wastes_nothing_is_told_nothing() -> None:
    workspace = agent(("read", '{"path": "a"}', FILE), ("read", '{"path": "b"}', OTHER))
    assert found_in(workspace) == {}
    assert waste_sentence(Wasted(())) == NOTHING_WASTED


def test_the_same_result_again() -> None:
    workspace = agent(("read", "a", FILE), ("read", "b", OTHER), ("read", "a", FILE))
    (waste,) = found_in(workspace).values()
    assert waste.kind.code == "repeated_result"
    assert waste.items == ("r2",)
    assert waste.once == tokens_of(workspace, FILE)
    assert waste.tokens == waste.once * 12 + waste.once * 1  # of the answers that follow, and the question at the end
    assert waste.sentence == "1 result repeats word for word what the request has already (read)."


def test_a_result_that_is_out_of_date() -> None:
    workspace = agent(("read", "a", FILE), ("write", "a", "done"), ("read", "a", OTHER))
    (waste,) = found_in(workspace).values()
    assert (waste.kind.code, waste.items) == ("stale_result", ("r0",))
    assert waste.tokens == tokens_of(workspace, FILE) * 13
    assert "after the same call returned something else (read)" in waste.sentence


def test_encoded_data() -> None:
    workspace = agent(("shot", "a", f"The picture: {DATA} is all."))
    (waste,) = found_in(workspace).values()
    assert (waste.kind.code, waste.items) == ("encoded_data", ("r0",))
    assert waste.once == tokens_of(workspace, DATA)


def test_nearly_the_same_text_again() -> None:
    changed = FILE.replace("line 7:", "line seven:")
    workspace = agent(("read", "a", FILE), ("show", "a", changed))
    (waste,) = found_in(workspace).values()
    assert (waste.kind.code, waste.items) == ("near_duplicate", ("r1",))
    assert waste.once <= tokens_of(workspace, changed)


TOOLS = tuple(
    Tool({"type": "function", "function": {"name": name, "description": "It does a thing. " * 20, "parameters": {}}})
    for name in ("read", "draw", "sing")
)


def test_tools_never_called() -> None:
    workspace = agent(("read", "a", FILE), tools=TOOLS)
    (waste,) = found_in(workspace).values()
    assert waste.kind.code == "unused_tools"
    assert waste.sentence == "2 of 3 tools are never called: draw, sing."
    case = pipeline_for(workspace).case(Scenario(policy="naive"))
    frames = frames_of(case.model.chat_format, case.model.tokenizer.tokenizer)
    once = frames.tools(tool_texts(TOOLS)) - frames.tools(tool_texts(TOOLS[:1]))
    assert (waste.once, waste.tokens) == (once, once * saved_session(workspace, workspace.conversations[0]).requests)
    everything = agent(*((name, "a", "done") for name in ("read", "draw", "sing")), tools=TOOLS)
    assert found_in(everything) == {}


def test_lost_by_a_compaction_and_asked_for_again() -> None:
    begun = list(agent(("read", "a", FILE), tail=2).conversations[0].messages)
    summary = Message("s", "user", "So far: a was read.", metadata={"compact_summary": True})
    later = list(agent(("read", "a", FILE)).conversations[0].messages)[1:]
    later = [Message(f"x{one.id}", one.role, one.content, parts=one.parts) for one in later]
    workspace = Workspace(conversations=(Conversation("c", (*begun, summary, *later), model="gpt-4o"),))
    (waste,) = found_in(workspace).values()
    assert (waste.kind.code, waste.items) == ("lost_by_compaction", ("xr0",))
    assert waste.sentence == "1 result was there before a compaction, and was asked for again (read)."
    kept = Workspace(conversations=(Conversation("c", (*begun, *later), model="gpt-4o"),))
    assert set(found_in(kept)) == {"repeated_result"}


def test_a_prefix_broken_by_a_time(tmp_path: Path) -> None:
    long = "Be careful with all of the files. " * 200
    names = ("Mon 3 March 2026, 12:00:01", "Mon 3 March 2026, 12:00:09", "Tue 4 March 2026, 9:15:00")

    def recorded(systems: Sequence[str]) -> Workspace:
        asked: list[Any] = [{"role": "user", "content": "Repair the tests of this program, please."}]
        records = []
        for number, system in enumerate(systems):
            answer = said(f"Step {number} is done.")
            records.append(record(number, asked, answer, system=system, tools=[]))
            asked = [*asked, answer, {"role": "user", "content": "Go on."}]
        records = [{**one, "request": {**one["request"], "tools": [{"name": "look"}]}} for one in records]
        return load_workspace([written(tmp_path / "recorded.jsonl", records)])

    waste = found_in(recorded([f"It is {name}. {long}" for name in names]))["broken_prefix"]
    assert waste.sentence == "2 requests begin otherwise than the one before by figures alone, such as a time."
    assert waste.tokens > 1_500
    assert waste.dollars is not None
    assert waste.dollars > 0
    assert "broken_prefix" not in found_in(recorded([f"{long} {long}"] * 3))
    assert "broken_prefix" not in found_in(recorded([f"{word} {long}" for word in ("Kind", "Brief", "Open")]))


def test_thoughts_carried_along() -> None:
    long = "I think about this for quite a while, and then about that. " * 40
    messages = list(agent(("read", "a", FILE), tail=6).conversations[0].messages)
    messages[1] = Message("c0", "assistant", parts=(Thought(long), Call("i0", "read", "a")))
    workspace = Workspace(conversations=(Conversation("c", tuple(messages), model="gpt-4o"),))
    pipeline = pipeline_for(workspace)
    told = {thoughts: result_of(wastes(Basis(pipeline, Scenario(thoughts=thoughts)))) for thoughts in ("none", "all")}
    assert told["none"] == ()
    (waste,) = told["all"]
    assert (waste.kind.code, waste.items) == ("carried_thoughts", ("c0",))
    assert waste.sentence == "1 thought of earlier questions is sent again."


def test_the_worst_is_first_and_each_says_one_thing_to_do() -> None:
    workspace = agent(("read", "a", FILE), ("read", "a", FILE), ("shot", "a", f"It is {DATA} there."), tools=TOOLS)
    pipeline = pipeline_for(workspace)
    found = result_of(wastes(Basis(pipeline, Scenario())))
    assert len(found) == 3
    assert [waste.dollars or 0 for waste in found] == sorted((waste.dollars or 0 for waste in found), reverse=True)
    value = waste_value(Wasted(found))
    assert all(row["advice"].endswith(".") for row in value["found"])
    assert value["words"] == waste_sentence(Wasted(found))
    assert f"{sum(waste.tokens for waste in found):,}" in value["words"]


def test_a_chat_without_tools_is_no_agent() -> None:
    same = "\n".join(f"This is sentence number {n} of a long greeting." for n in range(40))
    messages = tuple(Message(f"m{n}", "assistant" if n % 2 else "user", same) for n in range(20))
    assert found_in(Workspace(conversations=(Conversation("c", messages),), tools=TOOLS)) == {}


def test_every_kind_has_its_words() -> None:
    assert all(kind.code == code and kind.title and kind.advice.endswith(".") for code, kind in KINDS.items())


@given(some.binary(min_size=300, max_size=900))
def test_base64_is_encoded_data_whatever_it_holds(data: bytes) -> None:
    text = base64.b64encode(data).decode()
    is_told = len(set(text)) >= 24 and any(map(str.isdigit, text)) and any(map(str.islower, text))
    assert list(encoded_data(f"see {text} there")) == ([text] if is_told and any(map(str.isupper, text)) else [])


@pytest.mark.parametrize(
    "text",
    [
        "a" * 500,
        "ha" * 300,
        "-" * 400,
        "=" * 400,
        "/".join(["folder"] * 80),
        "_".join(["name"] * 90),
        "0123456789" * 40,
        "Supercalifragilisticexpialidocious" * 12,
        " ".join(["The quick brown Fox jumps over 13 lazy dogs"] * 20),
        "https://example.com/" + "a-long-path/" * 30,
    ],
)
def test_long_words_and_rules_are_no_encoded_data(text: str) -> None:
    assert list(encoded_data(text)) == []


def test_times_are_known_by_figures_and_names() -> None:
    one, other = "It is Mon, 3 March 2026, 9:05 am.", "It is Tuesday, 14 Oct 2026, 11:45 PM."
    assert without_times(one) == without_times(other)
    assert without_times("Be kind.") != without_times("Be brief.")


def test_content_beside_calls_counts_as_text() -> None:
    message = Message("m", "user", parts=(Text(f"see {DATA}"), Result("i", "read", FILE)))
    workspace = agent(("read", "a", "ok"))
    chat = workspace.conversations[0]
    messages = (message, *chat.messages)
    found = found_in(Workspace(conversations=(Conversation("c", messages, model="gpt-4o"),)))
    assert found["encoded_data"].items == ("m",)


MOST_BYTES = 1_000_000


def test_no_real_chat_is_a_false_alarm(data_folder: Path) -> None:
    """Neither the chats of people and companions nor the short sessions of agents there send anything for nothing."""
    files = [path for path in sorted(data_folder.rglob("*")) if path.is_file() and path.stat().st_size < MOST_BYTES]
    workspaces = {str(file): load_workspace([file]) for file in files}
    chats = {file: found for file, found in workspaces.items() if found.conversations}
    told = {file: [waste.sentence for waste in found_in(found).values()] for file, found in chats.items()}
    assert len(chats) > 50
    assert {file: sentences for file, sentences in told.items() if sentences} == {}
