"""SillyTavern's presets and templates: the sizes, texts and notes that they bring to the chats beside them.

Files and keys: SillyTavern 1.19 (npm `sillytavern`), `public/scripts/openai.js` (presets of chat completion),
`public/scripts/PromptManager.js` (`prompts`, `prompt_order`), `public/scripts/preset-manager.js` (`max_length` and
`genamt` of text completion; the master export), `public/scripts/instruct-mode.js`, `public/scripts/sysprompt.js`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.cards.card import component, placed
from inspector.formats.format import Format
from inspector.formats.sillytavern.prompt_order import PromptOrder, order_of
from inspector.formats.sillytavern.sizes import sizes_of_chat, sizes_of_text
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Component, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping, stem

PRESET = "preset:"
"""The prefix of the id of a character made from a preset or from the prompts of settings."""
NAME = "sillytavern_preset"
_MAIN = (
    "Write {{char}}'s next reply in a fictional chat between {{char}} and {{user}}.",
    "Write {{char}}'s next reply in a fictional chat between {{charIfNotGroup}} and {{user}}.",
)
"""The main prompts of the program itself, which its policy has."""
_FORMATS = {"wi_format": "{0}", "scenario_format": "{{scenario}}", "personality_format": "{{personality}}"}
_SEQUENCES = ("input_sequence", "output_sequence")
_PARTS = ("instruct", "context", "sysprompt", "preset")


def sniff(source: FileSource) -> float:
    """Return how likely this is a preset or a template of SillyTavern."""
    if source.shape != "json":
        return 0.0
    found = source.sample
    return 0.9 if isinstance(found, Mapping) and (_is_of_chat(found) or any(_parts_of_text(found).values())) else 0.0


def load(source: FileSource) -> Workspace:
    """Return the prompts of a preset as a character without a name, with the sizes, and what is not followed."""
    value = mapping(source.json)
    of_chat = _is_of_chat(value)
    character = prompts_of_chat(value) if of_chat else prompts_of_text(_parts_of_text(value))
    name = as_text(value.get("name")).strip() or stem(source.path)
    ignored = [*(not_followed_of_chat(value) if of_chat else not_followed_of_text(_parts_of_text(value)))]
    problems = (source.problem("", ignored_words(ignored), "info"),) if ignored else ()
    return Workspace(characters=(changed(character, id=f"{PRESET}{name}"),), problems=problems)


def ignored_words(ignored: Sequence[str]) -> str:
    """Return the remark on parts of a preset that the policies do not follow."""
    return f"a preset of SillyTavern; its policies here do not follow {', '.join(ignored)}"


def _is_of_chat(value: Mapping[str, Any]) -> bool:
    has_prompts = isinstance(value.get("prompts"), list) and isinstance(value.get("prompt_order"), list)
    return has_prompts or {"openai_max_context", "openai_max_tokens"} <= value.keys()


def _parts_of_text(value: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the parts of a file for text completion, of a master export several; empty for other files."""
    if any(_is_part(part, mapping(value.get(part))) for part in _PARTS):
        return {part: mapping(value.get(part)) for part in _PARTS}
    return {part: value if _is_part(part, value) else {} for part in _PARTS}


def _is_part(part: str, value: Mapping[str, Any]) -> bool:
    if part == "instruct":
        return all(isinstance(value.get(name), str) for name in _SEQUENCES)
    if part == "context":
        return isinstance(value.get("story_string"), str)
    if part == "sysprompt":
        return "post_history" in value and isinstance(value.get("content"), str)
    return {"temp", "rep_pen"} <= value.keys()


def prompts_of_chat(value: Mapping[str, Any]) -> Character:
    """Return main prompt, instructions after the history and in-chat prompts of a preset, with its sizes."""
    order = order_of(value)
    main, after = order.text("main"), order.text("jailbreak")
    pieces = [component("post_history_instructions", after)] if after.strip() else []
    pieces += _notes(order)
    parameters = {"main_api": "openai", **sizes_of_chat(value), **order.switches}
    return _character("" if main.strip() in _MAIN else main, pieces, parameters)


def _notes(order: PromptOrder) -> Iterator[Component]:
    """Yield the prompts among the messages, each as a note with its depth and role."""
    for prompt in order.in_chat:
        note = component("depth_prompt", as_text(prompt.get("content")))
        note = changed(note, id=as_text(prompt.get("name")).strip() or as_text(prompt.get("identifier")) or note.id)
        yield placed(note, prompt.get("injection_depth", 4), prompt.get("role"))


def not_followed_of_chat(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parts of a preset for chat completion that change prompts and have no counterpart here."""
    order = order_of(value)
    yield from order.not_followed
    for name, usual in _FORMATS.items():
        if as_text(value.get(name, usual)).strip() not in (usual, ""):
            yield name
    if as_text(value.get("assistant_prefill")).strip():
        yield "assistant_prefill"


def prompts_of_text(parts: Mapping[str, Mapping[str, Any]]) -> Character:
    """Return the system prompt and the instructions after the history of text completion, with its sizes."""
    system = parts["sysprompt"]
    after = as_text(system.get("post_history"))
    pieces = [component("post_history_instructions", after)] if after.strip() else []
    parameters = {"main_api": "textgenerationwebui", **sizes_of_text(parts["preset"])}
    return _character(as_text(system.get("content")), pieces, parameters)


def not_followed_of_text(parts: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the parts of templates that change prompts and have no counterpart here."""
    context, instruct, preset = parts["context"], parts["instruct"], parts["preset"]
    if as_text(context.get("story_string")).strip():
        yield "the labels of the story string (parts are joined a line each)"
    if as_text(instruct.get("input_sequence")) or as_text(instruct.get("output_sequence")):
        yield "the sequences of the instruct template (message_overhead is their tokens)"
    if as_text(instruct.get("user_alignment_message")).strip():
        yield "user_alignment_message (fixed_overhead is its tokens)"
    if as_text(preset.get("negative_prompt")).strip() and preset.get("guidance_scale", 1) != 1:
        yield "negative_prompt"


def _character(system_prompt: str, pieces: Sequence[Component], parameters: Mapping[str, Any]) -> Character:
    ids = unique_texts(piece.id for piece in pieces)  # prompts may have the same name, and stand twice in the order
    return Character(
        id=PRESET,
        system_prompt=system_prompt,
        components=tuple(changed(piece, id=id_) for piece, id_ in zip(pieces, ids, strict=True)),
        preferred_llm={"parameters": dict(parameters)},
    )


FORMAT = Format(
    NAME,
    "SillyTavern preset or template",
    sniff,
    load,
    "`prompts` with `prompt_order`, `story_string`, `input_sequence` or `temp` with `rep_pen`",
    unsent=lambda _: True,
)
