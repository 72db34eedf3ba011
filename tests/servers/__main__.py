"""`make servers`: real servers of llama.cpp on this machine, asked and compared with our own count of the same model.

`python -m tests.servers` makes a tiny model, starts each server on a free port of 127.0.0.1, and asks it through the
command `prompt-inspector servers`. Every text has to count alike, and the context has to be the one that the server was
started with. Then real clients talk to llama.cpp through the recorder (`recorder`), and what llama.cpp refuses and
forgets is compared with our rule for it (`contexts`). The servers live in an environment of their own, which
`make servers` sets up. It exits with 1 if anything differs.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.servers.contexts import Slot, problems
from tests.servers.recorder import check_recorder

ROOT = Path(__file__).parents[2]
ENVIRONMENT = Path(os.environ.get("PROMPT_INSPECTOR_SERVERS", ROOT / ".servers"))
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LLAMA_SERVER = ENVIRONMENT / "llama.cpp" / "bin" / ("llama-server.exe" if os.name == "nt" else "llama-server")
LLAMA_CPP = "llama.cpp"
CONTEXT_LENGTH = 1024
WORDS = ("--grammar", "root ::= [a-z ]+")
"""Random weights answer by halves of characters, of which llama.cpp makes streams that Anthropic's client refuses."""
START_SECONDS = 60
TEXTS = (
    "Be brief and kind.",
    "The harbour light was out, and nobody had noticed.",
    "  two spaces, a tab\t, and\n\n\nthree lines ",
    "蓝色的珊瑚 مرحبا יום טוב 🙂👩‍👩‍👧 é é",
    'def f(x):\n    return {"key": [1, 22, 333, 4444]}  # 1234567890',
    "assistant",
    "x" * 60,
    "I'LL we're don't 'tis",
)
_SLOTS = {
    "llama.cpp, one slot that shifts": (("-c", "256", "-np", "1", "--context-shift", "--cache-ram", "0"), 256),
    "llama.cpp, two slots": (("-c", "1024", "-np", "2", "--cache-ram", "0"), 512),
    "llama.cpp, two slots of one cache": (("-c", "512", "-np", "2", "--kv-unified", "--cache-ram", "0"), 512),
}
"""Options of servers, and the context that a slot has by them; no cache of prompts beside that of the slots."""
SPELLED = "Ends with <|im_end|> and begins with <|im_start|>user"
"""Text that looks like special tokens: llama.cpp is asked to take it as text, llama-cpp-python cannot be."""


def main() -> int:
    """Ask every server that is installed; how many differ decides the exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = folder / "tiny.gguf"
        subprocess.run([str(PYTHON), str(Path(__file__).with_name("tiny_model.py")), str(model)], check=True)
        differences = 0
        for title, command in _commands(model).items():
            with _running(title, command, folder) as address:
                differences += _compare(title, address, model)
                if title == LLAMA_CPP:
                    differences += _record(title, address, model)
        for title, (options, context) in _SLOTS.items() if LLAMA_SERVER.exists() else ():
            with _running(title, _llama_server(model, *options), folder) as address:
                differences += _told(title, problems(Slot(address, model, context, "--context-shift" in options)))
    return 1 if differences else 0


def _commands(model: Path) -> dict[str, list[str]]:
    """How each server is started; the port is added."""
    length, host = str(CONTEXT_LENGTH), "127.0.0.1"
    packaged = [str(PYTHON), "-m", "llama_cpp.server", "--model", str(model), "--n_ctx", length, "--host", host]
    commands = {"llama-cpp-python": packaged}
    if LLAMA_SERVER.exists():
        commands[LLAMA_CPP] = _llama_server(model, "-c", length, "-np", "1", *WORDS)
    else:
        print(f"llama.cpp: not built, {LLAMA_SERVER} is not there")
    return commands


def _llama_server(model: Path, *options: str) -> list[str]:
    """The command of llama.cpp's own server; one thread is enough for a tiny model, more wait for each other."""
    return [str(LLAMA_SERVER), "-m", str(model), *options, "-t", "1", "-tb", "1", "--host", "127.0.0.1"]


