"""prompt-inspector models: the list, what a name leads to, and imports of listings."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from inspector.settings import own_models_file
from inspector.tokens.models.files import read_entries

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., Result]
LISTING: dict[str, Any] = {
    "openai": {
        "models": {
            "gpt-4o": {"limit": {"context": 128000, "output": 16384}, "cost": {"input": 2, "output": 8}},
            "gpt-99": {"limit": {"context": 4000000, "output": 100000}, "cost": {"input": 1, "output": 2}},
        }
    },
    "somehost": {"models": {"llama-3.1-8b-instruct": {"limit": {"context": 8192, "output": 4096}}}},
}


@pytest.fixture
def listing(tmp_path: Path) -> str:
    path = tmp_path / "api.json"
    path.write_text(json.dumps(LISTING), encoding="utf-8")
    os.utime(path, (1_770_000_000, 1_770_000_000))  # 2026-02-02
    return str(path)


def value_of(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_every_row_has_every_key(run: Run) -> None:
    rows = value_of(run("models", "--format", "json"))["models"]
    assert len(rows) >= 500
    keys = {"name", "maker", "context_window", "max_output", "max_input", "tokenizer", "exact_tokenizer", "chat_format"}
    keys |= {"family", "aliases", "date", "source", "price_in", "price_out", "price_cached", "prices"}
    assert all(set(row) == keys for row in rows)


def test_a_name_shows_what_it_leads_to(run: Run) -> None:
    (row,) = value_of(run("models", "gpt-4o-2031-01-01", "--format", "json"))["models"]
    assert (row["name"], row["match"]) == ("gpt-4o", "prefix")
    (row,) = value_of(run("models", "ft:gpt-4o-2024-08-06:acme::1", "--format", "json"))["models"]
    assert (row["name"], row["match"], row["price_in"]) == ("gpt-4o", "fine-tune", None)
    rows = value_of(run("models", "Claude-Opus", "--maker", "anthropic", "--format", "json"))["models"]
    assert {row["match"] for row in rows} == {"part"}
    table = run("models", "gpt-4o").stdout
    assert "exact" in table
    assert "2026-11-26" in table
    assert run("models", "nobody-7b").stdout == "No model matches.\n"


def test_one_maker(run: Run) -> None:
    rows = value_of(run("models", "--maker", "XAI", "--format", "json"))["models"]
    assert {row["maker"] for row in rows} == {"xAI"}
    assert run("models", "--maker", "nobody").stdout == "No model of this maker.\n"
    assert f"{len(rows)} models; prices are US dollars per million tokens." in run("models", "--maker", "xai").stdout


def test_an_import_is_written_and_then_the_same(run: Run, listing: str) -> None:
    value = value_of(run("models", "--import", listing, "--format", "json"))
    assert value == {
        "listing": "models.dev",
        "source": listing,
        "date": "2026-02-02",
        "file": str(own_models_file()),
        "written": True,
        "new": ["gpt-99"],
        "changed": [
            {
                "name": "gpt-4o",
                "fields": {
                    "price_in": [2.5, 2.0],
                    "price_out": [10.0, 8.0],
                    "price_cached": [1.25, None],
                    "prices": ["2.5 / 10; batch 1.25 / 5; priority 4.25 / 17", "none"],
                },
            }
        ],
        "same": 0,
        "skipped": {"listed by a host that is not the maker": 1},
    }
    (row,) = [row for row in value_of(run("models", "gpt-4o", "--format", "json"))["models"] if row["match"] == "exact"]
    assert (row["price_in"], row["date"], row["source"]) == (2.0, "2026-02-02", "models.dev (openai)")
    again = value_of(run("models", "--import", listing, "--format", "json"))
    assert (again["written"], again["new"], again["changed"], again["same"]) == (False, [], [], 2)


def test_a_dry_run_writes_nothing(run: Run, listing: str) -> None:
    said = run("models", "--import", listing, "--dry-run").stdout
    assert "models.dev, 2026-02-02: 1 new, 1 changed, 0 same" in said
    assert "changed: gpt-4o: price_in 2.5 → 2.0" in said
    assert "skipped: 1 listed by a host that is not the maker" in said
    assert "dry run, nothing written to" in said
    assert not own_models_file().exists()


def test_a_provider_that_is_asked_for(run: Run, listing: str) -> None:
    value = value_of(run("models", "--import", listing, "--provider", "somehost", "--format", "json"))
    assert [change["name"] for change in value["changed"]] == ["llama-3.1-8b"]


def test_the_file_as_it_was_is_kept(run: Run, listing: str) -> None:
    own = own_models_file()
    own.parent.mkdir(parents=True)
    own.write_text("# mine\n- {name: gpt-4o, context_window: 1000}\n", encoding="utf-8")
    value = value_of(run("models", "--import", listing, "--format", "json"))
    assert value["skipped"]["a row that you wrote yourself"] == 1
    assert own.with_name("models.yaml.before").read_text(encoding="utf-8").startswith("# mine")
    (row,) = [row for row in value_of(run("models", "gpt-4o", "--format", "json"))["models"] if row["match"] == "exact"]
    assert (row["context_window"], row["source"]) == (1000, "your own row")


def test_imports_at_the_same_time_lose_no_row(tmp_path: Path) -> None:
    limits = {"context": 50_000, "output": 4_000}
    files = [tmp_path / f"{number}.json" for number in range(8)]
    for number, file in enumerate(files):
        models = {f"unheard{number}{letter}-1": {"limit": limits} for letter in "abc"}
        file.write_text(json.dumps({"openai": {"models": models}}), encoding="utf-8")
    command = [sys.executable, "-m", "inspector", "models", "--import"]
    runs = [subprocess.Popen([*command, str(file)], cwd=ROOT, stdout=subprocess.DEVNULL) for file in files]
    assert [run.wait() for run in runs] == [0] * 8
    names = {entry["name"] for _, entry in read_entries(own_models_file())[0]}
    assert names == {f"unheard{number}{letter}-1" for number in range(8) for letter in "abc"}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """Installs packages of one file into a folder of their own, which is looked up before all others."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(package: str, file: str, content: str) -> None:
        about = tmp_path / f"{package.replace('-', '_')}-1.2.3.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2.3\n", encoding="utf-8")
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text(content, encoding="utf-8")

    return install


