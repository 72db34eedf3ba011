"""Files packed as a whole: gzip and Zstandard, opened as what they hold; damaged ones, bombs, and what is missing."""

import gzip
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.extras import install_command
from inspector.formats import load_workspace, look
from inspector.model import Workspace
from inspector.reading import zip
from tests.reading.zips import zipped

Pack = Callable[[bytes], bytes]

CHAT = json.dumps([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]).encode()


def zstd(data: bytes) -> bytes:
    arrow = pytest.importorskip("pyarrow")
    return arrow.compress(data, "zstd", asbytes=True)


def opened(tmp_path: Path, data: bytes, name: str = "chat.json.zst") -> Workspace:
    (tmp_path / name).write_bytes(data)
    return load_workspace([tmp_path / name])


def only_problem(workspace: Workspace) -> str:
    assert workspace.sources == ()
    (problem,) = workspace.problems
    return problem.message


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_packed_chat_opens_under_its_own_name(tmp_path: Path, pack: Pack) -> None:
    workspace = opened(tmp_path, pack(CHAT))
    assert [len(chat.messages) for chat in workspace.conversations] == [2]
    assert [source.path for source in workspace.sources] == [str(tmp_path / "chat.json.zst")]
    assert workspace.problems == ()
    (found,) = look([tmp_path])
    assert found.candidates[0].format.name == "openai"


def test_packed_files_in_archives_and_several_frames_are_read(tmp_path: Path) -> None:
    lines = [json.dumps({"role": role, "content": "x"}).encode() + b"\n" for role in ("user", "assistant")]
    workspace = opened(tmp_path, zipped({"chat.jsonl.gz": b"".join(map(gzip.compress, lines))}), "chats.zip")
    assert [len(chat.messages) for chat in workspace.conversations] == [2]
    workspace = opened(tmp_path, b"".join(map(zstd, lines)), "chat.jsonl.zst")
    assert [len(chat.messages) for chat in workspace.conversations] == [2]


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_what_is_cut_off_or_damaged_is_a_problem(tmp_path: Path, pack: Pack) -> None:
    whole = pack(CHAT * 50)
    for data in (whole[: len(whole) // 2], whole[:5], whole[:12] + b"\xff" * 20 + whole[32:]):
        assert only_problem(opened(tmp_path, data))


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_bomb_is_not_unpacked(tmp_path: Path, pack: Pack) -> None:
    assert "as no chat does" in only_problem(opened(tmp_path, pack(b" " * 50_000_000)))


def test_what_is_packed_over_and_over_comes_to_an_end(tmp_path: Path) -> None:
    data = CHAT
    for _ in range(12):
        data = gzip.compress(data)
    assert "8 times over" in only_problem(opened(tmp_path, data))
    assert [found.candidates for found in look([tmp_path])] == [()]


def test_without_a_library_for_zstandard_it_says_which_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = zstd(CHAT)
    find = importlib.util.find_spec
    absent = ("compression", "pyarrow")
    monkeypatch.setattr(zip, "find_spec", lambda name: None if name in absent else find(name))
    assert f"needs Python 3.14, or pyarrow: {install_command('archives')}" in only_problem(opened(tmp_path, data))
