"""`logs.db` of the command line `llm` (llm.datasette.io): responses with their prompts, and the chats they are in."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from inspector.formats.content.media import made
from inspector.formats.content.turns import beside, result_message
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, title_of, workspace_of
from inspector.model import Call, Message, Part, Result, Workspace
from inspector.reading.json import unwrapped
from inspector.reading.media_sizes import MediaSize
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_text, as_whole, parse_time

_RESPONSE = ("id", "model", "prompt", "system", "response", "conversation_id", "datetime_utc")
_COUNTS = ("input_tokens", "output_tokens")
_TOOL = ("response_id", "name", "arguments", "output", "tool_call_id")

_Rows = Mapping[Any, list[dict[str, Any]]]


def sniff(source: FileSource) -> float:
    """Return how likely this is the log of `llm`."""
    return 1.0 if has_tables(source, responses="id prompt system response conversation_id datetime_utc") else 0.0


def load(source: FileSource) -> Workspace:
    """Return the chats of the log, each with its prompts and answers. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    with opened(source) as database:
        log = _Log(database)
        talks = {row.get("id"): row for row in database.rows("conversations", "id", "name", "model")}
        found: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        for row in database.rows("responses", *_RESPONSE, *_COUNTS, "token_details"):
            found[row.get("conversation_id") or row.get("id")].append(row)
    chats = [_chat(as_text(id_), talks.get(id_, {}), rows, log) for id_, rows in found.items()]
    if not any(chat.nodes for chat in chats):
        raise notes.unreadable("responses", "expected responses with their prompts, found none")
    return workspace_of(chats, source, notes)


class _Log:
    """The rows of tables beside the responses, by the id of the response."""

    def __init__(self, database: Database) -> None:
        self.calls = _by_response(database, "tool_calls", *_TOOL)
        self.results = _by_response(database, "tool_results", *_TOOL)
        self.pictures = _by_response(database, "prompt_attachments", "response_id", "attachment_id")
        columns = ("id", "type", "path", "url")
        self.attachments = {row.get("id"): row for row in database.rows("attachments", *columns)}
        self.fragments = _texts(database, "prompt_fragments")
        self.system_fragments = _texts(database, "system_fragments")


def _by_response(database: Database, table: str, *columns: str) -> _Rows:
    found: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in database.rows(table, *columns):
        found[row.get("response_id")].append(row)
    return found


def _texts(database: Database, table: str) -> Mapping[Any, list[str]]:
    """Return the texts of the files put before a prompt, in order."""
    contents = {row.get("id"): as_text(row.get("content")) for row in database.rows("fragments", "id", "content")}
    rows = _by_response(database, table, "response_id", "fragment_id", "order")
    ordered = {id_: sorted(of, key=lambda row: as_whole(row.get("order")) or 0) for id_, of in rows.items()}
    return {id_: [contents.get(row.get("fragment_id"), "") for row in of] for id_, of in ordered.items()}


def _chat(id_: str, talk: Mapping[str, Any], rows: list[dict[str, Any]], log: _Log) -> SavedChat:
    messages: list[tuple[str, Message]] = []
    system = ""
    for row in rows:
        place = f"responses: {as_text(row.get('id'))}"
        told = "\n".join(filter(None, (*log.system_fragments.get(row.get("id"), ()), as_text(row.get("system")))))
        if told and told != system:  # it is repeated with every response
            messages.append((place, Message("", "system", told)))
            system = told
        messages += ((place, message) for message in _exchange(row, log))
    nodes = in_line(messages)
    model = as_text(talk.get("model")) or as_text(rows[-1].get("model"))
    title = as_text(talk.get("name")) or title_of(message for _, message in messages)
    return SavedChat(nodes, next(reversed(nodes), None), "responses", id_, title, model=model)


def _exchange(row: Mapping[str, Any], log: _Log) -> list[Message]:
    """Return the tool results given to a response, its prompt and its answer."""
    id_, time = row.get("id"), parse_time(row.get("datetime_utc"))
    found = [
        result_message(Result(_call_id(one), as_text(one.get("name")), as_text(one.get("output"))), time=time)
        for one in log.results.get(id_, ())
    ]
    prompt = "\n".join(filter(None, (*log.fragments.get(id_, ()), as_text(row.get("prompt")))))
    asked = beside(
        prompt,
        media=[_attached(log.attachments.get(one.get("attachment_id"), {})) for one in log.pictures.get(id_, ())],
    )
    if asked:
        found.append(Message("", "user", time=time, parts=asked))
    calls = tuple(
        Call(_call_id(one), as_text(one.get("name")), as_text(one.get("arguments"))) for one in log.calls.get(id_, ())
    )
    counts = read_usage({column: row.get(column) for column in _COUNTS}, unwrapped(row.get("token_details"))).metadata
    answer = as_text(row.get("response"))
    if answer or calls:
        said = beside(answer, calls=calls)
        found.append(Message(as_text(id_), "assistant", time=time, parts=said, metadata=counts))
    return found


def _attached(row: Mapping[str, Any]) -> Part:
    """Return a file of a prompt; one without a type is a picture, as the first versions had no other."""
    size = MediaSize("", as_whole(row.get("length")))
    named, where = as_text(row.get("type")), as_text(row.get("url") or row.get("path"))
    return made("" if named else "image", size, named, address=where)


def _call_id(row: Mapping[str, Any]) -> str:
    return as_text(row.get("tool_call_id"))


FORMAT = Format("llm_log", "Log of the llm command line", sniff, load, "a database with `responses` and their prompts")