def test_without_an_installed_package_a_file_is_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.tokens.models.installed._FILES", {"nobodys-prices": "prices.json"})
    none = run("models", "--import", "--dry-run")
    assert (none.exit_code, len(none.stderr.splitlines())) == (2, 1)
    assert "neither litellm nor genai-prices is installed" in none.stderr


def test_the_listing_of_an_installed_package_is_found(run: Run, install: Callable[[str, str, str], None]) -> None:
    source = "providers: list = [Provider(id='openai', models=[ModelInfo(id='gpt-98', context_window=5000, prices=P)])]"
    price = "ModelPrice(input_mtok=Decimal('1'), output_mtok=Decimal('2'))"
    install("genai-prices", "genai_prices/data.py", source.replace("=P)", f"={price})"))
    value = value_of(run("models", "--import", "--dry-run", "--format", "json"))
    assert (value["listing"], value["new"], value["written"]) == ("genai-prices 1.2.3", ["gpt-98"], False)
    row = {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 922000, "max_output_tokens": 128000}
    install("litellm", "litellm/model_prices_and_context_window_backup.json", json.dumps({"gpt-97": row}))
    value = value_of(run("models", "--import", "--format", "json"))
    assert (value["listing"], value["new"], value["written"]) == ("litellm 1.2.3", ["gpt-97"], True)
    (row,) = value_of(run("models", "gpt-97", "--format", "json"))["models"]
    assert (row["context_window"], row["max_input"]) == (1_050_000, 922_000)
    assert row["source"] == "litellm 1.2.3 (openai)"
    assert value_of(run("models", "--import", "--format", "json"))["same"] == 1


def test_bad_rows_are_told_and_not_overwritten(run: Run, listing: str) -> None:
    own = own_models_file()
    own.parent.mkdir(parents=True)
    own.write_text("- {name: mine}\n", encoding="utf-8")
    listed = run("models", "gpt-4o")
    assert f"prompt-inspector: {own}: line 1: mine: expected a context_window" in listed.stderr
    assert listed.exit_code == 0
    refused = run("models", "--import", listing)
    assert refused.exit_code == 2
    assert "fix this first" in refused.stderr
    assert own.read_text(encoding="utf-8") == "- {name: mine}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--import", "no-such-file.json"), "no-such-file.json: cannot be read"),
        (("--dry-run",), "go with --import"),
        (("gpt-4o", "--import", "x.json"), "takes no NAME"),
    ],
)
def test_wrong_usage_is_one_line(run: Run, arguments: tuple[str, ...], said: str) -> None:
    result = run("models", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
