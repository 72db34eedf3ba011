"""Policies of plug-ins: found by their entry points, and harmless where they are broken."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from inspector import plugins
from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Section
from inspector.assembly.decisions import Assembly, Run
from inspector.assembly.defaults import drop_unplaced
from inspector.assembly.ledger import Ledger
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import PolicyError, param
from inspector.assembly.reasons import ALWAYS, OVER_BUDGET, WITHIN_BUDGET
from inspector.assembly.scenario import Scenario
from inspector.cli import group
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import POLICY_GROUP

CHAT = Workspace(conversations=(Conversation("c1", tuple(Message(f"m{n}", "user", "so be it") for n in range(6))),))


@dataclass(frozen=True)
class Newest:
    """The newest messages, whatever they cost."""

    count: int = param(2, 0, 20, help="How many.")

    def __post_init__(self) -> None:
        if self.count == 13:
            raise ValueError("thirteen brings no luck")

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        ledger = Ledger(candidates, window)
        drop_unplaced(ledger, *(kind for kind in Kind if kind != Kind.MESSAGE))
        rows = ledger.rows(Kind.MESSAGE)
        ledger.keep(rows[len(rows) - self.count :], ALWAYS)
        ledger.drop(rows[: len(rows) - self.count], OVER_BUDGET)
        return ledger.close(lambda it: (Run(it.kept_rows(Kind.MESSAGE)),))


@dataclass(frozen=True)
class Raising:
    """Raises."""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        raise ZeroDivisionError("no shares at all")


@dataclass(frozen=True)
class Refusing:
    """Says that it can make no prompt."""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        raise PolicyError("request_too_large", "It does not fit.")


@dataclass(frozen=True)
class Twice:
    """Decides a message twice."""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        ledger = Ledger(candidates, window)
        ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
        ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
        return ledger.close(lambda _: ())


@dataclass(frozen=True)
class Spending:
    """Keeps more than its limit holds."""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        ledger = Ledger(candidates, window)
        ledger.limit(Section.HISTORY, 4)
        ledger.keep(ledger.rows(Kind.MESSAGE), WITHIN_BUDGET)
        return ledger.close(lambda it: (Run(it.kept_rows(Kind.MESSAGE)),))


@dataclass(frozen=True)
class Shapeless:
    """Its prompt cannot be laid out."""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        ledger = Ledger(candidates, window)
        ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
        return ledger.close(lambda it: it.nothing)  # type: ignore[attr-defined]


def no_policy() -> None:
    """Not a class."""


Install = Callable[..., None]


def here(name: str) -> str:
    return f"{__name__}:{name}"


def pipeline() -> Pipeline:
    return Pipeline(CHAT, plugins.policies()[0], {})


def assembled(**scenario: Any) -> Assembly:
    made = pipeline()
    return made.assemble(made.case(Scenario(**scenario)))


def test_a_plug_in_is_listed_after_the_built_in_ones_and_decides(install: Install) -> None:
    install(POLICY_GROUP, newest=here("Newest"))
    found, problems = plugins.policies()
    assert list(found)[-1] == "newest"
    assert problems == ()
    assembly = assembled(policy="newest", parameters={"count": 3})
    assert assembly.in_prompt.tolist() == [False] * 3 + [True] * 3


def test_what_cannot_be_loaded_becomes_a_problem_and_the_rest_stays(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "plug_in_that_raises.py").write_text("raise RuntimeError('no licence')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    install(
        POLICY_GROUP,
        absent="no_such_module:Policy",
        missing=here("NoSuchPolicy"),
        raising="plug_in_that_raises:Policy",
        function=here("no_policy"),
        ratio=here("Newest"),
        newest=here("Newest"),
    )
    found, problems = plugins.policies()
    assert "newest" in found
    assert found["ratio"].__module__.startswith("inspector.")
    said = [str(problem) for problem in problems]
    assert len(said) == 5
    for part in (
        "the policy absent cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'",
        "the policy missing cannot be loaded: AttributeError",
        "the policy raising cannot be loaded: RuntimeError: no licence",
        "the policy function cannot be loaded: TypeError: a policy is a frozen dataclass with a method __call__",
        "the policy name ratio is already taken",
    ):
        assert sum(part in line for line in said) == 1, part
    assert [record.exc_info is not None for record in caplog.records] == [True] * 4


def test_the_command_lists_plug_ins_and_names_those_that_cannot_be_loaded(install: Install) -> None:
    install(POLICY_GROUP, newest=here("Newest"), absent="no_such_module:Policy")
    result = CliRunner().invoke(group, ["policies", "--format", "json"])
    assert result.exit_code == 0
    *built_in, newest = json.loads(result.stdout)["policies"]
    assert (newest["name"], newest["origin"]) == ("newest", here("Newest"))
    assert {policy["origin"] for policy in built_in} == {"built in"}
    assert "the policy absent cannot be loaded" in result.stderr
    listed = CliRunner().invoke(group, ["policies"]).stdout
    assert listed.count(", from ") == 1
    for arguments in (["policies"], ["policies", "newest"]):
        assert f"(newest, from {here('Newest')}): " in CliRunner().invoke(group, arguments).stdout


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("Raising", "The policy mine is broken: ZeroDivisionError: no shares at all"),
        ("Twice", "The policy mine is broken: m0 was decided twice"),
        ("Spending", "The policy mine is broken: the history section is charged 12 tokens of 4"),
        ("Shapeless", "The policy mine is broken: AttributeError"),
    ],
)
def test_a_broken_policy_gives_an_error_with_its_name(
    install: Install, caplog: pytest.LogCaptureFixture, name: str, trouble: str
) -> None:
    install(POLICY_GROUP, mine=here(name))
    asked = pipeline()
    for _ in range(3):
        error = asked.assemble(asked.case(Scenario(policy="mine", tokenizer="estimate:chorus"))).error
        assert error is not None
        assert error.code == "policy_broken"
        assert error.message.startswith(trouble)
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.exc_info is not None, "the traceback is in the log, once"
    assert asked.assemble(asked.case(Scenario(policy="naive"))).error is None


def test_a_policy_may_refuse_by_itself(install: Install) -> None:
    install(POLICY_GROUP, mine=here("Refusing"), newest=here("Newest"))
    error = assembled(policy="mine").error
    assert (error and error.code) == "request_too_large"
    error = assembled(policy="newest", parameters={"count": 13}).error
    assert (error and (error.code, error.message)) == ("invalid_parameter", "thirteen brings no luck")


def test_the_answer_of_the_command_names_the_broken_policy(install: Install, tmp_path: Path) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": "hello"}]), encoding="utf-8")
    install(POLICY_GROUP, mine=here("Raising"))
    result = CliRunner().invoke(group, ["assemble", str(chat), "--policy", "mine", "--format", "json"])
    value: dict[str, Any] = json.loads(result.stdout)
    assert value["error"]["code"] == "policy_broken"
    assert value["messages"] == []
    assert [item["action"] for item in value["items"]] == ["dropped"]
