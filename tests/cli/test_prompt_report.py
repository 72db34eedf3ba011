"""`report --prompt` and its endings: one prompt as a page, a table, a bar or a request; redacted where one asks."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from inspector.reading.png import SIGNATURE

Run = Callable[..., Result]
OPTIONS = ("--tokenizer", "estimate:words", "--window", "80")


def reported(run: Run, *arguments: str) -> str:
    done = run("report", *arguments)
    assert done.exit_code == 0, done.stderr
    assert done.stdout == ""
    return done.stderr


def test_the_page_of_one_prompt_compares_with_a_baseline(
    run: Run, workspace_file: str, tmp_path: Path, scenario_file: Callable[..., str]
) -> None:
    out, baseline = tmp_path / "r.html", scenario_file("before", context_window=300)
    said = reported(run, workspace_file, *OPTIONS, "--prompt", "--baseline", baseline, "--out", str(out))
    assert said.endswith(f" tokens) to {out}\n")
    page = out.read_text("utf-8")
    assert "Comparison with the baseline" in page
    assert "<td>300</td><td>80</td>" in page.replace(' class="figure"', "")


def test_redacted_no_text_is_in_the_page(run: Run, workspace_file: str, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    reported(run, workspace_file, *OPTIONS, "--redact", "--draft", "my own words", "--out", str(out))
    assert "my own words" not in out.read_text("utf-8")
    assert "be kind" not in out.read_text("utf-8")
    assert "hash " in out.read_text("utf-8")


@pytest.mark.parametrize("ending", ["csv", "tsv", "items.json", "json", "md", "txt", "svg", "openai.json"])
def test_other_endings_are_of_one_prompt(run: Run, workspace_file: str, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"r.{ending}"
    reported(run, workspace_file, *OPTIONS, "--out", str(out))
    assert out.stat().st_size > 0


def test_the_bar_in_pixels(run: Run, workspace_file: str, tmp_path: Path, qapp: object) -> None:
    out = tmp_path / "bar.png"
    reported(run, workspace_file, *OPTIONS, "--out", str(out))
    assert out.read_bytes().startswith(SIGNATURE)


def test_an_inspection_brings_its_baseline(run: Run, workspace_file: str, tmp_path: Path) -> None:
    scenario = {"tokenizer": "estimate:words", "context_window": 80}
    inspection = tmp_path / "a.inspection.yaml"
    inspection.write_text(
        json.dumps(
            {
                "format": "prompt-inspector/inspection@1",
                "sources": [{"path": workspace_file}],
                "scenario": scenario,
                "baseline": {**scenario, "context_window": 300},
            }
        )
    )
    out = tmp_path / "r.html"
    reported(run, str(inspection), "--out", str(out))
    assert "Comparison with the baseline" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--out", "r.pdf"), "an export ends with one of"),
        (("--redact", "--out", "r.csv"), "redacted"),
        (("--prompt", "--out", "/no/such/folder/r.html"), "cannot be written"),
        (("--prompt", "--baseline", "none.yaml", "--out", "r.html"), "none.yaml"),
    ],
)
def test_bad_input_of_a_prompt_is_one_line(run: Run, workspace_file: str, options: tuple[str, ...], said: str) -> None:
    done = run("report", workspace_file, *OPTIONS, *options)
    assert done.exit_code == 2
    assert said in done.stderr.splitlines()[-1]


def test_what_was_opened_is_not_written_over(run: Run, workspace_file: str) -> None:
    before = Path(workspace_file).read_bytes()
    done = run("report", workspace_file, *OPTIONS, "--out", workspace_file)
    assert done.exit_code == 2
    assert Path(workspace_file).read_bytes() == before
