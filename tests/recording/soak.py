"""make soak-record: recording for minutes, with kills, slow readers, leaving applications and a server that breaks off.

Each request has a name, and an answer made of it. Exits with 1 where a byte of an answer differed, where a request that
had ended well before a kill is not in the file with its joined text, where a line other than one torn by each kill
cannot be read, or where the process grew.
"""

import asyncio
import gzip
import json
import random
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.recording.stand_in import STOP, Asked, chunked, exchanged, head, post, recording, stand_in, with_length

_PATH = "/v1/chat/completions"
_SETTLED_SECONDS = 2.0
"""How far from a kill a request must have ended for its line to be expected: a busy machine writes late, and a slow
reader reads on what was sent before the kill."""
_APPLICATIONS = 12
_PIECES = 40
_END = b"<end>"
_MOST_GROWTH_KB = 200_000
_WAYS = ("streamed", "streamed", "whole", "packed", "error", "broken", "slow", "left")


@dataclass
class Told:
    """What the applications saw, and what was wrong."""

    ended: dict[str, float] = field(default_factory=dict)
    ways: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    kills: list[float] = field(default_factory=list)
    address: str = ""
    is_over: bool = False


def text_of(name: str) -> str:
    """The answer to a request."""
    return "".join(f"{name} says {number} ☂ " for number in range(_PIECES))


def _events(name: str) -> Iterator[bytes]:
    for number in range(_PIECES):
        piece = {"choices": [{"index": 0, "delta": {"content": f"{name} says {number} ☂ "}}]}
        yield f"data: {json.dumps(piece)}\n\n".encode()
    yield b"data: [DONE]\n\n"


def _document(name: str) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text_of(name)}}]}).encode()


async def answer(asked: Asked) -> AsyncIterator[bytes]:
    """Answer in the way that the request names."""
    name, _, way = json.loads(asked.body)["user"].partition(" ")
    if way in ("whole", "packed", "error"):
        body = gzip.compress(_document(name), mtime=0) if way == "packed" else _document(name)
        status = "503 Busy" if way == "error" else "200 OK"
        packed = ("Content-Encoding: gzip",) if way == "packed" else ()
        yield with_length(body, "application/json", status, *packed)
    else:
        yield head()
        for number, piece in enumerate(chunked(*_events(name))):
            yield piece
            if way == "broken" and number == _PIECES // 2:
                break
            await asyncio.sleep(0.02 if way == "left" else 0)
    yield STOP


def expected(name: str, way: str) -> bytes:
    """The body that an application gets, with a mark at the end of a stream."""
    if way in ("whole", "packed", "error"):
        return gzip.compress(_document(name), mtime=0) if way == "packed" else _document(name)
    return b"".join(_events(name)) + _END


def body_of(found: bytes) -> bytes:
    """The body of an answer so far; of a stream without the lengths of its pieces, which are of each connection."""
    top, _, body = found.partition(b"\r\n\r\n")
    if b"chunked" not in top.lower():
        return body
    pieces = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size or b"0", 16)
        if not length and size == b"0":
            return pieces + _END
        pieces, body = pieces + rest[:length], rest[length + 2 :]
    return pieces


def apply(number: int, told: Told, seed: int) -> None:
    """Be an application: ask until it is over, and compare each answer."""
    choose = random.Random(f"{seed} {number}")
    count = 0
    while not told.is_over:
        count += 1
        name, way, address = f"a{number}-{count}", choose.choice(_WAYS), told.address
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": name}], "user": f"{name} {way}"})
        begun = time.monotonic()
        if not address:
            time.sleep(0.05)
            continue
        try:
            found = exchanged(address, post(_PATH, body.encode()), way == "slow", 200 if way == "left" else None)
        except OSError:
            found = b""
        _judge(name, way, found, told, begun)
        time.sleep(choose.random() * 0.05)


def _judge(name: str, way: str, found: bytes, told: Told, begun: float) -> None:
    whole, got = expected(name, way), body_of(found)
    if got == whole:
        told.ended[f"{name} {way}"] = time.monotonic()
        told.ways[way] += 1
        return
    was_killed = any(begun <= kill for kill in told.kills)
    is_part = whole.startswith(got) or b"no answer from" in got
    if not is_part or (way not in ("left", "broken") and not was_killed):
        told.faults.append(f"{name} {way}: got {len(got):,} of {len(whole):,} bytes, {found[:60]!r}")


def _resident(process: int) -> int:
    status = Path(f"/proc/{process}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def check(file: Path, told: Told) -> None:
    """Compare the file with what the applications saw."""
    torn, lines = 0, {}
    for line in file.read_bytes().split(b"\n"):
        try:
            record = json.loads(line) if line else None
        except ValueError:
            torn += 1
            continue
        if record and isinstance(record["request"], dict):
            lines[record["request"]["user"]] = record
    if torn > len(told.kills):
        told.faults.append(f"{torn} torn lines after {len(told.kills)} kills")
    for name, ended in told.ended.items():
        if any(abs(kill - ended) < _SETTLED_SECONDS for kill in told.kills):
            continue
        if name not in lines:
            told.faults.append(f"{name}: ended, and is not in the file")
        elif lines[name]["response"]["choices"][0]["message"]["content"] != text_of(name.partition(" ")[0]):
            told.faults.append(f"{name}: is in the file with another text")


def main() -> int:
    """Record for as long as is asked. Returns the exit code."""
    parser = ArgumentParser(prog="python -m tests.recording.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    told, choose = Told(), random.Random(asked.seed)
    end = time.monotonic() + 60 * asked.minutes
    with tempfile.TemporaryDirectory() as folder, stand_in(answer) as server:
        file = Path(folder, "recorded.jsonl")
        with ThreadPoolExecutor(_APPLICATIONS) as applications:
            started = threading.Event()
            for number in range(_APPLICATIONS):
                applications.submit(lambda one=number: (started.wait(), apply(one, told, asked.seed)))
            while time.monotonic() < end:
                with recording(server.address, file) as (process, told.address):
                    started.set()
                    before = _resident(process.pid)
                    time.sleep(min(choose.uniform(5, 25), max(end - time.monotonic(), 1)))
                    grown = _resident(process.pid) - before
                    if grown > _MOST_GROWTH_KB:
                        told.faults.append(f"the process grew by {grown:,} KB")
                    told.address = ""
                    time.sleep(0.01)
                    told.kills.append(time.monotonic())
                    process.kill()
                print(f"{len(told.ended):,} ended, {len(told.kills)} kills, {len(told.faults)} faults, +{grown:,} KB")
            told.is_over = True
        check(file, told)
        print(f"{file.stat().st_size:,} bytes; {dict(told.ways)}")
    for fault in told.faults[:20]:
        print(fault)
    return 1 if told.faults or not told.ended else 0


if __name__ == "__main__":
    sys.exit(main())
