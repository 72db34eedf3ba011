"""Local servers for tests: the answers of each kind, as its maker documents them, and servers that misbehave."""

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

TRICKLED_BYTES = 300
CERTIFICATE = Path(__file__).with_name("loopback.pem")
"""A certificate for 127.0.0.1, and its key."""
Misbehaviour = Callable[[socket.socket, threading.Event], None]
Answer = Any
"""JSON; an integer for an error of that number; bytes for a body as it is; a function of the request's body."""


def words(text: str) -> int:
    """What the recorded servers count: one token a word."""
    return len(text.split())


OLLAMA: dict[str, Answer] = {
    "/api/version": {"version": "0.12.6"},
    "/api/tags": {
        "models": [
            {"name": "llama3.2:latest", "model": "llama3.2:latest", "size": 2019393189, "details": {"format": "gguf"}},
            {"name": "qwen2.5:7b", "model": "qwen2.5:7b", "size": 4683087332, "details": {"family": "qwen2"}},
            {"name": "gemma3:4b", "model": "gemma3:4b", "size": 3338801804},
        ]
    },
    "/api/ps": {
        "models": [
            {"name": "qwen2.5:7b", "model": "qwen2.5:7b", "size_vram": 6333087332, "context_length": 8192},
        ]
    },
    "/api/show": lambda body: {
        "llama3.2:latest": {
            "parameters": 'num_ctx                        16384\nstop                           "<|eot_id|>"',
            "model_info": {"general.architecture": "llama", "llama.context_length": 131072},
        },
        "qwen2.5:7b": {"model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32768}},
        "gemma3:4b": {"model_info": {"gemma3.context_length": 131072}},
    }[body["model"]],
}
LM_STUDIO: dict[str, Answer] = {
    "/api/v0/models": {
        "object": "list",
        "data": [
            {"id": "qwen2-vl-7b", "type": "vlm", "state": "not-loaded", "max_context_length": 32768},
            {
                "id": "meta-llama-3.1-8b-instruct",
                "type": "llm",
                "state": "loaded",
                "max_context_length": 131072,
                "loaded_context_length": 4096,
            },
            {"id": "nomic-embed", "type": "embeddings", "state": "not-loaded", "max_context_length": 2048},
        ],
    },
}
LM_STUDIO_V1: dict[str, Answer] = {
    "/api/v1/models": {
        "models": [
            {
                "type": "llm",
                "key": "google/gemma-3-12b",
                "loaded_instances": [{"id": "google/gemma-3-12b", "config": {"context_length": 6000}}],
                "max_context_length": 131072,
            },
            {"type": "llm", "key": "qwen3-4b", "loaded_instances": [], "max_context_length": 40960},
            {"type": "embedding", "key": "nomic", "loaded_instances": [], "max_context_length": 2048},
        ]
    },
}
LLAMA_CPP: dict[str, Answer] = {
    "/props": {
        "default_generation_settings": {"id": 0, "n_ctx": 16384, "params": {"temperature": 0.8}},
        "total_slots": 1,
        "model_path": "../models/Qwen2.5-7B-Instruct-Q4_K_M.gguf",
        "chat_template": "…",
        "build_info": "b6800-1a2b3c4d",
    },
    "/v1/models": {
        "object": "list",
        "data": [
            {
                "id": "../models/Qwen2.5-7B-Instruct-Q4_K_M.gguf",
                "owned_by": "llamacpp",
                "meta": {"n_vocab": 152064, "n_ctx_train": 32768},
            }
        ],
    },
    "/tokenize": lambda body: {
        "tokens": list(range(words(body["content"]) + body["add_special"] + body["parse_special"]))
    },
    "/apply-template": lambda body: {
        "prompt": " ".join(f"[{each['role']}] {each['content']}" for each in body["messages"])
    },
    # It also speaks Ollama's way, and must not be taken for it.
    "/api/tags": {"models": [{"name": "x", "model": "x"}]},
    "/api/version": {"version": "0.0.0"},
}
VLLM: dict[str, Answer] = {
    "/version": {"version": "0.11.0"},
    "/v1/models": {
        "object": "list",
        "data": [
            {"id": "Qwen/Qwen2.5-7B-Instruct", "owned_by": "vllm", "root": "Qwen/…", "max_model_len": 32768},
        ],
    },
    "/tokenize": lambda body: {
        "count": words(body["prompt"])
        if "prompt" in body
        else sum(words(each["content"]) + 4 for each in body["messages"]) + 3 * body["add_generation_prompt"],
        "max_model_len": 32768,
        "tokens": [],
    },
}
KOBOLDCPP: dict[str, Answer] = {
    "/api/extra/version": {"result": "KoboldCpp", "version": "1.98.1"},
    "/api/extra/true_max_context_length": {"value": 12288},
    "/api/v1/model": {"result": "koboldcpp/Mistral-7B-Instruct-v0.3.Q5_K_M"},
    "/api/extra/tokencount": lambda body: {"value": words(body["prompt"]) + 1, "ids": []},
    "/props": {"default_generation_settings": {"n_ctx": 4096}},
    "/api/version": {"version": "0.7.0"},
}
LLAMA_CPP_PYTHON: dict[str, Answer] = {
    "/v1/models": {"object": "list", "data": [{"id": "tiny", "object": "model", "owned_by": "me", "permissions": []}]},
    "/openapi.json": {"info": {"title": "🦙 llama.cpp Python API", "version": "0.3.16"}},
    "/extras/tokenize/count": lambda body: {"count": words(body["input"]) + 1},
}
OTHER: dict[str, Answer] = {"/v1/models": {"object": "list", "data": [{"id": "mystery", "owned_by": "someone"}]}}


def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow connections to this machine, where a module's `no_network` calls this; any other fails the test."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1"):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)


@contextmanager
def recorded(answers: Mapping[str, Answer], asked: list[str] | None = None) -> Iterator[str]:
    """A server that gives these answers by path, and 404 for others; the address. `asked` is filled with requests."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def _answer(self, body: Any) -> None:
            if asked is not None:
                asked.append(f"{self.command} {self.path}")
            answer = answers.get(self.path, 404)
            if callable(answer):
                answer = answer(body)
            status = answer if isinstance(answer, int) else 200
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            with suppress(ConnectionError):  # whoever asked may have given up by now
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the tests say what was asked."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def misbehaving(answer: Misbehaviour, with_tls: bool = False) -> Iterator[str]:
    """A server that takes connections and does with each what `answer` does, until the event is set; the address."""
    ended = threading.Event()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if with_tls else None
    if tls is not None:
        tls.load_cert_chain(CERTIFICATE)
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.02)

    def serve() -> None:
        while not ended.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            connection.settimeout(2)
            with suppress(OSError), closing(connection):  # the other side gives up, as it should
                if tls is None:
                    answer(connection, ended)
                else:
                    with tls.wrap_socket(connection, server_side=True) as secured:
                        answer(secured, ended)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        ended.set()
        thread.join()
        listener.close()


def silent(connection: socket.socket, ended: threading.Event) -> None:
    """Takes the connection and says nothing."""
    ended.wait(30)


def dripping(start: bytes, drop: bytes) -> Misbehaviour:
    """Never silent, never done; much longer than anybody should wait, and not for ever, so that whoever waits fails."""

    def answer(connection: socket.socket, ended: threading.Event) -> None:
        connection.recv(1 << 16)
        connection.sendall(start)
        for _ in range(TRICKLED_BYTES):
            if ended.wait(0.02):
                return
            connection.sendall(drop)

    return answer


def flooding(start: bytes, wave: bytes) -> Misbehaviour:
    """An answer that goes on as fast as it is taken, for at least 20 MB."""

    def answer(connection: socket.socket, ended: threading.Event) -> None:
        connection.recv(1 << 16)
        connection.sendall(start)
        for _ in range(TRICKLED_BYTES):
            connection.sendall(wave * -(-(1 << 16) // len(wave)))

    return answer


trickling = dripping(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x")
"""One byte of a header again and again."""
trickling_body = dripping(b"HTTP/1.1 200 OK\r\n\r\n[", b" ")
endless = flooding(b"HTTP/1.1 200 OK\r\n\r\n[", b" ")


def garbage(connection: socket.socket, ended: threading.Event) -> None:
    """Something that is no HTTP."""
    connection.recv(1 << 16)
    connection.sendall(b"\x00\xffSSH-2.0-OpenSSH_9.2\r\n\r\n")


def hanging_up(connection: socket.socket, ended: threading.Event) -> None:
    """Closes the connection without a word."""
    connection.recv(1 << 16)


def redirecting(target: str) -> Misbehaviour:
    """Sends everybody elsewhere."""

    def answer(connection: socket.socket, ended: threading.Event) -> None:
        connection.recv(1 << 16)
        head = f"HTTP/1.1 302 Found\r\nLocation: http://{target}/v1/models\r\nContent-Length: 0\r\n\r\n"
        connection.sendall(head.encode())

    return answer
