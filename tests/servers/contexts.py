"""What a real server of llama.cpp refuses and forgets, beside our policy `llamacpp` and our last step of a server.

Prompts are given as tokens and as chats. A prompt that the server took is generated on, without an end, for so many
tokens. What the server still holds of it then is told by its cache: a second prompt of exactly the tokens that should
be held, and of the last ones it made, has to be read from the cache as a whole.
"""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TEXT = "The harbour light was out, and nobody in the town had noticed that the tide had turned an hour ago. "
AROUND = (-2, -1, 0, 1, 40)
"""Lengths of prompts, from the context of a slot."""
REPLIES = ((56, 0, 0), (57, 0, 0), (100, 0, 0), (100, 10, 0), (100, -1, 0), (100, 10, 20), (300, 0, 0), (300, 5, 7))
"""Tokens of a reply to a prompt of 200, those kept at the front, and those forgotten at once."""
PROMPT = 200
_SECONDS = 120


@dataclass(frozen=True)
class Slot:
    """A server under its address, with the context of a slot that it should have, and whether it shifts."""

    address: str
    model: Path
    context: int
    shifts: bool


def problems(slot: Slot) -> list[str]:
    """Return a sentence for each difference between the server and us."""
    found = [*_told_contexts(slot), *_refusals(slot), *_chats(slot)]
    found += _replies(slot) if slot.shifts else _ends(slot)
    return found


def _told_contexts(slot: Slot) -> Iterator[str]:
    """The context that we read from the server is the one of a slot."""
    (server,) = _command("servers", slot.address)["servers"]
    told = server["models"][0]["context_length"]
    if told != slot.context:
        yield f"we read a context of {told}, a slot has {slot.context}"


def _refusals(slot: Slot) -> Iterator[str]:
    """The server refuses the lengths that our policy refuses."""
    tokens = _tokens(slot)
    for length in (slot.context + more for more in AROUND):
        status, answer = _post(slot, "/completion", {"prompt": tokens[:length], "n_predict": 1})
        refuses = status == 400
        ours = _assembled(slot, tokens[:length], reply=1).get("error") is not None
        if refuses != ours:
            yield f"a prompt of {length}: refused here {ours}, there {refuses}"
        if refuses and answer["error"]["n_ctx"] != slot.context:
            yield f"a prompt of {length}: refused for a context of {answer['error']['n_ctx']}, not {slot.context}"


def _ends(slot: Slot) -> Iterator[str]:
    """Without a shift the reply ends where the context is full, and nothing of the prompt is forgotten."""
    tokens = _tokens(slot)[:PROMPT]
    _, answer = _generated(slot, tokens, slot.context, 0, 0)
    if answer["tokens_predicted"] != slot.context - PROMPT:
        yield f"a reply to {PROMPT} ends after {answer['tokens_predicted']}, not after {slot.context - PROMPT}"
    ours = _assembled(slot, tokens, reply=slot.context)
    if _spent(ours) != PROMPT:
        yield f"without a shift we forget {PROMPT - _spent(ours)} tokens of the prompt"


def _replies(slot: Slot) -> Iterator[str]:
    """After a reply the server holds as much of the prompt as our policy says."""
    tokens = _tokens(slot)[:PROMPT]
    for reply, keep, discard in REPLIES:
        _, answer = _generated(slot, tokens, reply, keep, discard)
        ours = _assembled(slot, tokens, reply, n_keep=keep, n_discard=discard)
        left, case = _spent(ours), f"a reply of {reply}, keep {keep}, discard {discard}"
        if answer["truncated"] != ("context_shifted" in {one["code"] for one in ours["findings"]}):
            yield f"{case}: shifted there {answer['truncated']}, here otherwise"
        front = min(PROMPT if keep < 0 else keep, left)
        held = tokens[:front] + tokens[PROMPT - (left - front) :]
        made = answer["tokens"][:-1][len(answer["tokens"]) - 1 - (answer["tokens_cached"] - left) :]
        _, again = _post(slot, "/completion", {"prompt": [*held, *made], "n_predict": 1})
        expected, cached = len(held) + len(made), again["timings"]["cache_n"] + 1  # the last token is always read anew
        if not expected == cached == answer["tokens_cached"]:
            yield f"{case}: {left} of the prompt and {len(made)} more are held here, {cached} tokens of them there"


def _chats(slot: Slot) -> Iterator[str]:
    """The last step refuses the chats that the server refuses, but for those nearer than its planned tokens tell."""
    for number in (1, 3, 5, 7, 9, 11, 15, 21):
        roles = ("user", "assistant")
        chat = [{"role": roles[place % 2], "content": TEXT[: 40 + 7 * place]} for place in range(number)]
        status, answer = _post(slot, "/v1/chat/completions", {"messages": chat, "max_tokens": 1})
        file = slot.model.with_name("sent.json")
        file.write_text(json.dumps(chat), encoding="utf-8")
        step = ("--server", "llamacpp", "--server-context", str(slot.context))
        value = _command("assemble", str(file), "--policy", "naive", *step, "--tokenizer", f"gguf:{slot.model}")
        theirs = answer["usage"]["prompt_tokens"] if status == 200 else answer["error"]["n_prompt_tokens"]
        if value["ledger"]["total"] != theirs:
            yield f"a chat of {number}: {value['ledger']['total']} tokens here, {theirs} there"
        refuses = "server_refuses" in {one["code"] for one in value["findings"]}
        if refuses != (status != 200) and abs(theirs - slot.context) > 2 * number:
            yield f"a chat of {number} with {theirs} tokens: refused here {refuses}, there {status != 200}"


def _generated(slot: Slot, tokens: Sequence[int], reply: int, keep: int, discard: int) -> tuple[int, Any]:
    asked = {"prompt": tokens, "n_predict": reply, "n_keep": keep, "n_discard": discard}
    return _post(slot, "/completion", {**asked, "ignore_eos": True, "return_tokens": True, "temperature": 0})


def _tokens(slot: Slot) -> list[int]:
    """The tokens of a long text, as the server reads it: each is a prompt of so many."""
    _, answer = _post(slot, "/tokenize", {"content": TEXT * 24})
    found: list[int] = answer["tokens"]
    return found


def _assembled(slot: Slot, tokens: Sequence[int], reply: int, **parameters: int) -> Any:
    """What our policy makes of a prompt of these tokens: a chat of their text, without formatting."""
    _, answer = _post(slot, "/detokenize", {"tokens": tokens})
    file = slot.model.with_name("prompt.json")
    file.write_text(json.dumps([{"role": "user", "content": answer["content"]}]), encoding="utf-8")
    given = {"n_ctx": slot.context, "context_shift": str(slot.shifts).lower(), "reply_tokens": reply, **parameters}
    given |= {"message_overhead": 0, "reply_overhead": 0}
    settings = [part for name, value in given.items() for part in ("--set", f"{name}={value}")]
    return _command("assemble", str(file), "--policy", "llamacpp", "--tokenizer", f"gguf:{slot.model}", *settings)


def _spent(value: Any) -> int:
    return sum(item["spent"] for item in value["items"])


def _command(*arguments: str) -> Any:
    command = [sys.executable, "-m", "inspector", *arguments, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if not done.stdout:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def _post(slot: Slot, path: str, asked: dict[str, Any]) -> tuple[int, Any]:
    """The status and the answer of the server, an error included."""
    body = json.dumps(asked).encode()
    request = urllib.request.Request(f"http://{slot.address}{path}", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)