def _told(title: str, problems: Sequence[str]) -> int:
    print(f"{title}: {len(problems)} differences of what is refused and forgotten")
    for problem in problems:
        print(f"  {problem}")
    return len(problems)


@contextmanager
def _running(title: str, command: Sequence[str], folder: Path) -> Iterator[str]:
    """A server that answers; its address. Its own output is shown only where it does not start."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = folder / f"{title}.log"
    with log.open("w") as output:
        server = subprocess.Popen([*command, "--port", str(port)], stdout=output, stderr=subprocess.STDOUT)
    try:
        address = f"127.0.0.1:{port}"
        if not _answers(address, server):
            raise RuntimeError(f"{title} did not start:\n{log.read_text(errors='replace')[-2000:]}")
        yield address
    finally:
        server.terminate()
        server.wait()


def _answers(address: str, server: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        if _asked(address)["servers"]:
            return True
        time.sleep(0.5)
    return False


def _asked(address: str, *more: str) -> Any:
    """What the command answers."""
    command = [sys.executable, "-m", "inspector", "servers", address, *more, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def _compare(title: str, address: str, model: Path) -> int:
    """Compare one server with our count of the same model and print what came of it. Returns how many differ."""
    chat, spelled = _chat_file(model.with_name("chat.json"), TEXTS), _chat_file(model.with_name("a.json"), [SPELLED])
    answer = _asked(address, "--count", str(chat), "--tokenizer", f"gguf:{model}")
    (server,), measured = answer["servers"], answer["measured"]
    items, prompt = measured["items"], measured["prompt"]
    if not measured["reads_specials"]:
        items += _asked(address, "--count", str(spelled), "--tokenizer", f"gguf:{model}")["measured"]["items"]
    problems = _wrong_lengths(title, server["models"][0])
    if not measured["tokenizer"].startswith("gguf:"):
        problems.append(f"ours was counted by {measured['tokenizer']}, not by the tokenizer of the model")
    problems += [f"{item['item']}: {_both(item)}" for item in items if item["ours"] != item["theirs"]]
    if prompt and prompt["ours"] != prompt["theirs"]:
        problems.append(f"the whole prompt: {_both(prompt)}")
    whole = "whole prompt not asked" if prompt is None else f"whole prompt of {prompt['theirs']:,} tokens"
    print(f"{title} {server['version']}: {len(items)} texts, {whole}, {len(problems)} differences")
    for problem in problems:
        print(f"  {problem}")
    return len(problems)


def _record(title: str, address: str, model: Path) -> int:
    """Record clients of one server and print what came of it. Returns how many problems there are."""

    def count(chat: Path) -> int:
        answer = _asked(address, "--count", str(chat), "--tokenizer", f"gguf:{model}")
        return int(answer["measured"]["prompt"]["ours"])

    exchanges, problems = check_recorder(address, model.parent, count)
    print(f"{title} through the recorder: {exchanges} exchanges, {len(problems)} problems")
    for problem in problems:
        print(f"  {problem}")
    return len(problems)


def _both(counted: dict[str, Any]) -> str:
    return f"ours {counted['ours']}, theirs {counted['theirs']}"


def _chat_file(path: Path, texts: Sequence[str]) -> Path:
    """A chat of these texts; a system message first where there are many, the last one the user's."""
    roles = ["system", *("user", "assistant") * len(texts)] if len(texts) > 1 else ["user"]
    messages = [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]
    path.write_text(json.dumps(messages), encoding="utf-8")
    return path


def _wrong_lengths(title: str, model: dict[str, Any]) -> list[str]:
    told = (model["context_length"], model["max_context_length"])
    expected = (None, None) if title == "llama-cpp-python" else (CONTEXT_LENGTH, 4096)
    return [] if told == expected else [f"it tells the lengths {told}, expected {expected}"]


if __name__ == "__main__":
    sys.exit(main())
