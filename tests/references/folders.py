"""Folders without a tokenizer.json: the ids that this program finds in texts, against SentencePiece and the makers."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from inspector.tokens.huggingface import huggingface_tokenizer

ROOT = Path(__file__).parents[2]


def compare_folder(name: str, texts: Sequence[str], python: Path, show: int) -> int:
    """Compare one folder with its reference, print what came of it, and return how many texts differ.

    Ids differ rarely where two ways to cut are equally likely; what counts is then how many there are.
    """
    with TemporaryDirectory() as folder:
        about, answers = _answers(name, texts, python, folder)
        if "missing" in about:
            print(f"{name:<16}not compared: {about['missing']}")
            return 0
        tokenizer = huggingface_tokenizer(folder)
        counts = tokenizer.count(texts).tolist()
        different = [
            (text, theirs, ours)
            for text, theirs, count in zip(texts, answers, counts, strict=True)
            if (ours := tokenizer.spans(text).ids.tolist()) != theirs or count != len(theirs)
        ]
    print(f"{name:<16}{len(texts):>7,}{0:>7,}{0:>9,}{len(different):>8,}  {about['source']}", flush=True)
    for text, theirs, ours in different[:show]:
        print(f"  {json.dumps(text, ensure_ascii=False)}\n    {theirs} there, {ours} here")
    return len(different)


def _answers(name: str, texts: Sequence[str], python: Path, folder: str) -> tuple[dict[str, str], list[list[int]]]:
    """What the reference is, and the ids it finds in each text; it also writes the folder."""
    command = [str(python), "-m", "tests.references.pieces", name, folder]
    question = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(
        command, input=question, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True, cwd=ROOT
    )
    about, *answers = (json.loads(line) for line in done.stdout.splitlines())
    if "missing" not in about and len(answers) != len(texts):
        raise ValueError(f"{name}: {len(answers):,} answers to {len(texts):,} texts")
    return about, answers
