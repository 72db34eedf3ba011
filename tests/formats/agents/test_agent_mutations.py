"""Sessions of agents with each key renamed or wrapped: nothing that was said is lost without a problem."""

import copy
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.model import Workspace
from tests.formats.agents.agent_examples import EXAMPLES

FILES = [(kind, name) for kind, files in EXAMPLES.items() for name in files]


def keys_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each key, at any depth."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if isinstance(value, dict):
            yield (*path, key)
        yield from keys_of(inner, (*path, key))


def mutants(value: Any) -> Iterator[tuple[str, Any]]:
    """Each mutant with the path of its key."""
    for path in list(keys_of(value)):
        for how in ("renamed", "wrapped"):
            mutant = copy.deepcopy(value)
            holder = mutant
            for key in path[:-1]:
                holder = holder[key]
            inner = holder.pop(path[-1])
            holder |= {f"{path[-1]}_x": inner} if how == "renamed" else {path[-1]: {"wrapped": inner}}
            yield f"{how} {path}", mutant


def opened(tmp_path: Path, name: str, value: Any) -> Workspace:
    content = "\n".join(map(json.dumps, value)) if name.endswith(".jsonl") else json.dumps(value)
    (tmp_path / "file").write_text(content)
    return load_workspace([tmp_path / "file"])


def texts_of(workspace: Workspace) -> list[str]:
    """What was said and thought, and the system prompts."""
    chats = (chat.tree or chat for chat in workspace.conversations)
    said = [text for chat in chats for message in chat.messages for text in (message.content, message.thinking)]
    return [text for text in (*said, *(one.system_prompt for one in workspace.characters)) if text]


@pytest.mark.parametrize(("kind", "name"), FILES)
def test_what_was_said_is_read_or_a_problem_names_it(tmp_path: Path, kind: str, name: str) -> None:
    whole = opened(tmp_path, name, EXAMPLES[kind][name])
    known = Counter(problem.message for problem in whole.problems)
    tried = 0
    for how, mutant in mutants(EXAMPLES[kind][name]):
        workspace = opened(tmp_path, name, mutant)
        read = "\n".join(texts_of(workspace))
        lost = [text for text in texts_of(whole) if text not in read]
        said = Counter(problem.message for problem in workspace.problems) - known
        assert not lost or said, (how, lost)
        assert not any("fault" in message or "failed" in message for message in said), (how, said)
        tried += 1
    assert tried > 10
