"""`--plot FILE` of commands: a picture or its table, and what it is not written over."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result

from inspector.reading.png import SIGNATURE

Run = Callable[..., Result]
OPTIONS = ("--conversation", "c1", "--tokenizer", "estimate:words", "--window", "60", "--similarity", "recorded")
COMMANDS = {
    "survival": ("--parameter", "history_share", *OPTIONS),
    "replay": OPTIONS,
    "timeline": OPTIONS,
    "recall": OPTIONS,
    "recommend": ("--windows", "60", "--workers", "1", "--policies", "ratio", "--reply", "5", *OPTIONS[:4]),
    "recall --knob": ("--knob", "context_window", "--policies", "ratio,slots", *OPTIONS),
    "recall --knob --knob": ("--knob", "context-window", "--knob", "history_share", *OPTIONS),
}
COMMANDS["recommend --categories"] = ("--categories", *COMMANDS["recommend"])
COLUMNS = {
    "survival": "item,parameter,from,to,action,exact",
    "replay": "policy,turn,time,sent",
    "timeline": "number,item,time,role,tokens,estimated,spent,action,sum",
    "recall": "category,probes,recall",
    "recommend": "context_window,kind,tokens,cost,cost_cached,recall,recall_with_memories,fits,setting",
    "recall --knob": "policy,context_window,recall,low,high",
    "recall --knob --knob": "policy,context_window,history_share,recall,low,high",
    "recommend --categories": "context_window,category,questions,now,now_whole,then,then_whole,gain,lost_not_cited",
}


@pytest.fixture
def arguments(workspace_file: str, tmp_path: Path) -> Callable[[str], tuple[str, ...]]:
    """A command with its files and options; probes are those of a file of their own."""
    probes = tmp_path / "probes.jsonl"
    asked = [{"id": "q", "evidence": ["m9"], "category": "late"}, {"id": "p", "evidence": ["m0"], "category": "early"}]
    probes.write_text("\n".join(map(json.dumps, asked)))
    named = ("--probes", str(probes))

    def of(name: str) -> tuple[str, ...]:
        command = name.split()[0]
        return command, workspace_file, *COMMANDS[name], *(named if command in ("recall", "recommend") else ())

    return of


@pytest.mark.parametrize("name", COMMANDS)
def test_the_plot_is_a_drawing_or_a_table(
    run: Run, arguments: Callable[[str], tuple[str, ...]], tmp_path: Path, name: str
) -> None:
    drawing, table = tmp_path / "plot.svg", tmp_path / "plot.CSV"
    said = run(*arguments(name), "--plot", str(drawing))
    assert said.exit_code == 0, said.stderr
    assert (said.stdout, said.stderr) == ("", f"prompt-inspector: wrote the plot to {drawing}\n")
    assert ElementTree.fromstring(drawing.read_text()).tag.endswith("svg")
    assert run(*arguments(name), "--plot", str(table)).stderr.endswith(f": wrote the table to {table}\n")
    assert table.read_text().startswith(COLUMNS[name])


def test_a_picture_in_pixels(run: Run, arguments: Callable[[str], tuple[str, ...]], tmp_path: Path) -> None:
    assert run(*arguments("recall"), "--plot", str(tmp_path / "p.png")).exit_code == 0
    assert (tmp_path / "p.png").read_bytes().startswith(SIGNATURE)


@pytest.mark.parametrize("name", COMMANDS)
def test_another_ending_is_refused_before_any_work(
    run: Run, arguments: Callable[[str], tuple[str, ...]], name: str
) -> None:
    result = run(*arguments(name), "--plot", "plot.gif")
    assert result.exit_code == 2
    assert "expected a name that ends with .svg, .png or .csv" in result.stderr


def test_no_opened_file_is_written_over(run: Run, arguments: Callable[[str], tuple[str, ...]], tmp_path: Path) -> None:
    command = arguments("recall")
    probes = Path(command[-1]).rename(tmp_path / "probes.csv")
    before = probes.read_bytes()
    result = run(*command[:-1], str(probes), "--plot", str(probes))
    assert result.exit_code == 2
    assert "probes.csv" in result.stderr
    assert probes.read_bytes() == before
