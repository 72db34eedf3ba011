"""What the libraries themselves keep: run by the Python of an environment that holds them, without the product.

`python libraries.py POLICY` reads cases, one a line, and answers each with {"kept": [ids in order]} or {"error": text}.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

Answer = dict[str, Any]
Parts = list[dict[str, Any]]


def words(text: str) -> list[str]:
    """The tokens of `estimate:words`."""
    return text.split()


def quarters(text: str) -> list[str]:
    """As many tokens as `estimate:ibex` counts: a quarter of the code points, rounded up."""
    return [text[place : place + 4] for place in range(0, len(text), 4)]


def messages_of(case: dict[str, Any]) -> Parts:
    """The messages of a case, with the character's system prompt, where there is one, as the first."""
    workspace = case["workspace"]
    prompts = [
        {"id": character["id"], "role": "system", "content": character["system_prompt"]}
        for character in workspace["characters"]
        if character["system_prompt"]
    ]
    return prompts + workspace["conversations"][0]["messages"]


def langchain_trim(case: dict[str, Any], parameters: dict[str, Any]) -> list[str]:
    """`trim_messages`, whose strategy `first` takes neither `include_system` nor `start_on`."""
    library = import_module("langchain_core.messages")

    def made(message: dict[str, Any]) -> Any:
        if message["role"] == "tool":
            return library.ToolMessage(
                message["content"], id=message["id"], tool_call_id=message.get("tool_call_id", "")
            )
        if message["role"] == "assistant":
            calls = [{"id": call["id"], "name": call["name"], "args": {}} for call in message.get("tool_calls", [])]
            return library.AIMessage(message["content"], id=message["id"], tool_calls=calls)
        kind = library.SystemMessage if message["role"] == "system" else library.HumanMessage
        return kind(message["content"], id=message["id"])

    overhead, names = parameters["message_overhead"], {"user": "human", "assistant": "ai", "tool": "tool", "none": None}
    last_only = {"include_system": parameters["include_system"], "start_on": names[parameters["start_on"]]}
    kept = library.trim_messages(
        [made(message) for message in messages_of(case)],
        max_tokens=parameters["max_tokens"],
        token_counter=lambda found: sum(overhead + len(words(message.content)) for message in found),
        strategy=parameters["strategy"],
        end_on=names[parameters["end_on"]],
        **(last_only if parameters["strategy"] == "last" else {}),
    )
    return [message.id for message in kept]


def llamaindex_buffer(case: dict[str, Any], parameters: dict[str, Any]) -> list[str]:
    """`ChatMemoryBuffer.get`. A history that is None or empty is the same to it."""
    memory = import_module("llama_index.core.memory")
    types = import_module("llama_index.core.llms")
    history = [
        types.ChatMessage(role=message["role"], content=message["content"], additional_kwargs={"id": message["id"]})
        for message in messages_of(case)
    ]
    buffer = memory.ChatMemoryBuffer.from_defaults(
        chat_history=history,
        token_limit=parameters["token_limit"],
        tokenizer_fn=quarters if case["scenario"]["tokenizer"] == "estimate:ibex" else words,
    )
    kept = buffer.get(initial_token_count=parameters["initial_tokens"])
    return [message.additional_kwargs["id"] for message in kept]


def semantic_kernel_truncation(case: dict[str, Any], parameters: dict[str, Any]) -> list[str]:
    """`ChatHistoryTruncationReducer.reduce`, which leaves its own messages as they are where it cuts nothing."""
    contents = import_module("semantic_kernel.contents")

    def made(message: dict[str, Any]) -> Any:
        items = [contents.TextContent(text=message["content"])] if message["content"] else []
        items += [contents.FunctionCallContent(**call) for call in message.get("tool_calls", [])]
        if message.get("tool_call_id"):
            call_id = message["tool_call_id"]
            items = [contents.FunctionResultContent(id=call_id, name="look", result=message["content"])]
        role = contents.AuthorRole(message["role"])
        return contents.ChatMessageContent(role=role, items=items, metadata={"id": message["id"]})

    reducer = contents.ChatHistoryTruncationReducer(
        messages=[made(message) for message in messages_of(case)], **parameters
    )
    asyncio.run(reducer.reduce())
    return [message.metadata["id"] for message in reducer.messages]


def priority(case: dict[str, Any], parameters: dict[str, Any]) -> list[str]:
    """`Prompt.truncate`. The template is YAML, which JSON is; it knows no prompt without parts."""
    library = import_module("prompt_poet")
    workspace = case["workspace"]
    parts = [(part, part["priority"]) for part in workspace["characters"][0]["components"]]
    parts += [(part, parameters["message_priority"]) for part in workspace["conversations"][0]["messages"]]
    if not parts:
        return []
    template = [
        {"name": part["id"], "content": part["content"], "role": "user", "truncation_priority": number}
        for part, number in parts
    ]
    prompt = library.Prompt(template_data={}, raw_template=json.dumps(template, ensure_ascii=False), encode_func=words)
    prompt.tokenize()
    prompt.truncate(token_limit=parameters["token_limit"], truncation_step=parameters["truncation_step"])
    return [part.name for part in prompt.parts]


LIBRARIES: dict[str, Callable[[dict[str, Any], dict[str, Any]], list[str]]] = {
    function.__name__: function
    for function in (langchain_trim, llamaindex_buffer, semantic_kernel_truncation, priority)
}
REFUSALS = ("Initial token count exceeds token limit", "Failed to successfully truncate the prompt")
"""How the errors begin that the policies have, too; any other ends the comparison."""


def answers(policy: str) -> Iterator[Answer]:
    """The library's answer to each case on standard input, in order."""
    for line in sys.stdin:
        case = json.loads(line)
        try:
            yield {"kept": LIBRARIES[policy](case, case["scenario"]["parameters"])}
        except Exception as refusal:
            if not str(refusal).startswith(REFUSALS):
                raise
            yield {"error": str(refusal)}


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    with redirect_stdout(sys.stderr):
        found = list(answers(sys.argv[1]))
    for answer in found:
        sys.stdout.write(json.dumps(answer) + "\n")
