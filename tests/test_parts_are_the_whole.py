"""The ledger adds up: every golden case counted exactly, and real files under the templates of eight families."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.assembly.scenario import Scenario
from inspector.cli.assemble import answer_line
from inspector.cli.loading import answer_for, pipeline_of
from inspector.formats import load_workspace
from tests.examples import cases

_CASES = [
    json.loads(line)
    for file in sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
    for line in file.read_bytes().splitlines()
]
_FAMILIES = {
    "gpt-4o": "embedded:o200k_base",
    "llama-2-7b": "embedded:llama2",
    "llama-3.1-8b": "embedded:llama3.1",
    "qwen2.5-7b": "embedded:qwen2.5",
    "qwen3-8b": "embedded:qwen3",
    "gemma-3-27b": "embedded:gemma3",
    "deepseek-v3": "embedded:deepseek_v3",
    "phi-4": "embedded:phi4",
}
_FILES = (
    "sillytavern/derived/long_2606_messages_mixed_dates.jsonl",
    "sillytavern/derived/ja_persona.jsonl",
    "chatgpt/polylogue_native-conversation-v1_branched.json",
    "openai_messages/derived/messages_all_parts.json",
    "locomo/locomo5.json",
)


@pytest.mark.parametrize("model", cases(["gpt-4o", "qwen2.5-7b", "llama-3.1-8b"], ["qwen2.5-7b"]))
def test_every_golden_case_adds_up_when_it_is_counted_exactly(model: str) -> None:
    exact = 0
    for case in _CASES:
        scenario = {**case["scenario"], "model": model, "tokenizer": _FAMILIES[model]}
        asked = {"name": case["name"], "workspace": case["workspace"], "scenario": scenario}
        answer = answer_line(json.dumps(asked).encode(), "golden")
        ledger: dict[str, Any] = answer["ledger"]
        assert ledger["total"] == ledger["items"] + sum(line["tokens"] for line in ledger["lines"])
        if ledger["exact"]:
            exact += 1
            assert ledger["residual"] == 0, case["name"]
    assert exact > len(_CASES) / 2  # the others record counts, have pictures, or make no prompt


@pytest.mark.parametrize("file", cases(_FILES, _FILES[1:3]))
def test_real_files_add_up_under_the_templates_of_eight_families(file: str, data_folder: Path) -> None:
    workspace = load_workspace([str(data_folder / file)])
    pipeline = pipeline_of(workspace)
    for model in _FAMILIES:
        for policy in ("naive", "ratio"):
            scenario = Scenario(model=model, policy=policy, context_window=32768)
            ledger = answer_for(pipeline, scenario, cached=False).ledger
            prompt = ledger.prompt
            assert prompt is not None
            assert prompt.chat.faithful, model
            assert ledger.total == ledger.items + sum(line.tokens for line in ledger.lines)
            assert ledger.residual == 0, (model, policy)
