"""prompt-inspector snippet: settings for another system, from options alone or for a file."""

import json
from collections.abc import Callable

from click.testing import Result

Run = Callable[..., Result]


def test_options_are_enough(run: Run) -> None:
    result = run("snippet", "--policy", "langchain_trim", "--set", "max_tokens=77", "--for", "langchain")
    assert result.exit_code == 0
    assert "    max_tokens=77," in result.stdout.splitlines()
    assert result.stderr == ""


def test_what_is_unsaid_stands_beside_the_text(run: Run, workspace_file: str) -> None:
    result = run("snippet", workspace_file, "--window", "4096", "--for", "ollama")
    assert json.loads(result.stdout) == {"options": {"num_ctx": 4096}}
    assert "the policy ratio" in result.stderr


def test_a_policy_that_the_system_cannot_express_fails_in_one_line(run: Run) -> None:
    result = run("snippet", "--policy", "naive", "--for", "langchain")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "naive" in result.stderr


def test_refused_parameters_are_an_error(run: Run) -> None:
    assert run("snippet", "--policy", "naive", "--set", "nothing=1", "--for", "ollama").exit_code == 2
