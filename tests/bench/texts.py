"""Chats to measure with: sentences of the samples, put together anew, the same in every run."""

import random
from functools import cache

from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.formats import load_workspace
from inspector.model import Character, Conversation, Memory, MemorySet, Message, Workspace
from inspector.plugins import policies
from inspector.resources import samples_folder


@cache
def sentences() -> tuple[str, ...]:
    """Every line of every message of the samples."""
    workspace = load_workspace([str(samples_folder())])
    contents = (message.content for chat in workspace.conversations for message in chat.messages)
    return tuple(line for content in contents for line in content.split("\n") if line.strip())


def chat_texts(count: int, seed: int = 1) -> list[str]:
    """So many different message texts, about 150 characters in the median, as chats have them."""
    choose = random.Random(seed)
    lines = sentences()
    texts = []
    for number in range(count):
        words = " ".join(choose.choice(lines) for _ in range(choose.choice((1, 1, 1, 2, 3)))).split(" ")
        start = choose.randrange(len(words))
        texts.append(" ".join(words[start:] + words[:start]) + f" {number}")
    return texts


def megabytes_of_chat(megabytes: int) -> list[str]:
    """Different message texts of so many million bytes in all."""
    texts = chat_texts(20_000)
    share = sum(len(text.encode()) for text in texts) / len(texts)
    return chat_texts(int(megabytes * 1e6 / share))


def workspace_of(messages: int, memories: int = 200) -> Workspace:
    """A long chat with memories and a system prompt."""
    roles = ("user", "assistant")
    said = tuple(
        Message(f"m{number}", roles[number % 2], text)  # type: ignore[arg-type]
        for number, text in enumerate(chat_texts(messages))
    )
    kinds = ("core", "fact", "project", "experience")
    remembered = tuple(
        Memory(f"k{number}", text, type=kinds[number % 4], priority=float(number % 101))
        for number, text in enumerate(chat_texts(memories, seed=2))
    )
    return Workspace(
        conversations=(Conversation("long", said),),
        memory_sets=(MemorySet("memories", remembered),),
        characters=(Character("guide", "Guide", "You are a patient guide who remembers what was said."),),
    )


def pipeline_of(workspace: Workspace) -> Pipeline:
    """A pipeline with the built-in policies."""
    return Pipeline(workspace, policies()[0], load_presets())
