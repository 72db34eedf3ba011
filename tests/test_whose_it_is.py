"""Whose it is: what goes with which conversation, by every way in that files have."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import inspector
from inspector.assembly.choices import choose_parts
from inspector.assembly.edits import use_added
from inspector.assembly.scenario import Scenario
from inspector.assembly.tidying import Tidying, key_of
from inspector.cli import group
from inspector.formats.native.write import save_workspace
from inspector.model import Workspace
from inspector.model.workspace import OWNED
from tests.reading.zips import zipped

_NATIVE = {"format": "prompt-inspector/workspace@1"}
_SCHEMA = {"type": "function", "function": {"name": "look", "description": "Look at something", "parameters": {}}}
_BESIDE: dict[str, Any] = {
    "memory_sets": [{"id": "kept", "memories": [{"id": "k", "content": "Likes tea"}]}],
    "characters": [{"id": "nova", "system_prompt": "Be kind."}],
    "lorebooks": [{"id": "book", "entries": [{"id": "e", "content": "The sea", "constant": True}]}],
    "passages": [{"id": "p", "content": "A page", "kind": "document"}],
    "summaries": [{"id": "s", "summary": "They met"}],
    "documents": [{"id": "d", "content": "A chart"}],
    "attachments": [{"path": "a.txt", "content": "Notes"}],
    "skipped": [{"path": "b.bin", "reason": "too large"}],
    "tools": [_SCHEMA],
}


def written(folder: Path, name: str, value: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(value))
    return folder / name


def chat(folder: Path, name: str = "chat.json") -> Path:
    return written(folder, name, [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}])


def beside(folder: Path, **more: Any) -> Path:
    """A file without a conversation, with one of everything else."""
    return written(folder, "beside.workspace.json", {**_NATIVE, **_BESIDE, **more})


def used(found: Workspace, conversation: str | None = None, **scenario: Any) -> dict[str, int]:
    """How many things of each list take part in the prompt of a conversation, where any do."""
    parts = choose_parts(found, Scenario(conversation=conversation, **scenario)).parts
    counts = {
        "memory_sets": len(parts.memory_sets),
        "characters": 1 if parts.character else 0,
        "lorebooks": len(parts.lore),
        **{name: len(getattr(parts, name)) for name in OWNED[3:]},
    }
    return {name: count for name, count in counts.items() if count}


EVERYTHING = dict.fromkeys(OWNED, 1)


def test_files_that_are_named_one_by_one_belong_together(tmp_path: Path) -> None:
    assert used(inspector.load(chat(tmp_path), beside(tmp_path))) == EVERYTHING


def test_what_a_walk_finds_in_a_file_without_conversations_goes_with_none(tmp_path: Path) -> None:
    chat(tmp_path)
    beside(tmp_path / "other")
    found = inspector.load(tmp_path)
    assert used(found) == {}
    assert used(found, memory_sets=("kept",)) == {"memory_sets": 1}
    assert used(found, character="nova") == {"characters": 1}


def test_an_archive_is_walked_also_where_it_is_named(tmp_path: Path) -> None:
    file = chat(tmp_path)
    archive = tmp_path / "all.zip"
    archive.write_bytes(
        zipped({"chat.json": file.read_bytes(), "x/beside.json": json.dumps({**_NATIVE, **_BESIDE}).encode()})
    )
    assert used(inspector.load(archive)) == {}
    assert used(inspector.load(archive, file), "chat-2") == {}


def test_a_file_that_is_named_beside_a_folder_goes_with_all_its_conversations(tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    chat(folder, "one.json")
    chat(folder, "two.json")
    file = beside(tmp_path)
    for paths in ((folder, file), (file, folder)):
        found = inspector.load(*paths)
        assert [used(found, name) for name in ("one", "two")] == [EVERYTHING, EVERYTHING]
    inside = beside(folder)
    assert used(inspector.load(folder), "two") == {}
    assert used(inspector.load(folder, inside), "two") == EVERYTHING, "named, too"


def test_what_a_file_with_conversations_brings_stays_with_them(tmp_path: Path) -> None:
    talk = {"id": "own", "messages": [{"id": "m", "role": "user", "content": "Hi"}]}
    for paths in ((chat(tmp_path), beside(tmp_path, conversations=[talk])), (tmp_path,)):
        found = inspector.load(*paths)
        assert used(found, "chat") == {}
        assert used(found, "own") == EVERYTHING


def test_what_is_of_no_conversation_is_said_until_it_is_ticked(tmp_path: Path) -> None:
    chat(tmp_path)
    beside(tmp_path / "other")
    found = inspector.load(tmp_path)

    def said(scenario: Mapping[str, Any]) -> list[str]:
        findings = inspector.assemble(found, scenario)["findings"]
        return [one["message"] for one in findings if one["code"] == "belongs_to_none"]

    others = (
        "1 lorebook, 1 passage, 1 past summary, 1 document, 1 attachment and 1 tool belong to no open conversation and "
        "are not used: open them by name."
    )
    memories = "1 memory set belongs to no open conversation and is not used: tick it."
    assert said({}) == [memories, others]
    assert said({"memory_sets": ["kept"]}) == [others]


def test_each_row_of_a_file_has_its_own_tools(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}]
    other = {"type": "function", "function": {"name": "weather", "parameters": {}}}
    rows = [{"messages": talk, "tools": tools} for tools in ([_SCHEMA], [other, _SCHEMA], [])]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    found = inspector.load(file)
    assert [used(found, f"rows-{number}").get("tools", 0) for number in (1, 2, 3)] == [1, 2, 0]
    alone = written(tmp_path, "alone.json", talk)
    ledger = inspector.assemble(found, {"conversation": "rows-3"})["ledger"]
    assert ledger["total"] == inspector.assemble(inspector.load(alone))["ledger"]["total"]


def test_a_tool_may_name_its_conversations_which_are_never_counted(tmp_path: Path) -> None:
    talks = [{"id": name, "messages": [{"id": "m", "role": "user", "content": "Hi"}]} for name in "ab"]
    tools = [{**_SCHEMA, "conversations": ["b"]}]
    value = {**_NATIVE, "conversations": talks, "tools": tools}
    found = inspector.load(written(tmp_path, "named.workspace.json", value))
    assert [used(found, name).get("tools", 0) for name in "ab"] == [0, 1]
    assert found.tools[0].schema == _SCHEMA
    plain = inspector.load(written(tmp_path, "plain.workspace.json", {**value, "tools": [_SCHEMA]}))
    totals = [inspector.assemble(one, {"conversation": "b"})["ledger"]["total"] for one in (found, plain)]
    assert totals[0] == totals[1]
    wrong = written(tmp_path, "wrong.workspace.json", {**value, "tools": [{**_SCHEMA, "conversations": "b"}]})
    problems = [(one.place, one.message) for one in inspector.load(wrong).problems]
    assert problems == [("$.tools[0].conversations", "expected a list of ids, found text")]


def test_a_workspace_that_is_saved_keeps_whose_everything_is(tmp_path: Path) -> None:
    folder = tmp_path / "found"
    chat(folder)
    beside(folder)
    saved = tmp_path / "saved.workspace.json"
    save_workspace(inspector.load(folder), saved)
    found = inspector.load(saved)
    assert used(found) == {}
    assert used(found, memory_sets=("kept",)) == {"memory_sets": 1}


def test_what_was_of_a_conversation_that_is_removed_goes_with_no_other(tmp_path: Path) -> None:
    talk = {"id": "own", "messages": [{"id": "m", "role": "user", "content": "Hi"}]}
    found = inspector.load(chat(tmp_path), beside(tmp_path, conversations=[talk]))
    left = Tidying().without([key_of("conversation", "own")]).workspace(found)
    assert used(left) == {}


def test_what_is_added_by_name_is_used_and_what_is_added_in_a_folder_waits(tmp_path: Path) -> None:
    file = chat(tmp_path)
    more = beside(tmp_path / "more")
    before, chosen = inspector.load(file), Scenario(memory_sets=())
    by_name, in_folder = inspector.load(file, more), inspector.load(file, more.parent)
    assert use_added(chosen, before, by_name).scenario == Scenario(memory_sets=("kept",), character="nova")
    assert use_added(chosen, before, in_folder).scenario == chosen


@pytest.mark.parametrize("home", ["", "chats/Ines"])
def test_a_folder_of_sillytavern_is_one_whole(tmp_path: Path, home: str) -> None:
    line = {"name": "Ines", "is_user": False, "mes": "Come in", "send_date": "2024-01-01T00:00:00Z"}
    card = {"spec": "chara_card_v2", "data": {"name": "Ines", "description": "Keeps the light.", "first_mes": "Hi"}}
    for user in ("one", "two"):
        root = tmp_path / user
        written(root / home, "talk.jsonl", line)
        world = root / "worlds" if home else root
        written(world, f"{user}.json", {"entries": {"0": {"uid": 0, "key": ["sea"], "content": "It is deep"}}})
        written(root / "characters" if home else root, "Ines.json", card)
    chat(tmp_path / "elsewhere")
    found = inspector.load(tmp_path)
    talks = [talk.id for talk in found.conversations if talk.id != "chat"]
    assert [used(found, talk) for talk in talks] == [{"lorebooks": 1, "characters": 1}] * 2
    assert [book.conversations for book in found.lorebooks] == [(talk,) for talk in talks]
    assert used(found, "chat") == {}


def test_a_thread_of_jan_is_a_folder(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / "threads" / name
        said = {"object": "thread.message", "thread_id": name, "role": "user", "content": [], "id": "m"}
        content = [{"type": "text", "text": {"value": "Hi"}}]
        written(folder, "messages.jsonl", {**said, "content": content})
        assistant = {"assistant_name": name, "instructions": f"Be {name}."}
        written(folder, "thread.json", {"object": "thread", "id": name, "assistants": [assistant]})
    found = inspector.load(tmp_path)
    people = [choose_parts(found, Scenario(conversation=talk.id)).parts.character for talk in found.conversations]
    assert [one and one.system_prompt for one in people] == ["Be one.", "Be two."]


def test_commands_give_a_chat_of_a_folder_the_prompt_that_it_has_alone(tmp_path: Path) -> None:
    files = [chat(tmp_path / "all", "one.json"), chat(tmp_path / "all", "two.json")]
    beside(tmp_path / "all")

    def answer(*arguments: str, form: str = "json") -> Any:
        done = CliRunner().invoke(group, [*arguments, "--format", form])
        assert done.exit_code == 0, done.output
        return [json.loads(line) for line in done.stdout.splitlines()] if form == "jsonl" else json.loads(done.stdout)

    def totals(path: Path) -> list[int]:
        rows = answer("sweep", str(path), "--set", "context_window=4000,8000", form="jsonl")
        return [row["total"] for row in rows]

    folder = files[0].parent
    assert totals(folder) == [total for file in files for total in totals(file)]
    assert answer("count", str(folder))["total"] == answer("count", str(files[0]))["total"]
    ticked = answer("assemble", str(folder), "--conversation", "two", "--memories", "kept")
    assert [item["id"] for item in ticked["items"]] == ["k", "m0", "m1"]
