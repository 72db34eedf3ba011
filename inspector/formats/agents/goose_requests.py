"""The last requests of Goose as it logs them: the body that a provider got, and the pieces of its answer.

Layout: block/goose, `crates/goose/src/providers/utils.rs` (`RequestLog`, `llm_request.0.jsonl` to `.9`): a line with
`model_config` and the body as `input`, then a line for each piece with `data` and `usage`, or an `error`. The body has
the layout of the provider: OpenAI, Anthropic or Gemini; a piece is a message of Goose, in older versions the answer as
the provider wrote it. The usage has the cached tokens inside of its input (`conversation/token_usage.rs`).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.agents.goose_parts import Placed, is_message, joined, messages_of
from inspector.formats.agents.session import LeftOut, Session, lines_of
from inspector.formats.claude.api import Exchange, chat_of
from inspector.formats.content.usage import read_usage
from inspector.formats.gemini.bodies import Body, schemas_of
from inspector.formats.gemini.parts import linked
from inspector.formats.notes import Notes
from inspector.formats.openai.records import read_chat
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, mapping, stem


def is_request(record: Mapping[str, Any]) -> bool:
    """Return whether a record is the first line of a request: the settings of the model, and the body."""
    return "model_name" in mapping(record.get("model_config")) and isinstance(record.get("input"), Mapping)


def requests_of(source: FileSource, notes: Notes, left_out: LeftOut) -> Iterator[Session]:
    """Yield each request of a log as a session that ends with its answer."""
    groups: list[list[Placed]] = []
    for place, record in lines_of(source, notes):
        if is_request(record) or not groups:
            groups.append([])
        groups[-1].append((place, record))
    for number, group in enumerate(groups):
        yield _request(group, f"{stem(source.path)}{f'-{number + 1}' if number else ''}", notes, left_out)


def _request(group: list[Placed], id_: str, notes: Notes, left_out: LeftOut) -> Session:
    session = Session(notes, id_)
    pieces: list[Placed] = []
    usage: Any = None
    for place, record in group:
        if is_request(record):
            _ask(session, record, place)
        elif is_message(record.get("data")):
            pieces.append((f"{place}.data", mapping(record["data"])))
        elif record.get("data") or "data" not in record:
            _read_other(session, record, place, left_out)
        usage = record.get("usage") or usage
    for place, held in joined(pieces):
        session.add(as_text(held.get("id") or ""), messages_of(held, notes, place, left_out), place)
    if usage and session.tip and session.last_answer() == session.tip:
        used = read_usage(mapping(usage).get("usage", usage), is_inside=True)
        session.annotate(session.tip, used.metadata, used.thoughts)
    return session


def _ask(session: Session, record: Mapping[str, Any], place: str) -> None:
    config = mapping(record["model_config"])
    _read_body(session, mapping(record["input"]), place, "input")
    session.model = as_text(config["model_name"]) or session.model
    session.context_window = as_whole(config.get("context_limit"))


def _read_other(session: Session, record: Mapping[str, Any], place: str, left_out: LeftOut) -> None:
    """Read a line that is no piece: an answer as the provider wrote it, or an error."""
    if isinstance(record.get("data"), Mapping):
        _read_body(session, record["data"], place, "data")
    elif "error" in record:
        session.notes.add(f"{place}.error", f"was answered by an error: {as_text(record['error'])[:200]}", "info")
    else:
        left_out.add(as_text(record.get("type") or ", ".join(record)), place, False)


def _read_body(session: Session, body: Mapping[str, Any], place: str, key: str) -> None:
    """Add the messages of a request or an answer in the layout of its provider."""
    at = f"{place}.{key}"
    exchange = Exchange(*(({}, body) if key == "data" else (body, {})), "", f".{key}", f".{key}")
    if "contents" in body or "candidates" in body:
        read = Body(session.notes)
        read.read(body, at)
        _add(session, [(at, message) for message in linked(read.messages)], read.system, list(schemas_of(read)))
    elif exchange.is_anthropic:
        saved = chat_of(exchange, session.notes, place)
        found = [(node.place, message) for node in saved.nodes.values() for message in node.messages]
        _add(session, found, saved.system, list(saved.tools))
    elif chat := read_chat(body, session.notes, at):
        _add(session, [(at, message) for message in chat.messages], "", list(chat.tools))
    else:
        session.notes.add(at, "holds no message that could be read; it was left out")


def _add(session: Session, found: list[tuple[str, Any]], system: str, tools: list[Mapping[str, Any]]) -> None:
    for place, message in found:
        session.add("", [message], place)
    session.system = session.system or system
    session.tools = session.tools or tools
