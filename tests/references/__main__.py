"""make references: token counts and rendered chats against tokenizers and templates of other makers.

`python -m tests.references [--texts N] [--chats N] [--seed N] [--show N] [--record] [FAMILY ...]` prints a line for
each family: what it was compared with, cases, and how many differ. It exits with 1 if any differ. `--record` writes
what the references answered to the first cases as FAMILY.jsonl, which `make test` checks. The references live in an
environment of their own, which `make references` sets up. Folders without a tokenizer.json are compared after the
families, by the ids of texts; nothing of them is recorded here.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.references.chats import chats
from tests.references.families import FAMILIES, NOT_COMPARED, Family, counted_here, difference, digested
from tests.references.folders import compare_folder
from tests.references.pieces import FOLDERS
from tests.references.texts import texts

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".references" / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
RECORDED_TEXTS, RECORDED_CHATS, RECORDED_MARKS = 150, 50, 8

Case = dict[str, Any]


def main() -> int:
    """Compare every family; the number of differences decides the exit status."""
    options = _options()
    if not PYTHON.is_file():
        print(f"{PYTHON} is not there: `make references` sets it up")
        return 2
    chosen = [family for family in FAMILIES if not options.families or family.name in options.families]
    print(f"{'family':<16}{'texts':>7}{'chats':>7}{'refused':>9}{'differ':>8}  reference")
    differences = [_compare(family, options) for family in chosen]
    folders = [name for name in FOLDERS if not options.families or name in options.families]
    differences += [
        compare_folder(name, texts(name, options.texts, options.seed), PYTHON, options.show) for name in folders
    ]
    for name, reason in NOT_COMPARED.items():
        print(f"{name:<16}not compared: {reason}")
    return 1 if any(differences) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.references", description="Counts against other makers'.")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="these only; without any, all")
    parser.add_argument("--texts", type=int, default=2000, help="random texts for each family")
    parser.add_argument("--chats", type=int, default=500, help="random conversations for each family")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="differences to print for each family")
    parser.add_argument("--record", action="store_true", help="write the expectations that make test checks")
    return parser.parse_args()


def _compare(family: Family, options: argparse.Namespace) -> int:
    """Compare one family with its reference and print what came of it. Returns how many cases differ."""
    asked = _asked(family, options)
    about, answers = _answers(family, asked)
    if "missing" in about:
        print(f"{family.name:<16}not compared: {about['missing']}")
        return 0
    found = [difference(theirs, _ours(family, case, theirs)) for case, theirs in zip(asked, answers, strict=True)]
    different = [number for number, what in enumerate(found) if what]
    refused = sum("refused" in answer for answer in answers)
    spoken = sum("messages" in case for case in asked)
    numbers = f"{len(asked) - spoken:>7,}{spoken:>7,}{refused:>9,}{len(different):>8,}"
    print(f"{family.name:<16}{numbers}  {'; '.join(dict.fromkeys(filter(None, about.values())))}", flush=True)
    for number in different[: options.show]:
        print(f"  {json.dumps(asked[number], ensure_ascii=False)}\n    {found[number]}")
    if options.record:
        _record(family, about, asked, answers)
    return len(different)


def _asked(family: Family, options: argparse.Namespace) -> list[Case]:
    asked: list[Case] = []
    if family.has_texts:
        asked += [{"text": text} for text in texts(family.name, options.texts, options.seed)]
    if family.has_texts and family.has_marks:
        asked += [{"text": f"Hi,{mark}there", "marks": True} for mark in family.format.template.specials]
    if family.has_chats:
        asked += chats(family.name, family.shape, options.chats, options.seed)
    return asked


def _ours(family: Family, case: Case, theirs: Case) -> Case:
    """What this program answers; a text is read as a server reads it only where its marks are of the family."""
    if "marks" not in case:
        theirs.pop("parsed", None)
    if not family.has_same_text:
        theirs.pop("written", None)
    return counted_here(family, case)


def _answers(family: Family, asked: Sequence[Case]) -> tuple[dict[str, str], list[Case]]:
    """What the reference is and what it answers, from its own Python."""
    command = [str(PYTHON), "-m", "tests.references.libraries", family.name]
    question = "".join(json.dumps(case) + "\n" for case in asked)
    done = subprocess.run(
        command, input=question, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True, cwd=ROOT
    )
    about, *answers = (json.loads(line) for line in done.stdout.splitlines())
    if "missing" not in about and len(answers) != len(asked):
        raise ValueError(f"{family.name}: {len(answers):,} answers to {len(asked):,} cases")
    return about, answers


def _record(family: Family, about: dict[str, str], asked: Sequence[Case], answers: Sequence[Case]) -> None:
    """Write the first cases of each kind, with their answers."""
    for answer in answers:
        if "written" in answer:
            answer |= digested(answer.pop("written"))
    cases = [{**case, **answer} for case, answer in zip(asked, answers, strict=True)]
    marked = [case for case in cases if "marks" in case]
    written = [case for case in cases if "ordinary" in case and "marks" not in case]
    spoken = [case for case in cases if "messages" in case and "refused" not in case]
    kept = [*written[:RECORDED_TEXTS], *marked[:RECORDED_MARKS], *spoken[:RECORDED_CHATS]]
    lines = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in (about, *kept))
    family.file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
