"""YAML: a workspace of many small chats opened and written, against PyYAML's safe loader and dumper, those in C."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import yaml

from inspector.formats import load_workspace
from inspector.formats.native.write import workspace_value
from inspector.reading.yaml import dump
from tests.bench.measure import Row

PREFERENCES = 10_001
TIMES_PLAIN = 2.0


def rows() -> Iterator[Row]:
    """The chats of a file of chosen and rejected answers as YAML: some 430,000 values in 3 MB."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder, "preferences.jsonl")
        answers = ({"prompt": f"q{n}", "chosen": f"a{n}", "rejected": f"b{n}"} for n in range(PREFERENCES))
        lines.write_bytes(b"".join(orjson.dumps(answer) + b"\n" for answer in answers))
        value = workspace_value(load_workspace([str(lines)]))
        written = Path(folder, "preferences.workspace.yaml")
        ours = _seconds(lambda: written.write_text(dump(value), "utf-8"))
        theirs = _seconds(lambda: yaml.dump(value, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False))
        what = f"workspace of {PREFERENCES:,} preferences as YAML"
        yield Row(f"{what}, written", ours, "yaml.CSafeDumper", theirs, at_most=TIMES_PLAIN)
        text = written.read_text("utf-8")
        ours = _seconds(lambda: load_workspace([str(written)]))
        theirs = _seconds(lambda: yaml.load(text, yaml.CSafeLoader))
        yield Row(f"{what}, opened", ours, "yaml.CSafeLoader", theirs, at_most=TIMES_PLAIN)


def _seconds(call: Callable[[], object]) -> float:
    """Seconds on the processor."""
    start = time.process_time()
    call()
    return time.process_time() - start
