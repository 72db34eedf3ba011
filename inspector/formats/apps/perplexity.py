"""Threads of Perplexity: entries, each a question and its answer in blocks.

By the answers of `rest/thread/…` that exporters save: leonid-shevtsov/perplexport, `src/types/conversation.ts`: entries
with `query_str`, and `blocks` of an `intended_usage`, of which `ask_text…` is the answer. Older ones have it as JSON in
`text`: the steps, whose last is FINAL. Addresses of the pages are kept with the answer.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.turns import beside
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.paths import at_path, word_at
from inspector.formats.saved_chats import SavedChat, in_line, read_chats, surest
from inspector.model import Message, Workspace
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_ASKED = ("query_str", "query")
_TIMES = ("entry_created_datetime", "entry_updated_datetime", "updated_datetime")
_MODELS = ("display_model", "user_selected_model")
_EXPECTED = "a thread of Perplexity (entries with query_str)"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds threads of Perplexity."""
    return surest(source, lambda value: 0.95 if any(map(_is_entry, _entries(value)[:5])) else 0.0)


def _entries(value: Any) -> tuple[Any, ...]:
    """Return the entries of a thread, or the entry that is given alone."""
    listed = at_path(value, "entries")
    return items_of(listed) if isinstance(listed, list) else (value,) if _is_entry(value) else ()


def _is_entry(value: Any) -> bool:
    fields = mapping(value)
    return bool(word_at(value, _ASKED)) and bool(fields.keys() & {"blocks", "text", "answer", "backend_uuid"})


def load(source: FileSource) -> Workspace:
    """Return a conversation for each thread. Raise UnreadableError if there is none."""
    return read_chats(source, lambda value: any(map(_is_entry, _entries(value))), _chat, _EXPECTED)


def _chat(thread: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    messages: list[tuple[str, Message]] = []
    for number, entry in enumerate(_entries(thread)):
        at = f"{place}.entries[{number}]" if "entries" in thread else place
        if _is_entry(entry):
            messages += ((at, message) for message in _turns(entry, notes, at))
        else:
            notes.add(at, "expected an entry with query_str and blocks; it was left out", "error")
    first = _entries(thread)[0]
    nodes = in_line(messages)
    id_ = word_at(first, ("context_uuid", "thread_url_slug", "backend_uuid"))
    title = word_at(first, ("thread_title",)) or word_at(thread, ("title",)) or word_at(first, _ASKED)
    return SavedChat(nodes, next(reversed(nodes), None), place, id_, title, model=word_at(first, _MODELS))


def _turns(entry: Mapping[str, Any], notes: Notes, place: str) -> Iterator[Message]:
    time = parse_time(next((entry[key] for key in _TIMES if entry.get(key)), None))
    files = [as_text(one) for one in items_of(entry.get("attachments")) if isinstance(one, str)]
    yield Message("", "user", word_at(entry, _ASKED), time=time, metadata={"files": files} if files else {})
    thoughts, text = _answer(entry)
    if not text:
        notes.add(f"{place}.blocks", "expected a block of ask_text with an answer; the answer is empty")
    found = {"model": word_at(entry, _MODELS), "sources": _sources(entry)}
    metadata = {key: value for key, value in found.items() if value}
    yield Message("", "assistant", time=time, parts=beside(text, thoughts=thoughts), metadata=metadata)


def _answer(entry: Mapping[str, Any]) -> tuple[str, str]:
    """Return the plan and the text of an answer, from blocks or the steps of older threads."""
    blocks = objects(entry.get("blocks"))
    told = [as_text(held) for one in blocks if _is_answer(one) and (held := _markdown(one))]
    goals = [word_at(goal, ("description",)) for one in blocks for goal in objects(at_path(one, "plan_block.goals"))]
    if told:
        return "\n".join(filter(None, goals)), "\n\n".join(dict.fromkeys(told))
    steps = unwrapped(entry.get("text"))
    if isinstance(steps, list):
        final = next((one for one in reversed(objects(steps)) if one.get("step_type") == "FINAL"), {})
        return "", _final(at_path(final, "content.answer"))
    return "", _final(entry.get("answer") or entry.get("text"))


def _is_answer(block: Mapping[str, Any]) -> bool:
    return as_text(block.get("intended_usage")).startswith("ask_text")


def _markdown(block: Mapping[str, Any]) -> Any:
    answer, chunks = at_path(block, "markdown_block.answer"), at_path(block, "markdown_block.chunks")
    return answer if isinstance(answer, str) and answer else "".join(as_text(chunk) for chunk in items_of(chunks))


def _final(value: Any) -> str:
    """Return the text of an answer, which may be an object with it, written as JSON."""
    held = unwrapped(value)
    return word_at(held, ("answer", "text")) if isinstance(held, Mapping) else as_text(held).strip()


def _sources(entry: Mapping[str, Any]) -> list[str]:
    paths = ("web_result_block.web_results", "sources_mode_block.web_results")
    pages = [page for one in objects(entry.get("blocks")) for path in paths for page in objects(at_path(one, path))]
    return list(dict.fromkeys(word_at(page, ("url",)) for page in pages if page.get("url")))


_NO_PROMPT = (
    *("related_queries", "related_query_items", "web_results", "rows", "media_items", "generated_media_items"),
    *("steps", "widget_data", "classifier_results", "chunks", "social_info", "text"),
)
FORMAT = Format(
    "perplexity",
    "Perplexity thread",
    sniff,
    load,
    "`entries` with `query_str` and `blocks`",
    beside=_NO_PROMPT,
)
