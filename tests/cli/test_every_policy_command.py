"""Every policy that ships answers every analysis on the command line, and decides there as `assemble` does."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from inspector.plugins import policies

Run = Callable[..., Result]
POLICIES = list(policies()[0])
WINDOWS = (150, 400, 800)
MESSAGES = 30
SMALLER = {"continue_prune": ("--set", "max_tokens=50")}
"""Where the program's own reply leaves a small window no room."""


@pytest.fixture
def chat(tmp_path: Path) -> str:
    file = tmp_path / "chat.json"
    said = [{"role": ("user", "assistant")[n % 2], "content": f"{n} " + "word " * (5 + n % 7)} for n in range(MESSAGES)]
    file.write_text(json.dumps({"messages": said}), "utf-8")
    return str(file)


def answered(run: Run, command: str, chat: str, policy: str, *options: str, window: int = WINDOWS[1]) -> Result:
    shared = ("--policy", policy, "--tokenizer", "estimate:words", "--window", str(window), *SMALLER.get(policy, ()))
    return run(command, chat, *shared, *options)


def decided(run: Run, chat: str, policy: str, window: int) -> dict[str, str] | None:
    """The action of each message and each summary by `assemble`; None where the policy makes no prompt."""
    value = json.loads(answered(run, "assemble", chat, policy, "--format", "json", window=window).stdout)
    return None if value.get("error") else {one["id"]: one["action"] for one in value["items"]}


def of_messages(actions: dict[str, str]) -> dict[str, str]:
    """The actions without those of summaries, which are of a single prompt."""
    return {name: action for name, action in actions.items() if not name.startswith("summary:")}


@pytest.mark.parametrize("policy", POLICIES)
def test_survival_sweep_and_compare_decide_as_assemble_does(run: Run, chat: str, policy: str) -> None:
    made = {window: decided(run, chat, policy, window) for window in WINDOWS}
    assert made[WINDOWS[-1]] is not None, "everything fits"
    options = ("--parameter", "context_window", "--format", "json")
    survival = json.loads(answered(run, "survival", chat, policy, *options).stdout)
    assert survival["to"] >= WINDOWS[-1]
    stretches = {one["item"]: one["stretches"] for one in survival["items"]}
    values = ",".join(map(str, WINDOWS))
    swept = json.loads(
        answered(run, "sweep", chat, policy, "--set", f"context_window={values}", "--format", "json").stdout
    )
    for row, (window, actions) in zip(swept, made.items(), strict=True):
        assert row["context_window"] == window
        assert bool(row["error"]) == (actions is None)
        if actions is not None:
            counts = Counter(actions.values())
            assert {name: row[name] for name in counts} == dict(counts)
            found = {name: _at(stretches[name], window) for name in of_messages(actions)}
            assert found == of_messages(actions)
            assert len(found) == MESSAGES
    compared = json.loads(answered(run, "compare", chat, policy, "--policies", policy, "--format", "json").stdout)
    asked = made[WINDOWS[1]]
    shown = of_messages({row["id"]: row["actions"][0] for row in compared["rows"]})
    assert asked is None or of_messages(asked) == shown


def _at(stretches: list[dict[str, int | str]], window: int) -> str | None:
    return next((str(one["action"]) for one in stretches if int(one["from"]) <= window <= int(one["to"])), None)


@pytest.mark.parametrize("policy", POLICIES)
def test_explain_says_how_an_item_stays_and_replay_has_every_turn(run: Run, chat: str, policy: str) -> None:
    for item in ("m0", "m15", f"m{MESSAGES - 1}"):
        explained = answered(run, "explain", chat, policy, "--item", item)
        assert explained.exit_code == 0
        assert explained.stdout.strip()
        kept = answered(run, "explain", chat, policy, "--keep", item)
        assert (kept.exit_code, kept.stderr, bool(kept.stdout.strip())) == (0, "", True)
    replayed = json.loads(answered(run, "replay", chat, policy, "--format", "json").stdout)
    assert [turn["turn"] for turn in replayed["turns"]] == list(range(1, MESSAGES + 1))
