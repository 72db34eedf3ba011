"""Random conversations for the comparison with other makers' chat templates: seeded, and shaped as real chats are.

A chat is what templates take: {"messages": [...], "tools": how many of `TOOLS` the model may call}.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.references.schemas import definitions
from tests.references.texts import plain_text

Message = dict[str, Any]
Chat = dict[str, Any]

TOOLS: tuple[dict[str, Any], ...] = (
    {
        "type": "function",
        "function": {
            "name": "look",
            "description": 'Look at a place.\nSays "nothing" of the dark.',
            "parameters": {
                "type": "object",
                "properties": {
                    "at": {"type": "string", "description": "where, e.g. «Größe»"},
                    "times": {"type": "integer", "description": "how often", "default": 1},
                    "light": {"type": "string", "enum": ["day", "night"]},
                },
                "required": ["at"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "list_files",
            "description": "List files 📂",
            "parameters": {
                "type": "object",
                "properties": {
                    "names": {"type": "array", "items": {"type": "string"}},
                    "deep": {"type": "boolean"},
                    "where": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
                },
                "required": [],
            },
        },
    },
)
ARGUMENTS: tuple[dict[str, Any], ...] = (
    {"at": "the sea"},
    {"at": "日本 “x”", "times": 3},
    {"names": ["a", "b\n"], "deep": True},
)
RESULTS = ("calm", '{"waves": 3, "text": "größer"}', "12", "two\nlines ", "")


@dataclass(frozen=True, slots=True)
class Shape:
    """What chats of a family may hold.

    `tools`: calls, results and definitions. `strays`: any role anywhere, which many makers refuse. `thoughts`: answers
    with <think>. `reasoning`: answers and calls with thoughts of their own. `schemas`: tools of random definitions in
    place of `TOOLS`. `thinking`: the template's switch is set in some. `parts`: contents of the user made of several
    texts. `calls_with_words`: a call may stand in a message that also says something. `most_calls`: of a message.
    `names`: users may have names. `may_end_with_answer`: the assistant may have had the last word.
    """

    tools: bool = True
    strays: bool = True
    thoughts: bool = False
    reasoning: bool = False
    schemas: bool = False
    thinking: bool = False
    parts: bool = False
    calls_with_words: bool = True
    most_calls: int = 2
    names: bool = False
    may_end_with_answer: bool = True


def chats(family: str, shape: Shape, count: int, seed: int) -> list[Chat]:
    """So many conversations for a family, the same ones for the same seed."""
    return [_chat(Random(f"chats {family} {seed} {number}"), shape) for number in range(count)]


def _chat(random: Random, shape: Shape) -> Chat:
    messages: list[Message] = []
    if random.random() < 0.5:
        messages.append({"role": "system", "content": plain_text(random)})
    is_orderly = random.random() < 0.5 or not shape.strays
    has_tools = shape.tools and random.random() < 0.5
    for _ in range(random.choice((1, 1, 2, 3, 4))):
        messages.append({"role": "user", "content": plain_text(random)})
        if has_tools and random.random() < 0.5:
            messages += _call(random, shape, len(messages))
        if not is_orderly and random.random() < 0.5:
            messages.append({"role": random.choice(("system", "user", "assistant")), "content": plain_text(random)})
        if random.random() < 0.8:
            messages.append({"role": "assistant", "content": _answer(random, shape), **_reasoning(random, shape)})
    if is_orderly:
        messages = _alternating(messages)
    if not shape.may_end_with_answer or random.random() < 0.5:
        while messages[-1]["role"] in ("assistant", "system") and len(messages) > 1:
            messages.pop()
    if shape.names:
        _name(random, messages)
    if shape.parts:
        _divide(random, messages)
    chat: Chat = {"messages": messages, "tools": random.randint(1, 2) if has_tools and random.random() < 0.8 else 0}
    if shape.schemas and chat["tools"]:
        chat["definitions"] = definitions(random)
    if shape.thinking and random.random() < 0.5:
        chat["thinking"] = random.random() < 0.5
    return chat


def tools_of(case: Chat) -> Sequence[dict[str, Any]]:
    """The tools of a chat: its own definitions, or the first of `TOOLS`."""
    return case.get("definitions") or TOOLS[: case["tools"]]


def _answer(random: Random, shape: Shape) -> str:
    answer = plain_text(random) or "Yes."
    if not shape.thoughts or random.random() < 0.5:
        return answer
    return f"<think>\n{plain_text(random, 1)}\n</think>\n\n{answer}"


def _reasoning(random: Random, shape: Shape) -> dict[str, str]:
    if not shape.reasoning or random.random() < 0.4:
        return {}
    return {"reasoning_content": plain_text(random, 1).strip() or "So."}


def _call(random: Random, shape: Shape, place: int) -> list[Message]:
    """A message that calls tools, and their results. Mistral wants ids of nine letters and digits."""
    ids = [f"call{place:03}a{number}" for number in range(random.randint(1, shape.most_calls))]
    calls = []
    for identity in ids:
        function = {"name": random.choice(TOOLS)["function"]["name"], "arguments": random.choice(ARGUMENTS)}
        calls.append({"id": identity, "type": "function", "function": function})
    words = plain_text(random) if shape.calls_with_words and random.random() < 0.3 else ""
    results = [{"role": "tool", "content": random.choice(RESULTS), "tool_call_id": identity} for identity in ids]
    return [{"role": "assistant", "content": words, "tool_calls": calls, **_reasoning(random, shape)}, *results]


def _alternating(messages: list[Message]) -> list[Message]:
    """The messages without a user's that follows a user's: what every maker takes."""
    kept: list[Message] = []
    for message in messages:
        if kept and message["role"] == kept[-1]["role"] == "user":
            kept[-1] = message
        else:
            kept.append(message)
    return kept


def _divide(random: Random, messages: list[Message]) -> None:
    for message in messages:
        if message["role"] == "user" and random.random() < 0.4:
            texts = [plain_text(random) or "So" for _ in range(random.randint(1, 3))]
            message["content"] = [{"type": "text", "text": text} for text in texts]


def _name(random: Random, messages: list[Message]) -> None:
    for message in messages:
        if message["role"] == "user" and random.random() < 0.4:
            message["name"] = random.choice(("Ada", "Grace Hopper", "Zoë"))
