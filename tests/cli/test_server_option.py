"""The options --server and --server-context."""

import json
from typing import Any


def test_a_server_drops_what_it_cannot_hold(run: Any, workspace_file: Any) -> None:
    asked = ("assemble", workspace_file, "--policy", "naive", "--tokenizer", "estimate:words", "--format", "json")
    plain = json.loads(run(*asked).stdout)
    behind = json.loads(run(*asked, "--server", "ollama", "--server-context", "20").stdout)
    assert "server" not in {item["reason"] for item in plain["items"]}
    assert "server" in {item["reason"] for item in behind["items"]}
    assert "server_drops" in {finding["code"] for finding in behind["findings"]}
    assert behind["ledger"]["items"] < plain["ledger"]["items"]


def test_a_server_that_is_none_is_refused_with_the_nearest(run: Any, workspace_file: Any) -> None:
    result = run("assemble", workspace_file, "--server", "olama")
    assert result.exit_code == 2
    assert "did you mean ollama" in result.stderr
