"""The recorder between real clients and a real llama.cpp server: a part of `make servers`.

The clients of OpenAI and Anthropic talk through `prompt-inspector record`, by streams and without, while it is killed
in an answer and started again on the same file. Opened again, the file must have every exchange that ended, with the
texts and the usage that the clients saw, and every prompt must count as many tokens as the server did.
"""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.formats import load_workspace
from inspector.model import Workspace
from tests.recording.stand_in import recording

_SYSTEM = "Be brief and kind."
_ASKED = ("The harbour light was out.", "Who had noticed that?", "蓝色的珊瑚 🙂 at dawn", "And the tide?")
_LENGTH = 24
_Process = subprocess.Popen[str]
_MORE = {"temperature": 0}
_KEY = "sk-no-such-key-0123456789abcdef"


@dataclass
class Talk:
    """An exchange as a client saw it; `answer` is the whole text."""

    said: list[dict[str, str]]
    answer: str
    prompt_tokens: int
    answer_tokens: int


@dataclass
class Seen:
    """All exchanges of both clients, and what was wrong."""

    talks: list[Talk] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


Count = Callable[[Path], int]
"""Our count of the whole prompt of a chat file."""


def check_recorder(address: str, folder: Path, count: Count) -> tuple[int, list[str]]:
    """Record real clients of a server at `host:port`; return the number of exchanges, and what was wrong."""
    file, seen = folder / "recorded.jsonl", Seen()
    to = f"http://{address}"
    for talk in (_of_openai, _break_off, _of_anthropic):
        with recording(to, file) as (process, proxy):
            talk(proxy, process, seen)
            process.terminate()
            process.wait()
    _check_file(file, seen)
    if not seen.problems:
        _check_counts(file, seen, count)
    return len(seen.talks), seen.problems


def _of_openai(proxy: str, _process: _Process, seen: Seen) -> None:
    """A conversation of OpenAI's client, each second answer by a stream."""
    from openai import OpenAI

    messages: list[Any] = [{"role": "system", "content": _SYSTEM}]
    with OpenAI(base_url=f"{proxy}/v1", api_key=_KEY, max_retries=0) as client:
        for number, text in enumerate(_ASKED):
            messages.append({"role": "user", "content": text})
            asked: dict[str, Any] = {
                "model": "tiny",
                "messages": messages,
                "max_tokens": _LENGTH,
                "temperature": 0,
                "extra_body": _MORE,
            }
            if number % 2:
                answer, usage = "", None
                for chunk in client.chat.completions.create(
                    **asked, stream=True, stream_options={"include_usage": True}
                ):
                    answer += "".join(choice.delta.content or "" for choice in chunk.choices)
                    usage = chunk.usage or usage
            else:
                whole = client.chat.completions.create(**asked)
                answer, usage = whole.choices[0].message.content or "", whole.usage
            if usage is None:
                seen.problems.append(f"the server tells no usage of request {number + 1}")
                return
            seen.talks.append(Talk([*messages], answer, usage.prompt_tokens, usage.completion_tokens))
            messages.append({"role": "assistant", "content": answer})


def _of_anthropic(proxy: str, _process: _Process, seen: Seen) -> None:
    """A conversation of Anthropic's client, each second answer by a stream."""
    from anthropic import Anthropic

    messages: list[Any] = []
    with Anthropic(base_url=proxy, api_key=_KEY, max_retries=0) as client:
        for number, text in enumerate(_ASKED):
            messages.append({"role": "user", "content": text})
            asked: dict[str, Any] = {"model": "tiny", "max_tokens": _LENGTH, "extra_body": _MORE}
            asked |= {"system": _SYSTEM, "messages": messages}
            if number % 2:
                with client.messages.stream(**asked) as stream:
                    found = stream.get_final_message()
            else:
                found = client.messages.create(**asked)
            answer = "".join(block.text for block in found.content if block.type == "text")
            said = [{"role": "system", "content": _SYSTEM}, *messages]
            prompt = found.usage.input_tokens + (found.usage.cache_read_input_tokens or 0)
            seen.talks.append(Talk(said, answer, prompt, found.usage.output_tokens))
            messages.append({"role": "assistant", "content": answer})


def _break_off(proxy: str, process: _Process, seen: Seen) -> None:
    """Kill the recorder in the middle of an answer: the client sees an error, and the file stays readable."""
    from openai import APIError, OpenAI

    with OpenAI(base_url=f"{proxy}/v1", api_key=_KEY, max_retries=0) as client:
        stream = client.chat.completions.create(
            model="tiny", messages=[{"role": "user", "content": "x"}], max_tokens=900, stream=True, extra_body=_MORE
        )
        next(iter(stream))
        process.kill()
        process.wait()
        try:
            for _ in stream:
                pass
        except (APIError, OSError, *_transport_errors()):
            return
    seen.problems.append("the stream of a killed recorder ended as if it were whole")


def _transport_errors() -> tuple[type[Exception], ...]:
    import httpx

    return (httpx.TransportError,)


def _check_file(file: Path, seen: Seen) -> None:
    """Hold the opened file against the exchanges: texts, usage, and no key."""
    written = file.read_text(encoding="utf-8")
    if _KEY in written:
        seen.problems.append("the file has the key of the clients")
    lines = [json.loads(line) for line in written.splitlines()]
    if len(lines) != len(seen.talks):
        seen.problems.append(f"the file has {len(lines)} exchanges, the clients had {len(seen.talks)}")
    found = {(one.said, one.answer): one for one in _opened(load_workspace([str(file)]))}
    for talk in seen.talks:
        key = tuple((one["role"], one["content"]) for one in talk.said if one["role"] != "system"), talk.answer
        if key not in found:
            seen.problems.append(f"not in the file as the client saw it: {talk.answer[:40]!r}")
        elif found[key].prompt_tokens != talk.prompt_tokens:
            seen.problems.append(f"recorded {found[key].prompt_tokens} tokens, the client saw {talk.prompt_tokens}")


@dataclass(frozen=True)
class _Recorded:
    said: tuple[tuple[str, str], ...]
    answer: str
    prompt_tokens: Any


def _opened(workspace: Workspace) -> list[_Recorded]:
    """Every answer of the opened conversations, with the messages before it."""
    found: list[_Recorded] = []
    for chat in workspace.conversations:
        for place, message in enumerate(chat.messages):
            if message.role == "assistant" and "recorded_prompt_tokens" in message.metadata:
                before = tuple((one.role, one.content) for one in chat.messages[:place] if one.role != "system")
                found.append(_Recorded(before, message.content, message.metadata["recorded_prompt_tokens"]))
    return found


def _check_counts(file: Path, seen: Seen, count: Count) -> None:
    """Hold our count of every prompt, by the tokenizer and the template of the model, against the server's."""
    for talk in seen.talks:
        chat = file.with_name("prompt.json")
        chat.write_text(json.dumps(talk.said), encoding="utf-8")
        ours = count(chat)
        if ours != talk.prompt_tokens:
            seen.problems.append(f"a prompt of {len(talk.said)} messages: ours {ours}, theirs {talk.prompt_tokens}")
