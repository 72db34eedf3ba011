"""Sessions in many files: the folder and the first file open the whole session, and no file of another is swallowed."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.looking import find, look
from inspector.model import Workspace
from tests.formats.agents.agent_examples import ANSWERED, ANTIGRAVITY, ASKED, OPENCODE, OPENHANDS
from tests.formats.agents.test_agent_sessions import only_chat, said


def write(file: Path, value: Any) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    return file


def written(root: Path, older: bool = False) -> Path:
    """Write the example of an export as a storage has it, and return the file of the session."""
    about, id_ = OPENCODE["info"], OPENCODE["info"]["id"]
    base = root / "session" if older else root
    for held in OPENCODE["messages"]:
        message = held["info"]["id"]
        write(base / "message" / id_ / f"{message}.json", held["info"])
        folder = base / "part" / id_ / message if older else base / "part" / message
        for number, part in enumerate(held["parts"]):
            write(folder / f"prt_{number:03}.json", {"messageID": message, "sessionID": id_, **part})
    return write(root / "session" / ("info" if older else "project") / f"{id_}.json", {"projectID": "p", **about})


def expected(tmp_path: Path) -> list[tuple[str, str]]:
    return said(only_chat(load_workspace([write(tmp_path / "export.json", OPENCODE)])))


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize("named", ["folder", "file"])
def test_a_storage_of_opencode_reads_as_the_export_of_its_session(tmp_path: Path, older: bool, named: str) -> None:
    file = written(tmp_path / "storage", older)
    workspace = load_workspace([tmp_path / "storage" if named == "folder" else file])
    assert said(only_chat(workspace)) == expected(tmp_path)
    assert [(source.format, source.path) for source in workspace.sources] == [("opencode", str(file))]
    assert not [problem for problem in workspace.problems if problem.severity != "info"]


def test_the_folder_opens_twice_and_shows_its_session_as_one_candidate(tmp_path: Path) -> None:
    file = written(tmp_path / "storage")
    assert load_workspace([tmp_path / "storage"]) == load_workspace([tmp_path / "storage"])
    (seen,) = look([tmp_path / "storage"])
    assert (seen.file, seen.candidates[0].format.name) == (str(file), "opencode")


def test_messages_of_a_session_without_its_description_are_not_swallowed(tmp_path: Path) -> None:
    written(tmp_path / "storage")
    lost = write(tmp_path / "storage" / "message" / "ses_lost" / "m.json", OPENCODE["messages"][0]["info"])
    assert lost in find([tmp_path / "storage"]).files
    workspace = load_workspace([tmp_path / "storage"])
    assert [problem.file for problem in workspace.problems if problem.unopened] == [str(lost)]


def test_a_broken_part_is_a_problem_with_its_file_and_costs_nothing_else(tmp_path: Path) -> None:
    file = written(tmp_path / "storage")
    parts = sorted((tmp_path / "storage" / "part").rglob("*.json"))
    broken = write(parts[-1], '{"type": "text"')
    workspace = load_workspace([file])
    assert ("user", ASKED) in said(only_chat(workspace))
    assert str(broken) in [problem.file for problem in workspace.problems]


def test_a_description_without_messages_says_so(tmp_path: Path) -> None:
    about = {"projectID": "p", "directory": "d", **OPENCODE["info"]}
    file = write(tmp_path / "session" / "project" / "ses_1.json", about)
    (problem,) = load_workspace([file]).problems
    assert "opencode" in problem.message


def events_in(folder: Path, name: str) -> list[Path]:
    """Write the events of the example as files; `name` has a place for the number."""
    return [write(folder / name.format(number), event) for number, event in enumerate(OPENHANDS)]


def chat_in(workspace: Workspace) -> tuple[str, list[tuple[str, str]]]:
    chat = only_chat(workspace)
    return chat.id, said(chat)


@pytest.mark.parametrize("name", ["{}.json", "event-{:05}-ab12.json"])
def test_a_folder_of_events_is_a_conversation(tmp_path: Path, name: str) -> None:
    first, *_ = events_in(tmp_path / "c1" / "events", name)
    write(tmp_path / "c1" / "event_cache" / "0-25.json", OPENHANDS)
    of_folder, of_file = (chat_in(load_workspace([one])) for one in (tmp_path / "c1", first))
    assert of_folder == of_file
    assert of_folder[0] == "c1"
    assert ("user", ASKED) in of_folder[1]
    assert ("assistant", ANSWERED) in of_folder[1]


def test_events_are_ordered_by_number_and_a_single_event_opens_alone(tmp_path: Path) -> None:
    folder = tmp_path / "c1" / "events"
    for number in range(12):
        event = {"id": number, "source": "user", "action": "message", "args": {"content": f"text {number}"}}
        write(folder / f"{number}.json", event)
    assert [text for _, text in chat_in(load_workspace([folder]))[1]] == [f"text {number}" for number in range(12)]
    assert chat_in(load_workspace([folder / "7.json"]))[1] == [("user", "text 7")]


def _artefacts(folder: Path) -> Path:
    for name in ("task.md", "implementation_plan.md"):
        about = {"artifactType": "ARTIFACT_TYPE_TASK", "summary": f"About {name}.", "updatedAt": "2026-01-07T04:39:32Z"}
        write(folder / name, f"# {name}\n\n- [ ] Look at the sea.")
        write(folder / f"{name}.metadata.json", about)
    write(folder / "task.md.resolved", "# Earlier")
    write(folder / "task.md.resolved.0", "# Earlier still")
    return folder


@pytest.mark.parametrize("named", ["folder", "file"])
def test_artefacts_of_antigravity_are_documents_with_their_description(tmp_path: Path, named: str) -> None:
    folder = _artefacts(tmp_path / "brain" / "c1")
    workspace = load_workspace([folder if named == "folder" else folder / "task.md"])
    found = {one.id: (one.title, one.content) for one in workspace.documents}
    assert found["c1/task.md"] == ("About task.md.", "# task.md\n\n- [ ] Look at the sea.")
    assert len(found) == (2 if named == "folder" else 1)
    (remark,) = [one for one in workspace.problems if "earlier versions" in one.message]
    assert remark.message.endswith("were not read: task.md.resolved, task.md.resolved.0")
    assert [one.message for one in workspace.problems if one is not remark] == []


def test_artefacts_go_with_the_transcript_of_their_chat(tmp_path: Path) -> None:
    folder = _artefacts(tmp_path / "brain" / "c1")
    steps = "\n".join(map(json.dumps, ANTIGRAVITY))
    for name in ("transcript.jsonl", "transcript_full.jsonl"):
        write(folder / ".system_generated" / "logs" / name, steps)
    write(folder / "notes.md", "# Notes without a description")
    files = {file.name for file in find([folder]).files}
    assert {"task.md", "implementation_plan.md", "notes.md", "transcript_full.jsonl"} <= files
    assert "transcript.jsonl" not in files
    assert not [name for name in files if "metadata" in name or "resolved" in name]
    workspace = load_workspace([folder])
    assert (len(workspace.conversations), len(workspace.documents)) == (1, 2)


def test_a_description_without_its_artefact_is_a_file_of_its_own(tmp_path: Path) -> None:
    folder = _artefacts(tmp_path / "brain" / "c1")
    (folder / "task.md").unlink()
    workspace = load_workspace([folder])
    assert [one.id for one in workspace.documents] == ["c1/implementation_plan.md"]
    assert [Path(one.file).name for one in workspace.problems if one.unopened] == [
        "task.md.metadata.json",
        "task.md.resolved",
        "task.md.resolved.0",
    ]
