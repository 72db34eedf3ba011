"""Mutations: the same for the same seed, other bytes than before, and of the structure that a file has."""

import io
import json
import random
import subprocess
import sys
import zipfile

import pytest

from tests.examples import rounds
from tests.fuzz.archives import archive_of, members_of
from tests.fuzz.frames import ROOT
from tests.fuzz.headers import written_gguf
from tests.fuzz.made import made_files
from tests.fuzz.mutations import MOST_BYTES, mutated
from tests.fuzz.pictures import chunks_of
from tests.fuzz.registry import all_targets
from tests.fuzz.seeds import shorter
from tests.fuzz.target import Target

TARGETS = all_targets()
TRIED = rounds(12, 4)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_same_seed_gives_the_same_inputs(target: Target) -> None:
    first = len(target.seeds())
    numbers = range(first, first + TRIED)
    inputs = [target.input(7, number) for number in numbers]
    assert inputs == [target.input(7, number) for number in numbers]
    assert inputs != [target.input(8, number) for number in numbers]
    sound = {seed.data for seed in target.seeds()}
    assert any(one.data not in sound for one in inputs)
    assert all(len(one.data) <= max(MOST_BYTES, *map(len, sound)) for one in inputs)


def test_another_process_makes_the_same_inputs() -> None:
    names = ("formats/card", "formats/chorus_database", "cache", "gguf", "tokenizer/json", "tokenizer/sentencepiece")
    script = (
        "import sys; from hashlib import sha256; from tests.fuzz.registry import target_named as named\n"
        "for name in sys.argv[1:]: print(sha256(b''.join(named(name).input(3, n).data for n in range(12))).hexdigest())"
    )
    command = [sys.executable, "-c", script, *names]
    runs = [subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True) for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout
    assert len(set(runs[0].stdout.split())) == len(names)


def _card(data: bytes) -> bytes:
    return b"".join(body for kind, body in chunks_of(data) if kind == b"tEXt")


def test_a_card_in_a_picture_is_changed_where_it_is_read() -> None:
    (picture,) = (file.data for file in made_files()["card"] if file.name.endswith(".png"))
    changed = [mutated(picture, random.Random(seed)) for seed in range(40)]
    assert sum(data.startswith(b"\x89PNG") and _card(data) != _card(picture) for data in changed) > 20


def test_members_of_an_archive_are_changed_and_can_be_taken_out() -> None:
    archive = archive_of([("a.json", b'{"a": [1, 2, 3]}'), ("b.json", b"[]")])
    found = [dict(members_of(mutated(archive, random.Random(seed)))) for seed in range(40)]
    contents = {content for members in found for content in members.values()}
    assert len(contents) > 10
    assert any(zipfile.is_zipfile(io.BytesIO(content)) for content in contents)


def test_most_changes_of_json_leave_it_json() -> None:
    data = json.dumps({"messages": [{"id": "a", "parent": None, "time": 5}, {"id": "b", "parent": "a"}]}).encode()
    changed = [mutated(data, random.Random(seed)) for seed in range(100)]
    assert sum(_is_json(one) for one in changed) > 50
    assert not all(_is_json(one) for one in changed)


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def test_a_header_of_numbers_keeps_its_beginning() -> None:
    header = written_gguf(
        {"general.name": "x", "tokenizer.ggml.tokens": ["a", "b"], "tokenizer.ggml.scores": [0.5, 1.5]}
    )
    changed = [mutated(header, random.Random(seed)) for seed in range(40)]
    assert sum(data.startswith(b"GGUF") for data in changed) > 30
    assert len(set(changed)) > 30


def test_long_files_are_made_short_and_stay_what_they_are() -> None:
    document = json.dumps([{"content": "x" * 100, "number": number} for number in range(2_000)]).encode()
    lines = b"\n".join(b'{"number": %d}' % number for number in range(9_000))
    for data in (document, lines):
        short = shorter(data)
        assert len(short) < len(data) / 2
        assert json.loads(short if data is document else short.split(b"\n")[-1])
