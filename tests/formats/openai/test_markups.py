"""Prompts with the marks of model makers' templates, as the program itself writes them, and of fine-tuning sets."""

import json

import pytest

from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, candidates
from inspector.model import Thought, Workspace
from inspector.reading.source import FileSource
from inspector.tokens.chat.format import shipped_format, shipped_formats
from inspector.tokens.chat.messages import ChatMessage
from inspector.tokens.chat.sandbox import ChatTemplateError

ASKED, ANSWERED, BRIEF = "What is the capital of France?", "Paris.", "Answer in one word."
SAID = [("user", ASKED), ("assistant", ANSWERED)]
ENDLESS = ("gemini", "claude_v3", "claude_v4.7", "claude_v4.8")
"""Shipped formats without turns that a reader could tell apart: they are reconstructed from counts."""
WRITTEN = sorted(set(shipped_formats()) - set(ENDLESS))
OF_SETS = {
    "alpaca": f"{BRIEF}\n\n### Instruction:\n{ASKED}\n\n### Response:\n{ANSWERED}",
    "guanaco": f"### Human: {ASKED}### Assistant: {ANSWERED}",
    "vicuna": f"{BRIEF} USER: {ASKED} ASSISTANT: {ANSWERED}</s>",
    "zephyr": f"<|system|>\n{BRIEF}</s>\n<|user|>\n{ASKED}</s>\n<|assistant|>\n{ANSWERED}</s>\n",
    "granite": f"<|start_of_role|>user<|end_of_role|>{ASKED}<|end_of_text|>\n"
    f"<|start_of_role|>assistant<|end_of_role|>{ANSWERED}<|end_of_text|>\n",
    "llama4": f"<|begin_of_text|><|header_start|>user<|header_end|>\n\n{ASKED}<|eot|>"
    f"<|header_start|>assistant<|header_end|>\n\n{ANSWERED}<|eot|>",
    "mistral_small": f"<s>[SYSTEM_PROMPT]{BRIEF}[/SYSTEM_PROMPT][INST]{ASKED}[/INST]{ANSWERED}</s>",
}
"""By the name of a set or model whose turns are so written."""


def opened(text: str, name: str = "prompt.txt") -> Workspace:
    return load_unnamed(text.encode(), name).workspace


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(one.role, one.content) for chat in workspace.conversations for one in chat.messages]


def rendered(name: str) -> tuple[str, bool]:
    """The prompt of a shipped template, and whether the system prompt has a turn of its own in it."""
    chat = [ChatMessage("user", ASKED), ChatMessage("assistant", ANSWERED), ChatMessage("user", "Sure?")]
    shipped = shipped_format(name)
    try:
        text = shipped.render([ChatMessage("system", BRIEF), *chat]).text
    except ChatTemplateError:
        return shipped.render(chat).text, False
    return text, f"{BRIEF}\n\n" not in text


@pytest.mark.parametrize("name", WRITTEN)
def test_prompts_that_the_program_writes_are_opened_as_their_turns(name: str) -> None:
    text, is_apart = rendered(name)
    workspace = opened(text)
    assert workspace.problems == ()
    assert [source.format for source in workspace.sources] == ["marked_text"]
    turns = [pair for pair in said(workspace) if pair[0] != "system"]
    assert [(role, text.removeprefix(f"{BRIEF}\n\n")) for role, text in turns] == [*SAID, ("user", "Sure?")]
    if is_apart:
        systems = [one.system_prompt for one in workspace.characters]
        assert BRIEF in " ".join([*systems, *(text for role, text in said(workspace) if role == "system")])


@pytest.mark.parametrize("name", OF_SETS)
def test_rows_of_fine_tuning_sets_are_their_turns(name: str) -> None:
    workspace = opened(json.dumps([{"text": OF_SETS[name]}]), "rows.json")
    assert workspace.problems == ()
    assert said(workspace) == SAID
    assert [one.system_prompt for one in workspace.characters] == ([BRIEF] if BRIEF in OF_SETS[name] else [])


def test_a_closing_mark_of_thoughts_alone_is_no_text_and_thoughts_are_kept() -> None:
    text = f"<｜begin▁of▁sentence｜><｜User｜>{ASKED}<｜Assistant｜><think>Easy.</think>{ANSWERED}<｜end▁of▁sentence｜>"
    (chat,) = opened(text).conversations
    assert [one.text for one in chat.messages[1].parts if isinstance(one, Thought)] == ["Easy."]
    assert said(opened(text.replace("<think>Easy.", ""))) == SAID


@pytest.mark.parametrize("text", ["### Assistant: me\n\n### Tasks: none", "My USER: none", "<|user|>"])
def test_headings_of_one_speaker_or_none_are_no_prompt(text: str) -> None:
    found, _ = candidates(FileSource("x", json.dumps([{"text": text}]).encode()), built_in_formats())
    assert "marked_text" not in [one.format.name for one in found if text != "<|user|>"]


def test_unknown_roles_and_text_between_turns_are_told() -> None:
    text = rendered("llama3.1")[0].replace("<|eot_id|>", "<|eot_id|>Between.", 1)
    workspace = opened(text.replace(">assistant<|end_header_id|>\n\nParis", ">ghost<|end_header_id|>\n\nParis", 1))
    assert [(one.place, one.severity) for one in workspace.problems] == [("turn 1", "warning"), ("turn 3", "error")]


@pytest.mark.parametrize("name", ["chatml", "llama3", "gemma2", "llama2", "mistral_v3", "deepseek_v3", "glm4"])
def test_marks_of_other_makers_and_of_html_in_a_turn_are_its_text(name: str) -> None:
    others = {"chatml": "<|end|>", "llama3": "<end_of_turn>", "gemma2": "<|im_end|>"}
    answered = f"A <s>struck</s> word, {others.get(name, '</s> and')} more."
    chat = [ChatMessage("user", ASKED), ChatMessage("assistant", answered), ChatMessage("user", "Sure?")]
    workspace = opened(shipped_format(name).render(chat).text)
    assert workspace.problems == ()
    assert said(workspace) == [("user", ASKED), ("assistant", answered), ("user", "Sure?")]


@pytest.mark.parametrize("name", ["harmony", "chatml"])
def test_text_beside_the_turns_is_told(name: str) -> None:
    text = rendered(name)[0]
    end = "<|end|>" if name == "harmony" else "<|im_end|>"
    (problem,) = opened(text.replace(end, f"{end}Left over.", 1)).problems
    assert "Left over." in problem.message


@pytest.mark.parametrize("mark", ["[INST]", "<think>", "<tool_call>", "<|start|>", "<<SYS>>", "[USER]", "### User: "])
def test_marks_that_nothing_closes_are_read_in_a_time_that_grows_with_them_alone(mark: str) -> None:
    """A quarter of a million of them would take hours if each looked to the end."""
    begun = {"[INST]": "<s>[INST]a[/INST]b", "<|start|>": HEAD_OF_HARMONY, "<<SYS>>": "<s>[INST]"}
    end = {"<<SYS>>": "[/INST]b"}
    text = begun.get(mark, "<|im_start|>assistant\n") + mark * 250_000 + end.get(mark, "x")
    assert opened(text).conversations


HEAD_OF_HARMONY = "<|start|>user<|message|>a<|end|>"
