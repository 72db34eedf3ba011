"""Text of strangers in every command: no character of it commands the terminal, and JSON keeps its value."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from click.testing import Result

from inspector.assembly.policies.naive import Naive
from inspector.cli import group, window
from inspector.cli.console import Console, Table, joined, progress_on_errors, stacked, styled
from inspector.plugins import FORMAT_GROUP, POLICY_GROUP, TOKENIZER_GROUP
from inspector.settings import own_models_file, own_presets_file, own_tables_file, settings_file
from tests.servers import recorded as record

Run = Callable[..., Result]
Install = Callable[..., None]
Arguments = tuple[str, ...]

# Clear the screen, a title, a bell, markup and an emoji of rich, C1, right to left, hidden and broken lines, a formula.
NASTY = (
    "\x1b[2J\x1b]0;owned\x07[red]x[/red][link=http://127.0.0.1]y[/link][/]:smile:\x9b31m\u202e\u2066\u200b\u200f"
    "\u2028\u2029\x7f\x85\b\t\r\nprompt-inspector: all is well\ufeff\U000e0041"
)
NAME = "\x1b[2J[red]:smile:\x9b31m\u202e\u200b\u2028\x7f\t\r\n"
COMMANDS = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0001-\U000e007f]"
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names of files as POSIX has them")


@dataclass(frozen=True)
class Hostile:
    """Files of a stranger in a folder of a stranger, and servers that answer like one."""

    folder: Path
    server: str
    chat: str
    scenario: str
    broken: str


def workspace() -> dict[str, object]:
    messages: list[dict[str, object]] = [
        {"id": f"m{n}{NASTY}", "role": role, "name": NASTY, "content": f"{NASTY} On 3 May {n}"}
        for n, role in enumerate(("user", "assistant") * 3)
    ]
    messages[1] |= {"summary": NASTY, "tool_calls": [{"id": NASTY, "name": NASTY, "arguments": NASTY}]}
    memories = [{"id": f"k{n}{NASTY}", "content": NASTY, "type": NASTY, "category": NASTY} for n in range(3)]
    return {
        "format": "prompt-inspector/workspace@1",
        NASTY: 1,
        "conversations": [{"id": NASTY, "title": NASTY, "messages": messages}],
        "memory_sets": [{"id": NASTY, "title": NASTY, "memories": memories}],
        "characters": [{"id": NASTY, "name": NASTY, "system_prompt": NASTY}],
        "lorebooks": [{"id": NASTY, "title": NASTY, "entries": [{"id": NASTY, "content": NASTY, "keys": ["May"]}]}],
        "documents": [{"id": f"d{NASTY}", "title": NASTY, "content": NASTY}],
        "attachments": [{"path": f"a{NASTY}", "content": NASTY}],
        "skipped": [{"path": NASTY, "reason": NASTY}],
        "probes": [
            {"id": NASTY, "evidence": [f"m0{NASTY}", NASTY], "query": NASTY, "category": NASTY},
            {"id": f"q{NASTY}", "evidence": [f"m1{NASTY}"], "conversation": f"c{NASTY}"},
        ],
    }


def server_answers() -> dict[str, record.Answer]:
    models = [{"id": NASTY, "owned_by": "vllm", "max_model_len": 9000}]
    points = [{"id": NASTY, "payload": {"content": NASTY}}, {"id": NASTY + "2", "payload": {NASTY: 1}}]
    return {
        **record.VLLM,
        "/version": {"version": NASTY},
        "/v1/models": {"data": models},
        f"/collections/{quote(NASTY, safe='')}/points/scroll": {"result": {"points": points}},
    }


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, install: Install, private_home: Path) -> Iterator[Hostile]:
    monkeypatch.setattr(window, "has_display", lambda: False)
    picture = SimpleNamespace(content=b"", opened=())
    monkeypatch.setattr(window, "gui", lambda: SimpleNamespace(take_screenshot=lambda *_: picture))
    monkeypatch.setenv("XDG_CACHE_HOME", str(private_home / NAME))
    for group_name in (POLICY_GROUP, FORMAT_GROUP, TOKENIZER_GROUP):
        install(group_name, **{f"bad{NASTY}": f"nowhere{NAME}:nothing"})
    install(POLICY_GROUP, **{f"good{NAME}": "tests.cli.test_hostile_text:Stranger"})
    folder = tmp_path / NAME
    folder.mkdir()
    monkeypatch.chdir(folder)
    own_models_file().parent.mkdir(parents=True, exist_ok=True)
    rows = [{"name": f"n{NASTY}", "maker": NASTY, "context_window": 4096}, {"name": NASTY, "context_window": NASTY}]
    own_models_file().write_text(json.dumps(rows))
    own = {"title": NASTY, "description": NASTY}
    entries = {f"n{NAME}": own, NASTY: own, "mine": own, "bad": {NASTY: NASTY, "parameters": {NASTY: NASTY}}}
    own_presets_file().write_text(json.dumps({"ratio": entries, NASTY: {}}))
    chat, scenario, broken = (folder / f"{name}{NAME}.json" for name in ("chat", "scenario", "broken"))
    chat.write_text(json.dumps(workspace()))
    value = {"format": "prompt-inspector/scenario@1", NASTY: 1, "query": NASTY, "summaries": "extractive"}
    scenario.write_text(json.dumps({**value, "overrides": {f"m0{NASTY}": {NASTY: 1}}, "model": NASTY}))
    broken.write_text(json.dumps({NASTY: NASTY}))
    (folder / "listing").write_text(
        json.dumps({"openai": {"models": {f"o{NASTY}": {"limit": {"context": 9, "output": 9}}, NASTY: NASTY}}})
    )
    (folder / "lines").write_text(json.dumps({"name": NASTY, "workspace": workspace()}) + f'\n"{NAME}"\n[')
    with record.recorded(server_answers()) as server:
        yield Hostile(folder, server, str(chat), str(scenario), str(broken))


@dataclass(frozen=True)
class Stranger(Naive):
    __doc__ = f"A policy {NASTY}.\n\nIts second line {NASTY}."


def on_workspaces(it: Hostile, *options: str) -> Iterator[Arguments]:
    for form in ("table", "json"):
        yield (it.chat, *options, "--format", form)
        yield (it.chat, "--scenario", it.scenario, *options, "--format", form)
    yield (it.broken, *options)
    yield (f"{it.chat}{NASTY}", *options)
    yield (it.chat, "--scenario", it.broken, *options)
    yield (it.chat, f"--{NASTY}", *options)


def with_defaults(arguments: Arguments) -> Iterator[Arguments]:
    """The same under each defaults of a stranger, and without them."""
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    wrong: tuple[object, ...] = ({"model": NASTY}, {"policy": NASTY}, {NASTY: 1}, {"window": NASTY}, NASTY)
    for defaults in (*wrong, {"model": NASTY, "window": 9}):
        settings_file().write_text(json.dumps({"defaults": defaults}))
        yield arguments
        yield (*arguments, "--no-defaults")
    settings_file().unlink()


def assemble(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it)
    for option in ("policy", "preset", "tokenizer", "conversation", "character", "now", "set", "lore", "override"):
        yield (it.chat, f"--{option}", NASTY)
    yield (it.chat, "--window", "30")
    for place in (it.server, f"{NASTY}:1", NASTY):
        yield (it.chat, "--server", "vllm", "--server-context", place)
    yield (it.chat, "--policy", f"good{NAME}")
    for file in (f"saved{NAME}", f"none/{NASTY}", it.chat):
        yield (it.chat, "--save-scenario", file)
    yield from with_defaults((it.chat,))
    yield ("--jsonl", "lines")
    yield ("--jsonl", NASTY)


def explain(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it, "--item", f"m0{NASTY}")
    yield (it.chat, "--item", NAME)


def compare(it: Hostile) -> Iterator[Arguments]:
    (it.folder / "other").write_text('{"format": "prompt-inspector/scenario@1", "context_window": 60}')
    yield from on_workspaces(it, "--policies", "naive,ratio")
    yield (it.chat, "--policies", f"naive,good{NAME}")
    yield (it.chat, "--a", "other", "--b", it.scenario)
    yield (it.chat, "--a", "other", "--b", it.scenario, "--policy", "own")
    yield (it.chat, "--policies", "naive,ratio", "--differing", "--format", "csv")
    yield (it.chat, "--policies", NASTY)


def count(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it)
    yield ("-",)
    yield from with_defaults(("-",))


def tokenizers(it: Hostile) -> Iterator[Arguments]:
    yield ("--list",)
    yield ("--list", "--format", "json")
    yield from on_workspaces(it, "--with", "estimate:words")
    yield (it.chat, "--with", "estimate:words", "--window", "60", "--out", f"{NAME}.csv")
    yield (it.chat, "--with", NASTY)
    yield (it.chat, "--with", "estimate:words", "--out", f"nowhere{NAME}/file")


def sweep(it: Hostile) -> Iterator[Arguments]:
    for form in ("jsonl", "csv"):
        yield (it.chat, "--set", "at=1,2", "--format", form)
    yield (it.chat, "--set", "at=1,2", "--policy", "own")
    yield (it.chat, "--set", "at=1,2", "--reply", "7")
    yield (it.chat, "--set", "at=1,2", "--reply", NASTY)
    yield (it.chat, "--set", f"{NASTY}=1,2")
    yield (it.chat, "--set", f"at={NASTY}")
    yield (it.chat, "--set", f"policy=naive,good{NAME}")
    yield (it.chat, "--set", "at=1,2", "--out", f"nowhere{NAME}/rows.csv")
    yield (it.chat, "--set", "at=1,2", "--out", NASTY)
    yield (it.chat, "--set", "at=1,2", "--out", it.chat)
    everything = (it.folder, "--glob", "**/*", "--set", "at=1,2", "--workers", "1")
    for options in (
        (),
        ("--format", "csv"),
        ("--out", f"nowhere{NAME}/rows.csv"),
        ("--out", it.chat),
        ("--cluster", NASTY),
    ):
        yield (*map(str, everything), *options)
    for form in ("table", "csv", "json"):
        yield (*map(str, everything), "--sql", "select *, source || conversation from rows", "--format", form)
    yield (*map(str, everything), "--sql", NASTY)
    yield (str(it.folder), "--glob", NASTY, "--set", "at=1,2")
    yield (f"rows{NAME}.parquet", "--sql", "select 1")


def report(it: Hostile) -> Iterator[Arguments]:
    yield (str(it.folder), "--workers", "1", "--out", str(it.folder / f"report{NAME}.html"))
    yield (str(it.folder), "--workers", "1", "--out", f"nowhere{NAME}/report.html")
    yield (str(it.folder), "--glob", NASTY, "--out", "report.html")
    for ending in ("html", "svg", "ollama.json", NASTY):
        yield (it.chat, "--prompt", "--out", str(it.folder / f"report{NAME}.{ending}"))
    yield (it.chat, "--prompt", "--policy", "own", "--out", str(it.folder / f"report{NAME}.html"))
    yield (it.chat, "--redact", "--baseline", it.scenario, "--out", str(it.folder / f"report{NAME}.html"))


def check(it: Hostile) -> Iterator[Arguments]:
    yield (it.scenario, it.chat, "--max-overflow", "0")
    plain = it.folder / f"plain{NAME}.scenario.json"
    plain.write_text('{"format": "prompt-inspector/scenario@1"}')
    yield (str(plain), it.chat, "--max-overflow", "100000")
    yield (str(plain), it.chat, "--max-overflow", "0")
    yield (it.scenario, it.chat, "--probes", it.broken, "--min-recall", "1")
    yield (it.scenario, it.chat, "--min-answer-words", NASTY)
    yield (it.scenario, it.chat, "--max-overflow", "0", "--reply", NASTY)
    yield (f"nowhere{NAME}", it.chat, "--max-overflow", "0")


def models(it: Hostile) -> Iterator[Arguments]:
    yield ()
    yield ("--format", "json")
    yield ("n",)
    yield (NASTY,)
    yield ("--import", "listing", "--dry-run")
    yield ("--import", it.broken)
    yield ("--import", NASTY)
    own_models_file().unlink()
    yield ("--import", "listing", "--dry-run")
    yield ("--import", "listing")


def policies(it: Hostile) -> Iterator[Arguments]:
    yield ()
    yield ("--format", "json")
    yield (f"good{NAME}",)
    yield (NASTY,)
    yield ("ratio", "--preset", NASTY)


def import_memories(it: Hostile) -> Iterator[Arguments]:
    yield (it.server, NASTY, f"memories{NAME}.yaml")
    yield (it.server, f"no{NASTY}", f"other{NAME}.yaml")
    yield (NASTY, NASTY, f"other{NAME}.yaml")
    yield (it.server, NASTY, it.chat)
    yield (it.server, NASTY, f"nowhere{NAME}/other.yaml")


def servers(it: Hostile) -> Iterator[Arguments]:
    for form in ("table", "json"):
        yield (it.server, "--format", form)
        yield (it.server, "--count", it.chat, "--format", form)
    yield (it.server, "--count", it.broken)
    yield (it.server, "--count", "-", "--model", NASTY)
    yield (it.server, "--count", "-", "--model", "another")
    yield (NASTY,)


def refused_recording(it: Hostile) -> Iterator[Arguments]:
    """One that is not refused listens until it is ended."""
    yield ("--help",)
    yield ("--to", NASTY)
    yield ("--to", it.server, "--listen", NASTY)
    yield ("--to", it.server, "--listen", "127.0.0.1:0", "--out", f"nowhere{NAME}/recorded.jsonl")


def recorded_requests(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it)
    call = {"id": NASTY, "type": "function", "function": {"name": NASTY, "arguments": NASTY}}
    messages = [{"role": role, "name": NASTY, "content": NASTY} for role in ("system", "user")]
    answer = {"role": "assistant", "content": NASTY, "tool_calls": [call]}
    tools = [{"type": "function", "function": {"name": f"{NASTY}{n}", "description": NASTY}} for n in range(2)]
    request = {"model": NASTY, "messages": messages, "tools": tools}
    record = {"time": NASTY, "path": "/v1/chat/completions", "request": request, "usage": None, "seconds": NASTY}
    file = it.folder / f"recorded{NAME}.jsonl"
    answers = [{"choices": [{"message": answer}]}, {"error": {"message": NASTY}}]
    lines = [{**record, "response": one, "status": status} for one, status in zip(answers, (200, 500), strict=True)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    yield (str(file),)
    yield (str(file), "--format", "json")
    yield (str(file), "--format", "csv", "--policy", "reserve", "--window", "500")


def listing(it: Hostile) -> Iterator[Arguments]:
    yield ()
    yield ("--format", "json")
    yield (f"--{NASTY}",)


def columns(it: Hostile) -> Iterator[Arguments]:
    table = it.folder / f"table{NAME}.csv"
    flat = re.sub(r"[\r\n]", "", NASTY).replace(",", "")
    table.write_text(f"Nr,{NAME.strip()},Wort\n1,{flat},a\n2,{flat},b\n", "utf-8")
    yield ()
    yield (str(table),)
    yield (str(table), "--format", "json")
    yield (str(table), f"text={NASTY}", "speaker=Wort")
    yield (str(table), f"{NASTY}=Wort")
    yield (str(table), "text=Wort", "speaker=Nr")
    yield (it.chat, "text=a", "speaker=b")
    own_tables_file().write_text(json.dumps([{"text": NASTY, "speaker": "b"}, {NASTY: NASTY}]), "utf-8")
    yield ()
    yield ("--format", "json")


def presets(it: Hostile) -> Iterator[Arguments]:
    yield from listing(it)
    yield ("--policy", NASTY)
    yield ("--save", NASTY)
    yield ("--save", "x", "--preset", NASTY)
    yield ("--save", "x", "--scenario", it.scenario)
    yield ("--save", "mine", "--set", f"{NASTY}=1")
    yield ("--remove", NASTY, "--policy", NASTY)
    own_presets_file().write_text(f"{NAME}: [")
    yield ("--save", "x")


def survival(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it, "--parameter", "history_share")
    yield (it.chat, "--parameter", "history_share", "--format", "csv")
    yield (it.chat, "--parameter", NASTY)
    yield (it.chat, "--parameter", "history_share", "--locked", NASTY)
    yield (it.chat, "--parameter", "model_sizes", "--plot", NASTY)
    yield (it.chat, "--parameter", "model_sizes", "--plot", str(it.folder / f"map{NAME}.svg"))


def replay(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it)
    yield (it.chat, "--policies", f"naive,{NASTY}")
    yield (it.chat, "--plot", str(it.folder / f"turns{NAME}.csv"))
    yield (it.chat, "--format", "csv")
    yield (it.chat, "--items")
    yield (it.chat, "--items", "--format", "csv")
    yield (it.chat, "--probes", it.chat)
    yield (it.chat, "--probes", f"nowhere{NAME}")


def timeline(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it)
    yield (it.chat, "--format", "csv")
    yield (it.chat, "--plot", str(it.folder / f"line{NAME}.svg"))


def export(it: Hostile) -> Iterator[Arguments]:
    for layout in ("openai", "native", NASTY):
        yield (it.chat, "--as", layout, "--out", str(it.folder / f"out{NAME}.json"))
        yield (it.chat, "--as", layout)
    yield (it.broken, "--as", "openai")
    yield (it.chat, "--as", "openai", "--out", it.chat)


def snippet(it: Hostile) -> Iterator[Arguments]:
    yield (it.chat, "--for", "ollama", "--policy", "own")
    for system in ("langchain", "ollama", "chorus", NASTY):
        yield (it.chat, "--for", system)
        yield (it.chat, "--scenario", it.scenario, "--for", system)


def recall(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it)
    yield (it.chat, "--probes", it.chat)
    yield (it.chat, "--probes", it.broken)
    yield (it.chat, "--probes", f"nowhere{NAME}")
    asked = it.folder / "asked.json"
    evidence = {"conversation": NASTY, "evidence": [f"m0{NASTY}"], "query": NASTY}
    probes = [{"id": f"{n}{NASTY}", "category": f"{n}{NASTY}", **evidence} for n in range(2)]
    asked.write_text(json.dumps({"format": "prompt-inspector/probes@1", "probes": probes}))
    yield (it.chat, "--probes", str(asked))
    yield (it.chat, "--probes", str(asked), "--format", "csv")


def recall_and_knobs(it: Hostile) -> Iterator[Arguments]:
    yield from recall(it)
    asked = str(it.folder / "asked.json")
    yield (it.chat, "--probes", asked, "--knob", NASTY)
    yield (it.chat, "--probes", asked, "--knob", "context_window", "--policies", NASTY)
    yield (it.chat, "--probes", asked, "--knob", "context_window", "--plot", str(it.folder / f"knob{NAME}.svg"))


def recommend(it: Hostile) -> Iterator[Arguments]:
    for arguments in recall(it):
        yield (*arguments, "--windows", "900", "--workers", "1")
        yield (*arguments, "--windows", "900", "--workers", "1", "--policy", "own")
    yield (it.chat, "--probes", str(it.folder / "asked.json"), "--categories", "--windows", "900", "--workers", "1")
    yield (str(it.folder), "--glob", "**/*", "--windows", "900", "--workers", "1")
    yield (str(it.folder), "--glob", NASTY)


def search(it: Hostile) -> Iterator[Arguments]:
    yield (NASTY, it.chat)
    yield ("w", it.chat)
    yield ("w", it.chat, "--format", "json")
    yield ("w", it.broken)
    yield ("w", NASTY)


def cache(it: Hostile) -> Iterator[Arguments]:
    yield from listing(it)
    yield ("--clear",)


def opened(it: Hostile) -> Iterator[Arguments]:
    yield (it.chat,)
    yield (it.chat, "--scenario", it.scenario)
    yield (it.chat, "--screenshot", f"nowhere{NAME}/x.png")
    yield (it.chat, "--size", NASTY)
    yield (it.broken,)
    yield (NASTY,)


def tokens(it: Hostile) -> Iterator[Arguments]:
    for item in ("m0", f"m0{NASTY}", NASTY):
        for answer_format in ("table", "json", "csv"):
            yield (it.chat, "--item", item, "--tokenizer", "embedded:o200k_base", "--format", answer_format)
    yield (it.broken, "--item", NASTY)


def conversations(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it)
    yield (it.chat, "--format", "csv")
    yield (it.chat, "--find", NASTY)
    yield (it.chat, "--sort", "title", "--memories", NASTY)


def memories(it: Hostile) -> Iterator[Arguments]:
    yield from on_workspaces(it)
    yield from ((*asked, option) for asked in recall(it) for option in ("--use", "--written", "--places"))


RUNS: dict[str, Callable[[Hostile], Iterator[Arguments]]] = {
    "assemble": assemble,
    "explain": explain,
    "compare": compare,
    "count": count,
    "tokens": tokens,
    "tokenizers": tokenizers,
    "fidelity": on_workspaces,
    "memories": memories,
    "sweep": sweep,
    "report": report,
    "check": check,
    "models": models,
    "policies": policies,
    "import-memories": import_memories,
    "servers": servers,
    "record": refused_recording,
    "formats": listing,
    "columns": columns,
    "presets": presets,
    "findings": listing,
    "recall": recall_and_knobs,
    "recommend": recommend,
    "survival": survival,
    "replay": replay,
    "requests": recorded_requests,
    "waste": recorded_requests,
    "timeline": timeline,
    "export": export,
    "snippet": snippet,
    "conversations": conversations,
    "search": search,
    "cache": cache,
    "window": opened,
}


def test_every_command_is_tried() -> None:
    assert set(RUNS) == {*group.list_commands(group.make_context("x", ["--help"], resilient_parsing=True)), "window"}


@pytest.mark.parametrize("command", RUNS)
def test_no_command_reaches_the_terminal(run: Run, hostile: Hostile, command: str) -> None:
    codes: set[int] = set()
    for arguments in RUNS[command](hostile):
        result = run(*(() if command == "window" else (command,)), *arguments, stdin=NASTY)
        codes.add(result.exit_code)
        for said in (result.stdout, result.stderr):
            assert not COMMANDS.search(said), arguments
            assert "😄" not in said, arguments
            assert "prompt-inspector: all is well\n" not in said, arguments
        if "json" in arguments and result.exit_code == 0:
            json.loads(result.stdout)
    assert 0 in codes, "at least one of them answers"


def test_what_is_said_is_there_to_be_read(run: Run, hostile: Hostile) -> None:
    table = run("explain", hostile.chat, "--item", f"m0{NASTY}").stdout
    for part in ("⟦U+001B⟧[2J⟦U+001B⟧]0;owned⟦U+0007⟧", "[red]x[/red]", "y[/link][/]:smile:⟦U+009B⟧31m⟦RLO⟧"):
        assert part in table


def test_json_is_equal_in_value(run: Run, hostile: Hostile) -> None:
    value = json.loads(run("count", hostile.chat, "--format", "json").stdout)
    assert f"m0{NASTY}" in {item["id"] for item in value["items"]}


def test_a_name_that_is_no_utf8_is_shown(run: Run, tmp_path: Path) -> None:
    try:
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/chat\xff.json"))
        path.write_text('[{"role": "user", "content": "hello"}]')
    except OSError:
        pytest.skip("this file system has no such names")
    result = run("sweep", str(path), "--set", "at=1", "--tokenizer", "estimate:words")
    assert json.loads(result.stdout)["source"] == str(path).replace("\udcff", "\ufffd")
    assert "\ufffd" in run("sweep", str(path), "--set", "at=1", "--format", "csv").stdout
    assert "⟦U+DCFF⟧" in run("assemble", f"{path}x").stderr


def test_tables_lines_and_progress_show_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    console, table = Console(), Table((NASTY, ""), (NASTY, ">"))
    table.add_row(NASTY, styled(NASTY, "red"), style="bold")
    for what in (table, NASTY, stacked([NASTY, NASTY]), joined(NASTY, styled(NASTY, "red"))):
        console.print(what)
    with progress_on_errors(NASTY, 1) as advance:
        advance(1, 2, NASTY)
    said = capsys.readouterr()
    assert not COMMANDS.search(said.out + said.err)
    assert "[red]x[/red]" in said.out
    assert ":smile:" in said.out


def test_an_error_of_the_program_is_no_command_either(capsys: pytest.CaptureFixture[str]) -> None:
    from inspector import cli

    try:
        raise KeyError(NASTY, "\ud800")
    except KeyError as error:
        cli._report_uncaught(type(error), error, error.__traceback__)
    said = capsys.readouterr().err
    assert said.startswith("Traceback")
    assert not COMMANDS.search(said)
