"""Targets: the command line inside this process: 0, 1 or 2, one line for what went wrong, and nothing that commands a
terminal."""

import os
import re
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from inspector.cli import group
from inspector.formats import load_file
from tests.fuzz.documents import WORKSPACE
from tests.fuzz.made import as_json, as_lines
from tests.fuzz.outcome import BrokenPromiseError, Input
from tests.fuzz.seeds import OTHER, files_by_format
from tests.fuzz.target import Target
from tests.fuzz.targets.own_files import TARGETS as OWN_FILES
from tests.fuzz.targets.using import chooser

# What a terminal obeys, and what turns the direction of a line. Rich pads and breaks its lines itself.
_COMMANDING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LINE = re.compile(r"(?:prompt-inspector: |Error: |Traceback)")
_LONGEST = 30_000
_MOST_LINES = 60

_COMMANDS: tuple[tuple[str, ...], ...] = (
    *(
        ("assemble",),
        ("assemble", "--format", "json"),
        ("assemble", "--strict", "--policy", "ratio", "--window", "400"),
    ),
    *(("assemble", "--summaries", "extractive", "--classify", "rules"), ("assemble", "--at", "1", "--draft", "x")),
    *(("count",), ("count", "--format", "json"), ("memories",), ("memories", "--format", "json"), ("explain",)),
    *(("explain", "--format", "json"), ("fidelity",), ("fidelity", "--summaries", "extractive", "--format", "json")),
    *(
        ("compare", "--policies", "naive,ratio,adaptive"),
        ("compare", "--policies", "reserve,naive", "--format", "json"),
    ),
    *(
        ("compare", "--policies", "all", "--differing", "--format", "csv"),
        ("timeline",),
        ("timeline", "--format", "json"),
        ("replay", "--items"),
    ),
    *(("conversations",), ("conversations", "--sort", "prompt", "--format", "csv")),
    *(("tokenizers", "--with", "estimate:words,estimate:ibex"), ("tokenizers", "--with", "all", "--format", "json")),
    *(("sweep", "--set", "context_window=100:900:400"), ("sweep", "--set", "memory_share=0.1,0.5", "--format", "csv")),
)
_WORDS = ("--tokenizer", "estimate:words")


def run_on_file(file: Path, scratch: Path) -> None:
    """Run a command on a file that is to be opened."""
    command, *options = chooser(file.read_bytes()).choice(_COMMANDS)
    item = (f"--item={_some_item(file)}",) if command == "explain" else ()
    _run(scratch, command, str(file), *options, *item, *_WORDS)


def _some_item(file: Path) -> str:
    """The id of the first thing in a file."""
    workspace = load_file(file)
    messages = [message.id for talk in workspace.conversations for message in talk.messages]
    memories = [memory.id for kept in workspace.memory_sets for memory in kept.memories]
    return next(iter((*messages, *memories)), "m0")


def run_with_scenario(file: Path, scratch: Path) -> None:
    """Run a command with a scenario that may be anything."""
    chat = scratch / "chat.workspace.json"
    chat.write_bytes(as_json(WORKSPACE))
    command, *options = chooser(file.read_bytes()).choice(_COMMANDS)
    if command == "compare":
        _run(scratch, command, str(chat), "--a", str(file), "--b", str(file))
    else:
        item = ("--item=m0",) if command == "explain" else ()
        _run(scratch, command, str(chat), *options, *item, "--scenario", str(file))


def run_on_lines(file: Path, scratch: Path) -> None:
    """Answer lines of workspaces and scenarios; each is an assembly, so only some of them."""
    lines = scratch / "some.jsonl"
    lines.write_bytes(b"\n".join(file.read_bytes().split(b"\n")[:_MOST_LINES]))
    _run(scratch, "assemble", "--jsonl", str(lines))


def run_with_models(file: Path, scratch: Path) -> None:
    """List models with own rows that may be anything, and import a listing that may be."""
    rng = chooser(file.read_bytes())
    own = Path(os.environ["XDG_CONFIG_HOME"], "prompt-inspector", "models.yaml")
    own.parent.mkdir(parents=True, exist_ok=True)
    try:
        if rng.random() < 0.7:
            own.write_bytes(file.read_bytes())
            _run(scratch, "models", *rng.choice(((), ("gpt",), ("--maker", "openai"), ("--format", "json"))))
        else:
            _run(scratch, "models", "--import", str(file), *rng.choice((("--dry-run",), ())))
    finally:
        for left in own.parent.iterdir():
            left.unlink()


def _run(scratch: Path, *arguments: str) -> None:
    with chdir(scratch):
        result = CliRunner().invoke(group, list(arguments), prog_name="prompt-inspector")
    problem = result.exception
    if problem is not None and not isinstance(problem, SystemExit):
        raise problem.with_traceback(result.exc_info[2] if result.exc_info else None)
    said = f"{' '.join(arguments)}\n{result.stderr[:2_000]}"
    if result.exit_code not in (0, 1, 2):
        raise BrokenPromiseError(f"exit code {result.exit_code}", said)
    lines = [line for line in result.stderr.split("\n") if line]
    for line in lines:
        if not _LINE.match(line):
            raise BrokenPromiseError("a line on standard error says not who speaks", f"{line!r:.500}\n{said}")
    if result.exit_code == 2 and sum(line.startswith("Error: ") for line in lines) != 1:
        raise BrokenPromiseError("not one line for what went wrong", said)
    if "json" in arguments or "--jsonl" in arguments:
        return
    for text in (result.stdout, result.stderr):
        if found := _COMMANDING.search(text):
            around = text[max(0, found.start() - 60) : found.end() + 60]
            raise BrokenPromiseError("something that commands a terminal", f"{around!r}\n{said}")


def _file_seeds() -> tuple[Input, ...]:
    """A few small files of every format."""
    by_format = {kind: files for kind, files in files_by_format().items() if kind != OTHER}
    return tuple(file for files in by_format.values() for file in files if len(file.data) <= _LONGEST)


def _line_seeds() -> tuple[Input, ...]:
    case = {"name": "a", "workspace": WORKSPACE, "scenario": {"tokenizer": "estimate:words", "context_window": 300}}
    return (Input("cases.jsonl", as_lines([case, {"name": "b"}, {**case, "scenario": {"policy": "naive"}}])),)


_SEEDS = {target.name: target.seeds for target in OWN_FILES}
TARGETS = (
    Target("command/file", _file_seeds, run_on_file, patience=2),
    Target("command/scenario", _SEEDS["scenario"], run_with_scenario, patience=2),
    Target("command/lines", _line_seeds, run_on_lines),
    Target("command/models", lambda: (*_SEEDS["models"](), *_SEEDS["listing"]()), run_with_models),
)
