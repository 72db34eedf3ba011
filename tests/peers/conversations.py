"""Random conversations for the comparison with the libraries: seeded, and with limits beside the edges that matter.

A case is the line {name, workspace, scenario} that `assemble --jsonl` reads, and nothing else.
"""

from collections.abc import Callable
from random import Random
from typing import Any

Case = dict[str, Any]
Chat = list[dict[str, Any]]

WORDS = (
    "coral",
    "reef",
    "ocean",
    "window",
    "über",
    "naïve",
    "日本語",
    "москва",
    "🐙",
    "👩‍👩‍👧",
    "e\u0301te\u0301",
    "مرحبا",
    "x",
)
GAPS = (" ", " ", " ", "\n", "  ", "\t", "\u00a0", "\u3000")
LENGTHS = (0, 1, 1, 2, 3, 5, 8, 20)
MARGINS = ("", "", "", " ", "\n")
ROLES = ("user", "assistant", "system", "tool")


def words_in(text: str) -> int:
    """What `estimate:words` counts."""
    return len(text.split())


def cases(policy: str, count: int, seed: int) -> list[Case]:
    """So many cases for a policy, the same ones for the same seed."""
    return [_MAKERS[policy](Random(f"{policy} {seed} {number}"), f"{policy}-{number}") for number in range(count)]


def _text(random: Random) -> str:
    """A text of a few words in several scripts, parted and surrounded by all kinds of white space."""
    words = "".join(
        random.choice(WORDS) + (random.choice(GAPS) if place else "") for place in range(random.choice(LENGTHS))
    )
    return random.choice(MARGINS) + words + random.choice(MARGINS)


def _chat(random: Random) -> Chat:
    """Up to 30 messages: turns, calls of tools with one or more results, and now and then any role anywhere."""
    chat: Chat = []
    size = random.choice((0, 1, 2, 5, 10, 20, 30))
    if size and random.random() < 0.4:
        chat.append({"role": "system", "content": _text(random)})
    while len(chat) < size:
        chat += random.choices((_turn, _call, _stray), (6, 2, 1))[0](random, len(chat))
    for number, message in enumerate(chat):
        message["id"] = f"m{number}"
    return chat


def _turn(random: Random, _: int) -> Chat:
    return [{"role": role, "content": _text(random)} for role in ("user", "assistant")]


def _stray(random: Random, _: int) -> Chat:
    return [{"role": random.choice(ROLES), "content": _text(random)}]


def _call(random: Random, place: int) -> Chat:
    """A user's message, one or two calls, and their results, the last of which may be missing."""
    names = [f"call-{place}-{number}" for number in range(random.choice((1, 1, 2)))]
    calls = [{"id": name, "name": "look", "arguments": '{"at": "the sea"}'} for name in names]
    results = [{"role": "tool", "content": _text(random), "tool_call_id": name} for name in names]
    if random.random() < 0.2:
        results.pop()
    content = random.choice(("", _text(random)))
    asked: Chat = [{"role": "user", "content": _text(random)}]
    return [*asked, {"role": "assistant", "content": content, "tool_calls": calls}, *results]


def _case(name: str, policy: str, chat: Chat, parameters: dict[str, Any], **more: Any) -> Case:
    workspace = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [{"id": "c", "messages": chat}],
        "characters": more.get("characters", []),
    }
    scenario = {
        "format": "prompt-inspector/scenario@1",
        "policy": policy,
        "tokenizer": more.get("tokenizer", "estimate:words"),
        "context_window": 1_000_000,
        "parameters": parameters,
    }
    return {"name": name, "workspace": workspace, "scenario": scenario}


def _speaker(random: Random) -> list[dict[str, Any]]:
    """Now and then a character, whose system prompt is the first message."""
    if random.random() < 0.8:
        return []
    return [{"id": "speaker", "name": "Nova", "system_prompt": "be kind and brief"}]


def _near(random: Random, chat: Chat, overhead: int = 0) -> int:
    """A limit at, or one beside, what some stretch of the conversation is charged."""
    first, last = (random.randint(0, len(chat)) for _ in range(2))
    stretch = chat[min(first, last) : max(first, last)]
    if random.random() < 0.5:
        stretch = chat[first:]
    charged = sum(words_in(message["content"]) + overhead for message in stretch)
    return max(0, charged + random.choice((-1, 0, 0, 1)))


def _langchain(random: Random, name: str) -> Case:
    chat, overhead = _chat(random), random.choice((0, 1, 3, 7))
    ends = ("none", "none", "user", "assistant", "tool")
    is_last = random.random() < 0.7
    parameters = {
        "max_tokens": _near(random, chat, overhead) + random.choice((0, 0, 4 + overhead)),
        "strategy": "last" if is_last else "first",
        "include_system": is_last and random.random() < 0.6,
        "start_on": random.choice(ends) if is_last else "none",
        "end_on": random.choice(ends),
        "message_overhead": overhead,
    }
    return _case(name, "langchain_trim", chat, parameters, characters=_speaker(random))


def _llamaindex(random: Random, name: str) -> Case:
    chat = _chat(random)
    is_words = random.random() < 0.7
    limit = max(1, _near(random, chat) * (1 if is_words else 2))
    initial = random.choice((0, 0, 1, 3, limit - 1, limit, limit + 1))
    parameters = {"token_limit": limit, "initial_tokens": initial}
    tokenizer = "estimate:words" if is_words else "estimate:ibex"
    return _case(name, "llamaindex_buffer", chat, parameters, characters=_speaker(random), tokenizer=tokenizer)


def _semantic_kernel(random: Random, name: str) -> Case:
    chat = _chat(random)
    near_all, some = len(chat) + random.randint(-3, 1), random.randint(1, max(2, len(chat) // 2))
    target = max(1, random.choice((near_all, some, some, some)))
    threshold = random.choice((0, 0, 0, 1, 2, 5, max(0, len(chat) - target + random.randint(-2, 1))))
    parameters = {"target_count": target, "threshold_count": threshold}
    return _case(name, "semantic_kernel_truncation", chat, parameters, characters=_speaker(random))


def _priority(random: Random, name: str) -> Case:
    chat = [message for message in _chat(random) if random.random() < 0.6]
    numbers = random.choice(((0, 1, 5, 9), (0, 1, 2), (1, 3), (0, 0, -1, 4)))
    components = [
        {"id": f"p{number}", "type": "part", "content": f"part {_text(random)}", "priority": random.choice(numbers)}
        for number in range(random.choice((0, 1, 4, 12)))
    ]
    parts: Chat = [*components, *chat]
    parameters = {
        "token_limit": max(1, _near(random, parts)),
        "truncation_step": random.choice((1, 1, 2, 7, 25, 500)),
        "message_priority": random.choice((0, 1, 1, 1, 5)),
    }
    characters = [{"id": "speaker", "name": "Nova", "system_prompt": "", "components": components}]
    return _case(name, "priority", chat, parameters, characters=characters)


_MAKERS: dict[str, Callable[[Random, str], Case]] = {
    "langchain_trim": _langchain,
    "llamaindex_buffer": _llamaindex,
    "semantic_kernel_truncation": _semantic_kernel,
    "priority": _priority,
}
POLICIES = tuple(_MAKERS)
