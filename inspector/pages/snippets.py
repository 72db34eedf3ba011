"""The settings of a scenario as a snippet for another system: in its own terms, without settings it does not have."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inspector.assembly.policy import parameter_values
from inspector.visible_text import made_visible

if TYPE_CHECKING:
    from inspector.assembly.case import Case

_TIKTOKEN = ("cl100k_base", "o200k_base")
_LANGCHAIN_ROLES = {"user": "human", "assistant": "ai", "tool": "tool"}


@dataclass(frozen=True, slots=True)
class Settings:
    """The inputs of a snippet: a policy with all its parameters, the model's id, the window and the tokenizer."""

    policy: str
    parameters: Mapping[str, Any]
    model: str
    window: int
    tokenizer: str


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text for another system, and a sentence on the settings missing from it, "" if it is complete."""

    text: str
    unsaid: str = ""


def settings_of(case: "Case") -> Settings:
    """Return the settings of a case. Raise SnippetError if it has no policy, because its parameters are refused."""
    if case.policy is None:
        raise SnippetError(str(case.refusal))
    model = case.model
    tokenizer = model.tokenizer.tokenizer.name
    return Settings(case.policy_name, parameter_values(case.policy), model.name, model.window.tokens, tokenizer)


class SnippetError(ValueError):
    """The system has no such settings; the message is a sentence."""


def snippet(system: str, settings: Settings) -> Snippet:
    """Return the settings for any of `SYSTEMS`. Raise SnippetError if it cannot express them."""
    made = _MAKERS[system][1](settings)
    return Snippet(made_visible(made.text), made.unsaid)


def refusals(case: "Case") -> Mapping[str, str]:
    """Return those of `SYSTEMS` that cannot express the settings of a case, with a sentence saying why."""
    found: dict[str, str] = {}
    for system in SYSTEMS:
        try:
            snippet(system, settings_of(case))
        except SnippetError as why:
            found[system] = str(why)
    return found


def _langchain(settings: Settings) -> Snippet:
    values = _values_for("langchain_trim", "LangChain's trim_messages", settings)
    terms: dict[str, Any] = {"max_tokens": values["max_tokens"], "strategy": values["strategy"]}
    if values["strategy"] == "last":
        terms |= {"include_system": values["include_system"], "start_on": _LANGCHAIN_ROLES.get(values["start_on"])}
    terms["end_on"] = _LANGCHAIN_ROLES.get(values["end_on"])
    counter, unsaid = _langchain_counter(settings.tokenizer, values["message_overhead"])
    lines = [f"    {name}={value!r}," for name, value in terms.items() if value is not None]
    call = ["trimmer = trim_messages(", *lines, "    token_counter=count,", ")"]
    return Snippet("\n".join([*counter, *call]), unsaid)


def _langchain_counter(tokenizer: str, overhead: int) -> tuple[list[str], str]:
    """Return lines of Python for importing and defining `count`, and the sentence on their inaccuracy."""
    encoding = tokenizer.removeprefix("embedded:")
    if encoding in _TIKTOKEN:
        count = f"{overhead} + len(encoding.encode(message.text, disallowed_special=()))"
        return [
            *("import tiktoken", "from langchain_core.messages import trim_messages", ""),
            *(f"encoding = tiktoken.get_encoding({encoding!r})", "", "", "def count(messages):"),
            *(f"    return sum({count} for message in messages)", "", ""),
        ], ""
    return [
        *("from functools import partial", ""),
        "from langchain_core.messages import trim_messages",
        *("from langchain_core.messages.utils import count_tokens_approximately", ""),
        f"count = partial(count_tokens_approximately, extra_tokens_per_message={overhead})",
    ], f"The snippet counts roughly, since tiktoken does not have the vocabulary of {tokenizer}."


def _llamaindex(settings: Settings) -> Snippet:
    values = _values_for("llamaindex_buffer", "LlamaIndex's ChatMemoryBuffer", settings)
    lines = [
        *("from llama_index.core.memory import ChatMemoryBuffer", ""),
        f"memory = ChatMemoryBuffer.from_defaults(token_limit={values['token_limit']})",
        f"messages = memory.get(initial_token_count={values['initial_tokens']})",
    ]
    return Snippet("\n".join(lines), f"LlamaIndex counts with its own tokenizer, here it was {settings.tokenizer}.")


def _semantic_kernel(settings: Settings) -> Snippet:
    values = _values_for("semantic_kernel_truncation", "Semantic Kernel's ChatHistoryTruncationReducer", settings)
    counts = f"target_count={values['target_count']}, threshold_count={values['threshold_count']}"
    lines = [
        *("from semantic_kernel.contents import ChatHistoryTruncationReducer", ""),
        f"history = ChatHistoryTruncationReducer({counts})",
    ]
    return Snippet("\n".join(lines))


def _prompt_poet(settings: Settings) -> Snippet:
    values = _values_for("priority", "prompt_poet's truncate", settings)
    terms = f"token_limit={values['token_limit']}, truncation_step={values['truncation_step']}"
    lines = [
        f"# In the template each message has: truncation_priority: {values['message_priority']}",
        "prompt.tokenize()",
        f"prompt.truncate({terms})",
    ]
    return Snippet("\n".join(lines), f"prompt_poet counts with its own tokenizer, here it was {settings.tokenizer}.")


def _chorus(settings: Settings) -> Snippet:
    if settings.policy != "ratio":
        raise SnippetError(f"Chorus has no settings for the policy {settings.policy}: it divides the window by shares.")
    lines = ["preferred_llm:", f"  model: {json.dumps(settings.model)}", f"  context_window: {settings.window}"]
    unsaid = "The shares are not written: which keys a Chorus character's budget_ratios have is not known here."
    return Snippet("\n".join(lines), unsaid)


def _whisperengine(settings: Settings) -> Snippet:
    raise SnippetError(
        f"No settings of WhisperEngine are known here that would take the values of the policy {settings.policy}."
    )


def _ollama(settings: Settings) -> Snippet:
    text = json.dumps({"options": {"num_ctx": settings.window}}, indent=2)
    unsaid = f"Ollama takes the window; the policy {settings.policy} is the business of the program that asks it."
    return Snippet(text, unsaid)


def _values_for(policy: str, taker: str, settings: Settings) -> Mapping[str, Any]:
    if settings.policy != policy:
        raise SnippetError(f"{taker} cannot do what the policy {settings.policy} does; it takes the policy {policy}.")
    return settings.parameters


_MAKERS: dict[str, tuple[str, Callable[[Settings], Snippet]]] = {
    "langchain": ("LangChain, trim_messages", _langchain),
    "llamaindex": ("LlamaIndex, ChatMemoryBuffer", _llamaindex),
    "semantic-kernel": ("Semantic Kernel, ChatHistoryTruncationReducer", _semantic_kernel),
    "prompt-poet": ("Prompt Poet, truncate", _prompt_poet),
    "chorus": ("Chorus, character YAML", _chorus),
    "whisperengine": ("WhisperEngine", _whisperengine),
    "ollama": ("Ollama, options of a request", _ollama),
}
SYSTEMS: Mapping[str, str] = {name: title for name, (title, _) in _MAKERS.items()}
"""The systems that have snippets: the name of each system, and the title of its snippet."""
