"""What the program does with what it has opened: assembles it, says why, writes the prompt, saves it."""

import random
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from inspector.assembly.answer import answer_value, complete_answer, planned_answer
from inspector.assembly.explain import explain
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.rendered_prompt import render_prompt
from inspector.assembly.scenario import Scenario
from inspector.formats import load_file
from inspector.formats.native.write import save_workspace
from inspector.json_text import json_line
from inspector.model import Workspace
from inspector.model.records import changed
from inspector.plugins import policies
from inspector.secrets import MASKED
from tests.fuzz.outcome import BrokenPromiseError

_WINDOWS = (0, 1, 60, 500, 4_096, 32_768, 10**9)
_MOST_EXPLAINED = 60


def chooser(data: bytes) -> random.Random:
    """Random numbers that are the same for the same bytes."""
    return random.Random(zlib.crc32(data))


def random_scenario(workspace: Workspace, rng: random.Random) -> Scenario:
    """A scenario that asks for nothing that is not there, with any policy and a tokenizer that counts at once."""
    policy = rng.choice(sorted(policies()[0]))
    presets = [name for of, name in load_presets() if of == policy]
    conversation = rng.choice(workspace.conversations) if workspace.conversations and rng.random() < 0.5 else None
    leaves = conversation.tree.messages if conversation and conversation.tree else ()
    return Scenario(
        conversation=conversation.id if conversation else None,
        tokenizer=rng.choice(("estimate:words", "estimate:ibex", "embedded:cl100k_base")),
        context_window=rng.choice((None, *_WINDOWS)),
        query=rng.choice((None, None, "", "harbour")),
        similarity=rng.choice(("recorded", "lexical")),
        classify=rng.choice((None, "rules")),
        summaries=rng.choice((None, None, "extractive")),
        at=rng.choice((None, None, 0, 1, 7, 10**9)),
        draft=rng.choice((None, None, "Is it near?")),
        leaf=rng.choice(leaves).id if leaves and rng.random() < 0.5 else None,
        policy=policy,
        preset=rng.choice(presets) if presets and rng.random() < 0.6 else None,
    )


def use(workspace: Workspace, rng: random.Random) -> None:
    """Assemble a workspace under two policies: planned and measured, with findings, reasons and the written prompt."""
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    first, second = (random_scenario(workspace, rng) for _ in range(2))
    planned = planned_answer(pipeline, pipeline.case(first))
    json_line(answer_value(planned))
    answer = complete_answer(pipeline, second, finds_duplicates=rng.random() < 0.3)
    json_line(answer_value(answer))
    assembly = answer.assembly
    for row in range(min(len(assembly.candidates), _MOST_EXPLAINED)):
        explain(assembly, row)
    if assembly.error is None:
        prompt = render_prompt(assembly, answer.model.chat_format, answer.case.chosen.parts.tools)
        prompt.chat.text.encode()


def check_loaded(workspace: Workspace, files: list[Path]) -> None:
    """Problems name one of the files and say something; ids are texts, each once in its list; texts can be written.

    What stands nowhere else: a format may not fail with an exception, and a file that is opened gives something or an
    error.
    """
    for problem in workspace.problems:
        if not any(problem.file == str(file) or problem.file.startswith(f"{file}/") for file in files):
            raise BrokenPromiseError("a problem names another file", f"{problem.file!r} of {files}")
        if not problem.message.strip():
            raise BrokenPromiseError("a problem says nothing", str(problem))
        if " failed: " in problem.message:
            raise BrokenPromiseError("a format failed", str(problem))
    if not workspace.sources and not workspace.problems:
        raise BrokenPromiseError("nothing was opened and nothing said")
    for place, ids in _lists_of_ids(workspace):
        if not all(isinstance(id_, str) and id_ for id_ in ids):
            raise BrokenPromiseError("an id is no text", place)
        if len(set(ids)) < len(ids):
            raise BrokenPromiseError("an id is there twice", place)
    with suppress(RecursionError):  # of a value that is nested as deep as JSON may be
        repr(workspace).encode()


def _lists_of_ids(workspace: Workspace) -> Iterator[tuple[str, list[Any]]]:
    for name in ("conversations", "memory_sets", "characters", "lorebooks", "passages", "summaries", "documents"):
        yield name, [item.id for item in getattr(workspace, name)]
    for talk in workspace.conversations:
        yield f"the conversation {talk.id}", [message.id for message in talk.messages]
        if talk.tree is not None:
            yield f"the tree of {talk.id}", [node.id for node in talk.tree.messages]
            if len(talk.tree.parents) != len(talk.tree.messages):
                raise BrokenPromiseError("a tree has not as many parents as messages", talk.id)
    for kept in workspace.memory_sets:
        yield f"the memory set {kept.id}", [memory.id for memory in kept.memories]
    for book in workspace.lorebooks:
        yield f"the lorebook {book.id}", [entry.id for entry in book.entries]


def check_saved(workspace: Workspace, folder: Path, rng: random.Random) -> None:
    """A workspace that is saved and opened again is the same."""
    file = folder / f"saved.workspace.{rng.choice(('json', 'json', 'yaml'))}"
    try:
        save_workspace(workspace, file)
    except ValueError:  # it is nested deeper than YAML may be
        return
    back = load_file(file)
    if not _holds_anything(workspace):
        return
    for problem in (one for one in back.problems if not one.message.endswith(MASKED)):
        raise BrokenPromiseError("a saved workspace has problems", f"{problem}")
    plain, again = (changed(one, sources=(), problems=()) for one in (workspace, back))
    for place, one, other in differences(plain, again, "workspace"):
        raise BrokenPromiseError(f"saved and opened again, {place} is another", f"{one!r:.300}\n{other!r:.300}")


def _holds_anything(workspace: Workspace) -> bool:
    return any(getattr(workspace, name) for name in Workspace.__struct_fields__ if name not in ("sources", "problems"))


def differences(one: Any, other: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """Where two values of the model differ, and the values there; places without their numbers."""
    if type(one) is not type(other) or not isinstance(one, tuple | Struct):
        if one != other:
            yield place, one, other
    elif isinstance(one, tuple):
        if len(one) != len(other):
            yield f"the length of {place}", len(one), len(other)
        for pair in zip(one, other, strict=False):
            yield from differences(*pair, f"{place}[]")
    else:
        for name in one.__struct_fields__:
            yield from differences(getattr(one, name), getattr(other, name), f"{place}.{name}")
