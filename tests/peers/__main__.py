"""make peers: the policies that follow libraries against the libraries themselves, on random conversations.

`python -m tests.peers [--cases N] [--seed N] [--show N]` prints for each policy how many cases agree, and the first
that do not. It exits with 1 if any differ. The libraries live in environments of their own, which `make peers` sets up.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.peers.conversations import POLICIES, Case, cases

ROOT = Path(__file__).parents[2]
LIBRARIES = Path(__file__).with_name("libraries.py")
ENVIRONMENTS = {"priority": "poet"}
OTHER_ENVIRONMENT = "messages"


def main() -> int:
    """Compare every policy; the number of differences decides the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description="Policies against the libraries.")
    parser.add_argument("--cases", type=int, default=1000, help="random conversations for each library")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="differences to print for each library")
    options = parser.parse_args()
    differences = [_compare(policy, options.cases, options.seed, options.show) for policy in POLICIES]
    return 1 if any(differences) else 0


def _compare(policy: str, count: int, seed: int, show: int) -> int:
    """Compare one policy with its library and print what came of it. Returns how many cases differ."""
    asked = cases(policy, count, seed)
    ours, theirs = _kept_here(asked), _kept_there(policy, asked)
    different = [number for number in range(count) if ours[number] != theirs[number]]
    refused = sum(kept is None for kept in theirs)
    said = f"{count - len(different):,} of {count:,} agree ({refused:,} are refused, {_cut(asked, theirs):,} are cut)"
    print(f"{policy}: {said}")
    for number in different[:show]:
        print(f"  {asked[number]['name']} {asked[number]['scenario']['parameters']}")
        print(f"    here:    {ours[number]}\n    library: {theirs[number]}")
    return len(different)


def _cut(asked: Sequence[Case], theirs: Sequence[list[str] | None]) -> int:
    """In how many cases the library left something out, so that there was something to compare."""
    return sum(kept is not None and len(kept) < _size(case) for case, kept in zip(asked, theirs, strict=True))


def _size(case: Case) -> int:
    workspace = case["workspace"]
    spoken = [bool(character["system_prompt"]) for character in workspace["characters"]]
    components = [len(character.get("components", [])) for character in workspace["characters"]]
    return len(workspace["conversations"][0]["messages"]) + sum(spoken) + sum(components)


def _kept_here(asked: Sequence[Case]) -> list[list[str] | None]:
    """What the command keeps in each case, in the order of the prompt; None where it refuses."""
    answers = _lines([sys.executable, "-m", "inspector", "assemble", "--jsonl", "-"], asked)
    kept: list[list[str] | None] = []
    for answer in answers:
        if answer["error"] and answer["error"]["code"] != "request_too_large":
            raise ValueError(f"{answer['name']}: {answer['error']}")
        names = [name for message in answer["messages"] for name in message["items"]]
        kept.append(None if answer["error"] else names)
    return kept


def _kept_there(policy: str, asked: Sequence[Case]) -> list[list[str] | None]:
    """What the library keeps in each case; None where it refuses."""
    folder = ROOT / ".peers" / ENVIRONMENTS.get(policy, OTHER_ENVIRONMENT)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    return [answer.get("kept") for answer in _lines([str(python), str(LIBRARIES), policy], asked)]


def _lines(command: list[str], asked: Sequence[Case]) -> list[dict[str, Any]]:
    """The answers of a command that reads and writes one line of JSON for each case."""
    question = "".join(json.dumps(case) + "\n" for case in asked)
    done = subprocess.run(command, input=question, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(asked):
        raise ValueError(f"{command[0]} answered {len(answers):,} of {len(asked):,} cases")
    return answers


if __name__ == "__main__":
    sys.exit(main())
