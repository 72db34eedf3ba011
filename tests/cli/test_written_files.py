"""What commands write: never over a file that was read, whole or not at all, and rows so far are not lost."""

import csv
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import Result

from inspector.analysis.sweep import row_files
from inspector.cli import sweep as sweep_command
from inspector.settings import own_models_file, own_presets_file, settings_file

Run = Callable[..., Result]
GRID = ("--set", "at=1,2,3", "--tokenizer", "estimate:words")


def assert_refused(result: Result, file: Path, before: bytes) -> None:
    assert result.exit_code == 2
    assert "is one of the opened files" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert file.read_bytes() == before


def itself(file: Path, _: Path) -> Path:
    return file


def hard_link(file: Path, name: Path) -> Path:
    os.link(file, name)
    return name


def symbolic_link(file: Path, name: Path) -> Path:
    name.symlink_to(file)
    return name


@pytest.fixture(params=[itself, hard_link, symbolic_link])
def chat(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A chat whose name rows may have, and another name of it."""
    file = tmp_path / "chat.jsonl"
    lines = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi there"}]
    file.write_text("\n".join(map(json.dumps, lines)))
    return file, request.param(file, tmp_path / "other.jsonl")


@pytest.mark.parametrize("opened", ["the file", "its folder"])
@pytest.mark.parametrize("command", ["sweep", "tokenizers"])
def test_the_opened_chat_stays(run: Run, chat: tuple[Path, Path], command: str, opened: str) -> None:
    file, name = chat
    before = file.read_bytes()
    options = {"sweep": GRID, "tokenizers": ("--with", "estimate:words")}[command]
    path = file if opened == "the file" else file.parent
    assert_refused(run(command, str(path), *options, "--out", str(name)), file, before)


def scenario(folder: Path) -> tuple[str, ...]:
    file = folder / "read.jsonl"
    file.write_text('{"format": "prompt-inspector/scenario@1"}')
    return ("--scenario", str(file))


def tokenizer_file(folder: Path) -> tuple[str, ...]:
    (folder / "read.jsonl").write_text("no GGUF")
    return ("--tokenizer", f"gguf:{folder / 'read.jsonl'}")


def tokenizer_folder(folder: Path) -> tuple[str, ...]:
    (folder / "read.jsonl").write_text("no tokenizer")
    return ("--tokenizer", f"hf:{folder}")


def tokenizer_of_the_grid(folder: Path) -> tuple[str, ...]:
    (folder / "read.jsonl").write_text("no GGUF")
    return ("--set", f"tokenizer=estimate:words,gguf:{folder / 'read.jsonl'}")


def embedding_folder(folder: Path) -> tuple[str, ...]:
    (folder / "read.jsonl").write_text("no embedding")
    return ("--embedding", f"hf:{folder}")


def own_models(folder: Path) -> tuple[str, ...]:
    own_models_file().parent.mkdir(parents=True)
    (folder / "read.jsonl").write_text("[]")
    own_models_file().symlink_to(folder / "read.jsonl")
    return ()


def own_presets(folder: Path) -> tuple[str, ...]:
    own_presets_file().parent.mkdir(parents=True)
    (folder / "read.jsonl").write_text("{}")
    own_presets_file().symlink_to(folder / "read.jsonl")
    return ()


def tokenizer_of_a_preset(folder: Path) -> tuple[str, ...]:
    own_presets_file().parent.mkdir(parents=True)
    (folder / "read.jsonl").write_text("no GGUF")
    own_presets_file().write_text(f"ratio: {{mine: {{tokenizer: 'gguf:{folder / 'read.jsonl'}'}}}}")
    return ("--preset", "mine")


def own_settings(folder: Path) -> tuple[str, ...]:
    settings_file().parent.mkdir(parents=True)
    (folder / "read.jsonl").write_text("{}")
    settings_file().symlink_to(folder / "read.jsonl")
    return ()


@pytest.mark.parametrize(
    "options",
    [
        *(scenario, tokenizer_file, tokenizer_folder, tokenizer_of_the_grid, embedding_folder, own_models),
        *(own_settings, own_presets, tokenizer_of_a_preset),
    ],
)
def test_what_was_read_beside_the_chat_stays(
    run: Run, workspace_file: str, tmp_path: Path, options: Callable[[Path], tuple[str, ...]]
) -> None:
    folder = tmp_path / "beside"
    folder.mkdir()
    given = options(folder)
    file = folder / "read.jsonl"
    assert_refused(run("sweep", workspace_file, *given, "--set", "at=1,2", "--out", str(file)), file, file.read_bytes())


def test_a_tokenizer_to_compare_with_stays(run: Run, workspace_file: str, tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_text("no GGUF")
    result = run("tokenizers", workspace_file, "--with", f"estimate:words,gguf:{file}", "--out", str(file))
    assert result.exit_code == 2
    assert file.read_text() == "no GGUF"


def test_a_listing_of_models_stays(run: Run, tmp_path: Path) -> None:
    own = own_models_file()
    own.parent.mkdir(parents=True)
    listing = own.with_name("models.yaml.before")
    model = {"limit": {"context": 4_000_000, "output": 100_000}}
    listing.write_text(json.dumps({"openai": {"models": {"gpt-99": model}}}))
    own.write_text("[]\n")
    before = listing.read_bytes()
    assert_refused(run("models", "--import", str(listing)), listing, before)
    assert own.read_text() == "[]\n"


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv"])
def test_rows_are_written_whole_and_a_file_that_nobody_opened_is_replaced(
    run: Run, workspace_file: str, tmp_path: Path, name: str
) -> None:
    out = tmp_path / "out" / name
    out.parent.mkdir()
    out.write_text("old")
    assert run("sweep", workspace_file, *GRID, "--out", str(out)).exit_code == 0
    lines = out.read_text().splitlines()
    rows = list(csv.DictReader(lines)) if name.endswith("csv") else [json.loads(line) for line in lines]
    assert [int(row["at"]) for row in rows] == [1, 2, 3]
    assert os.listdir(out.parent) == [name]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("command", ["sweep", "tokenizers"])
def test_a_full_disk_is_one_line(run: Run, workspace_file: str, tmp_path: Path, command: str) -> None:
    options = {"sweep": GRID, "tokenizers": ("--with", "estimate:words")}[command]
    full = tmp_path / "full.csv"
    full.symlink_to("/dev/full")
    result = run(command, workspace_file, *options, "--out", str(full))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {full}: cannot be written: No space left on device\n"


# Rows so far


@pytest.fixture
def slow_rows(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[int], None]], None]:
    """Rows of a sweep that takes long; what is given is called with the number of each before it is made."""

    def install(before_row: Callable[[int], None]) -> None:
        def rows(*_: object, **__: object) -> Iterator[Mapping[str, Any]]:
            for number in range(1, 6):
                before_row(number)
                yield {"number": number}

        monkeypatch.setattr(sweep_command, "sweep_rows", rows)

    return install


def interrupt(name: str, at: int) -> Callable[[int], None]:
    return lambda number: os.kill(os.getpid(), getattr(signal, name)) if number == at else None


def numbers(file: Path) -> list[int]:
    if file.suffix == ".csv":
        return [int(row["number"]) for row in csv.DictReader(file.read_text().splitlines())]
    return [json.loads(line)["number"] for line in file.read_text().splitlines()]


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_of_an_interrupted_sweep_the_rows_so_far_are_kept_beside_the_file(
    run: Run, workspace_file: str, tmp_path: Path, slow_rows: Callable[..., None], name: str, ending: str
) -> None:
    out, aside = tmp_path / "out" / f"rows{ending}", tmp_path / "out" / f"rows.interrupted{ending}"
    out.parent.mkdir()
    out.write_text("a whole sweep")
    before = signal.getsignal(getattr(signal, name))
    slow_rows(interrupt(name, at=3))
    result = run("sweep", workspace_file, *GRID, "--out", str(out))
    assert result.exit_code == 128 + getattr(signal, name)
    assert result.stderr == f"prompt-inspector: the rows so far are in {aside}\nError: interrupted\n"
    assert numbers(aside) == [1, 2, 3], "the row of then is made to its end"
    assert out.read_text() == "a whole sweep"
    assert sorted(os.listdir(out.parent)) == sorted([out.name, aside.name])
    assert signal.getsignal(getattr(signal, name)) == before


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_before_the_first_row_it_ends_at_once_and_leaves_nothing(
    run: Run, workspace_file: str, tmp_path: Path, slow_rows: Callable[..., None]
) -> None:
    slow_rows(interrupt("SIGINT", at=1))
    out = tmp_path / "out" / "rows.csv"
    out.parent.mkdir()
    result = run("sweep", workspace_file, *GRID, "--out", str(out))
    assert (result.exit_code, result.stderr) == (130, "Error: interrupted\n")
    assert os.listdir(out.parent) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_who_asks_twice_does_not_wait_for_the_row(
    run: Run, workspace_file: str, tmp_path: Path, slow_rows: Callable[..., None]
) -> None:
    reached: list[int] = []

    def before_row(number: int) -> None:
        if number == 3:
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
        reached.append(number)

    slow_rows(before_row)
    out = tmp_path / "rows.csv"
    assert run("sweep", workspace_file, *GRID, "--out", str(out)).exit_code == 130
    assert reached == [1, 2]
    assert numbers(tmp_path / "rows.interrupted.csv") == [1, 2]


def test_earlier_rows_of_an_interrupted_sweep_stay(
    run: Run, workspace_file: str, tmp_path: Path, slow_rows: Callable[..., None]
) -> None:
    earlier, later = tmp_path / "rows.interrupted.csv", tmp_path / "rows.interrupted-2.csv"
    earlier.write_text("an hour of rows")

    def fail(number: int) -> None:
        if number == 3:
            raise ValueError("a defect of the program")

    slow_rows(fail)
    with pytest.raises(ValueError, match="a defect"):
        run("sweep", workspace_file, *GRID, "--out", str(tmp_path / "rows.csv"))
    assert earlier.read_text() == "an hour of rows"
    assert numbers(later) == [1, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_rows_so_far_are_beside_the_file_that_a_link_stands_for(
    run: Run, workspace_file: str, tmp_path: Path, slow_rows: Callable[..., None]
) -> None:
    (tmp_path / "out").mkdir()
    link = tmp_path / "link.csv"
    link.symlink_to("out/rows.csv")
    slow_rows(interrupt("SIGINT", at=2))
    assert run("sweep", workspace_file, *GRID, "--out", str(link)).exit_code == 130
    assert numbers(tmp_path / "out" / "rows.interrupted.csv") == [1, 2]


@pytest.fixture
def pretended_parquet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package that writes Parquet, as if it were installed; its tables are JSON."""
    pyarrow, parquet = ModuleType("pyarrow"), ModuleType("pyarrow.parquet")
    pyarrow.__spec__ = ModuleSpec("pyarrow", None)
    pyarrow.Table = type("Table", (), {"from_pylist": staticmethod(list)})  # type: ignore[attr-defined]
    parquet.write_table = lambda table, file: file.write(json.dumps(table).encode())  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyarrow", pyarrow)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", parquet)


def test_parquet_is_written_whole_and_keeps_rows_too(
    run: Run, workspace_file: str, tmp_path: Path, slow_rows: Callable[..., None], pretended_parquet: None
) -> None:
    row_files.check_parquet()
    out = tmp_path / "rows.parquet"
    slow_rows(lambda _: None)
    assert run("sweep", workspace_file, *GRID, "--out", str(out)).exit_code == 0
    assert json.loads(out.read_text()) == [{"number": number} for number in range(1, 6)]
    slow_rows(interrupt("SIGINT", at=2))
    assert run("sweep", workspace_file, *GRID, "--out", str(out)).exit_code == 130
    assert len(json.loads(out.read_text())) == 5
    assert json.loads((tmp_path / "rows.interrupted.parquet").read_text()) == [{"number": 1}, {"number": 2}]


def test_help_says_what_becomes_of_the_rows(run: Run) -> None:
    assert "NAME.interrupted.csv" in " ".join(run("sweep", "--help").stdout.split())
