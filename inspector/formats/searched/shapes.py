"""The shapes in which lists hold the turns of a chat, whatever program wrote them.

Objects with a role and a text, those that say by a truth value who speaks, and those that keep either a few keys deep;
objects whose keys say who speaks, such as rows of questions and answers; pairs of texts; texts that begin with the
speaker; texts of two speakers in turn; and objects with the name of a person and a text.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from inspector.formats.chat_layout import Placed, items_at
from inspector.formats.openai.role_text import ROLE_KEYS, ROLE_WORDS, TEXT_KEYS
from inspector.formats.turn_layout import TurnLayout
from inspector.model import Role
from inspector.reading.json import unwrapped
from inspector.reading.values import mapping

LOOKED_AT = 8
"""The number of items by which a list is recognized."""
_DEEPEST = 2
"""The number of keys below which an item may keep its turn."""
_MOST_KEYS = 60
_TURNS = frozenset(
    (
        *("chat", "chathistory", "chatlog", "context", "conversation", "conversations", "dialog", "dialogue"),
        *("history", "messages", "transcript", "turns", "utterances"),
    )
)
"""Keys of lists that are one chat, in lower case and without marks."""
_USER_KEYS = (
    *("prompt", "question", "query", "userprompt", "userquery", "usermessage", "userinput", "usertext", "userquestion"),
    *("humanmessage", "humaninput", "instruction", "input", "message", "request", "inputtext", "q", "user", "human"),
)
_REPLY_KEYS = (
    *("response", "answer", "completion", "reply", "assistantmessage", "assistantresponse", "assistantreply"),
    *("botmessage", "botresponse", "botreply", "aimessage", "airesponse", "modelresponse", "modeloutput"),
    *("llmresponse", "generatedtext", "generation", "output", "outputtext", "a", "assistant", "ai", "bot", "gpt"),
)
_REPLIES = frozenset(
    (
        *("response", "responsebody", "res", "answer", "completion", "reply", "output", "outputs", "result"),
        *("choices", "generations"),
    )
)
_CONTENT = (
    *("message", "choices", "candidates", "generations", "content", "parts", "text", "outputtext", "completion"),
    *("answer", "response", "reply", "output", "outputs", "result", "body", "data", "value"),
)
"""Keys that lead from an answer to its content, the first of them first."""
_REPLY_DEEPEST = 8
_SYSTEM_KEYS = ("system", "systemprompt", "systemmessage")
_SPEAKING_KEYS: Mapping[str, Role] = {
    **dict.fromkeys(("user", "human", "customer"), "user"),
    **dict.fromkeys(("assistant", "ai", "bot", "gpt", "agent", "model"), "assistant"),
    "system": "system",
}
_PEOPLE = ("role", "sender", "speaker", "from", "participant")
_LONGEST_NAME = 60
_SCRIPTS = _TURNS | {"text", "log", "body", "content", "prompt"}
_HEAD = 4_000  # characters
_LINE = re.compile(r"^[ \t>*#]*(?P<speaker>\w+)[*]*[ \t]*:[*]*[ \t]*", re.MULTILINE)
_TAG = re.compile(r"\[(?P<end>/?)(?P<speaker>\w{2,12})\]")
_SPOKEN = re.compile(r"\s*(\w+)\s*:\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Shape:
    """How the items of a list are turns: by `layout`, at a path in each item, after `said` made turns of an item.

    `said` is given an item and its number: a text is its only item. `is_chat` tells whether the list is one chat,
    rather than one in each item.
    """

    layout: TurnLayout
    path: str = ""
    said: Callable[[Placed, int], Iterator[Placed]] | None = None
    is_chat: bool = True

    def turns(self, items: Sequence[Placed]) -> list[Placed]:
        """Return the turns of items, each with its place."""
        if self.said is None:
            return list(items)
        return [turn for number, item in enumerate(items) for turn in self.said(item, number)]


def shape_of(value: Any, key: str = "") -> Shape | None:
    """Return the shape of the turns in a list, an object or a text, given by its key; None if it holds none."""
    if isinstance(value, str):
        return _of_script(value, key)
    items = [Placed(one.place, unwrapped(one.value), one.key) for one in islice(items_at("", value), LOOKED_AT)]
    if not items:
        return None
    if isinstance(value, Mapping):
        return _of_most(items) if len(items) > 1 else None
    values = [one.value for one in items]
    is_chat = _plain(key) in _TURNS
    found = next((shape for one in values if (shape := _in_record(one))), None)
    spoken = found or _of_keys(values, is_chat) or _of_texts(values, is_chat)
    return spoken or (_of_people(values) if is_chat or not key else None)


def reply_key(held: Mapping[str, Any]) -> str | None:
    """Return the key under which an object keeps the answer to the messages in another of its values, or None."""
    return next((key for key in held if _plain(key) in _REPLIES), None)


def with_reply(shape: Shape, turns: Sequence[Placed], reply: Any, place: str) -> list[Placed]:
    """Return the turns of a request with its answer, which is kept beside it at a place; without one if none fits."""
    said = _content_of(reply)
    last = shape.layout.word_of(turns[-1].value).lower()
    if said is None or shape.layout.roles.get(last) == "assistant":
        return []
    word = next(word for word, role in shape.layout.roles.items() if role == "assistant")
    turn: dict[str, Any] = {}
    for path, value in ((shape.layout.role[0], word), (shape.layout.text[0], said)):
        *above, key = path.split(".")
        holder = turn
        for name in above:
            holder = holder.setdefault(name, {})
        holder[key] = value
    return [*turns, Placed(place, turn)]


def _content_of(reply: Any, depth: int = _REPLY_DEEPEST) -> Any:
    """Return the content in an answer, a text or a list of parts: that of its first message; None if there is none."""
    reply = unwrapped(reply)
    if isinstance(reply, str):
        return reply if reply.strip() else None
    if not depth or not isinstance(reply, list | Mapping):
        return None
    if isinstance(reply, list):
        is_content = any(isinstance(mapping(one).get("text"), str) and "type" in mapping(one) for one in reply)
        inner: Iterator[Any] = iter(reply)
    else:
        is_content = False
        by_name = {_plain(key): one for key, one in reply.items()}
        inner = (by_name[name] for name in _CONTENT if name in by_name)
    found = (_content_of(one, depth - 1) for one in inner)
    return reply if is_content else next((one for one in found if one is not None), None)


def _of_most(items: Sequence[Placed]) -> Shape | None:
    """Return the shape of the values of an object, most of which are turns."""
    found = [shape for one in items if isinstance(one.value, Mapping) and (shape := _in_record(one.value))]
    return found[0] if found and 2 * len(found) >= len(items) else None


def _in_record(record: Any, path: str = "") -> Shape | None:
    """Return the shape of a record that is a turn or keeps one, unless it keeps several."""
    if not isinstance(record, Mapping):
        return None
    if _may_be_turn(record):
        for make, flat in _KINDS:
            if flat.is_turn(record):
                return Shape(make(path), path)
    if path.count(".") + bool(path) >= _DEEPEST:
        return None
    inner = [(str(key), unwrapped(one)) for key, one in islice(record.items(), _MOST_KEYS)]
    if any(isinstance(one, list) and any(map(_is_turn, one[:LOOKED_AT])) for _, one in inner):
        return None
    if sum(_is_turn(one) for _, one in inner) > 1:
        return None
    below = (
        _in_record(one, f"{path}.{key}" if path else key)
        for key, one in inner
        if isinstance(one, Mapping) and "." not in key
    )
    return next((shape for shape in below if shape), None)


def _layout(wrap: str, role: tuple[str, ...], roles: Mapping[str, Role]) -> TurnLayout:
    """Return the layout of turns at a path; ids, times and usage may also be beside it."""

    def inside(*keys: str) -> tuple[str, ...]:
        return tuple(f"{wrap}.{key}" if wrap else key for key in keys)

    def near(*keys: str) -> tuple[str, ...]:
        return (*inside(*keys), *keys) if wrap else keys

    return TurnLayout(
        role=inside(*role),
        roles=roles,
        text=inside(*_TEXTS),
        id=near("id", "message_id", "messageId", "uuid"),
        parent=near("parent", "parent_id", "parentId", "parentUuid"),
        time=near("timestamp", "createdAt", "created_at", "create_time", "time", "date", "ts"),
        name=inside("name"),
        model=near("model"),
        thoughts=inside("reasoning_content", "reasoning", "thinking"),
        calls=inside("tool_calls"),
        answers=inside("tool_call_id"),
        pictures=inside("images"),
        usage=near("usage"),
    )


_TEXTS = (
    *("content", *TEXT_KEYS, "parts", "content.parts", "content.text", "content.value", "content.content"),
    *(
        "data.content",
        "data.text",
        "payload.text",
        "payload.message",
        "messageText",
        "message_text",
        "msg",
        "mes",
        "utterance",
    ),
)


_SPEAKERS = ("from", "sender", "author", "user", "participant", "speaker")
_MORE_ROLES = (
    *("message_type", "messageType", "role_name", "sender_type", "senderType", "sender_class", "sender_role", "event"),
    *("participant", "participantRole", "user_type", "userType", "author_type", "who", "by", "actor", "direction"),
    *(f"{speaker}.{key}" for key in ("role", "type", "name", "username") for speaker in _SPEAKERS),
    *("user", "u.username"),
)


@cache
def _by_word(wrap: str) -> TurnLayout:
    return _layout(wrap, (*ROLE_KEYS, *_MORE_ROLES), ROLE_WORDS)


@cache
def _by_user(wrap: str) -> TurnLayout:
    keys = ("is_user", "isUser", "from_user", "fromUser", "is_human", "isHuman", "from_me", "fromMe")
    return _layout(wrap, keys, {"true": "user", "false": "assistant"})


@cache
def _by_bot(wrap: str) -> TurnLayout:
    keys = ("is_bot", "isBot", "is_ai", "isAI", "isAi", "is_assistant", "isAssistant", "from_bot", "fromBot")
    return _layout(wrap, keys, {"true": "assistant", "false": "user"})


_KINDS = tuple((make, make("")) for make in (_by_word, _by_user, _by_bot))
_ABOUT = ("timestamp", "createdAt", "created_at", "time", "date", "ts", "model")
_TURN = TurnLayout(
    role=("role",), roles=ROLE_WORDS, text=("content",), time=_ABOUT[:-1], name=("name",), model=_ABOUT[-1:]
)
"""Turns made of what a record, a pair or a line says."""


_ROLE_HEADS = frozenset(path.partition(".")[0] for _, flat in _KINDS for path in flat.role)
_TEXT_HEADS = frozenset(path.partition(".")[0] for _, flat in _KINDS for path in flat.text)


def _may_be_turn(value: Any) -> bool:
    """Return whether an object has any key of roles and any of texts: most have not, and to look at each takes long."""
    return isinstance(value, Mapping) and not (_ROLE_HEADS.isdisjoint(value) or _TEXT_HEADS.isdisjoint(value))


def _is_turn(value: Any) -> bool:
    return _may_be_turn(value) and any(flat.is_turn(value) for _, flat in _KINDS)


def _of_keys(values: Sequence[Any], is_chat: bool) -> Shape | None:
    """Return the shape of objects whose keys say who speaks: with both speakers each, or one of them."""
    held = [one for one in values if isinstance(one, Mapping)]
    if any(_is_row(one) for one in held):
        return Shape(_TURN, said=_said_by_row, is_chat=is_chat)
    speakers = {_SPEAKING_KEYS[_plain(key)] for one in held for key in one if _is_word(one, key)}
    is_spoken = len(held) == len(values) and {"user", "assistant"} <= speakers
    return Shape(_TURN, said=_said_by_keys) if is_spoken else None


def _is_word(held: Mapping[str, Any], key: str) -> bool:
    return len(held) <= _DEEPEST and _plain(key) in _SPEAKING_KEYS and isinstance(held[key], str)


def _is_row(held: Mapping[str, Any]) -> bool:
    """Return whether an object keeps what a user and an assistant said under a key each: words, not names."""
    asked, reply = _first(held, _USER_KEYS), _reply_of(held)
    return bool(asked and reply) and any(_has_words(text) for pair in (asked, reply) if pair and (text := pair[1]))


def _reply_of(held: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Return the key and the content of the answer in a row: a text, also as JSON beside its sources, or in a body."""
    if found := _first(held, _REPLY_KEYS):
        told = unwrapped(found[1])
        is_told = isinstance(told, Mapping) and isinstance(told.get("text"), str) and "sources" in told
        return (found[0], told["text"]) if is_told else found
    key = next((key for key in held if _plain(key) in (*_REPLIES, "responses")), None)
    said = _content_of(held[key]) if key is not None and not isinstance(held[key], str) else None
    return (str(key), said) if isinstance(said, str) else None


def _said_by_row(item: Placed, _: int) -> Iterator[Placed]:
    held = mapping(item.value)
    pairs = (("system", _first(held, _SYSTEM_KEYS)), ("user", _first(held, _USER_KEYS)), ("assistant", _reply_of(held)))
    for role, found in pairs:
        if found:
            yield _said(f"{item.place}.{found[0]}", role, found[1], held)


def _said_by_keys(item: Placed, _: int) -> Iterator[Placed]:
    held = mapping(item.value)
    yield from (_said(f"{item.place}.{key}", _plain(key), held[key], held) for key in held if _is_word(held, key))


def _of_people(values: Sequence[Any]) -> Shape | None:
    """Return the shape of objects with a name and a text, of two speakers or more."""
    said = [pair for one in values if (pair := _named_text(one))]
    is_chat = len(said) == len(values) and len({name for name, _ in said}) > 1
    return Shape(_TURN, said=_said_by_people) if is_chat and any(_has_words(text) for _, text in said) else None


def _named_text(value: Any) -> tuple[str, str] | None:
    """Return the name of a speaker and what they said."""
    held = mapping(value)
    name = next((name.strip() for key in _PEOPLE if isinstance(name := held.get(key), str) and name.strip()), "")
    text = next((text for key in ("content", *TEXT_KEYS) if isinstance(text := held.get(key), str)), None)
    return (name, text) if name and text is not None and len(name) <= _LONGEST_NAME else None


def _said_by_people(item: Placed, _: int) -> Iterator[Placed]:
    if pair := _named_text(item.value):
        turn = _said(item.place, pair[0], pair[1], mapping(item.value))
        yield Placed(turn.place, {**turn.value, "name": pair[0]})
    else:
        yield item


def _of_texts(values: Sequence[Any], is_chat: bool) -> Shape | None:
    """Return the shape of a list of pairs of texts, or of texts of two speakers.

    Where its key does not tell that it is a chat, both texts of a pair have words.
    """
    spoken = [[_has_words(text) for text in one if text] for one in values if _is_pair(one)]
    if len(spoken) == len(values) and any(one and (is_chat or all(one)) and any(one) for one in spoken):
        return Shape(_TURN, said=_said_by_pair)
    is_talk = is_chat and len(values) > 1 and all(isinstance(one, str) for one in values)
    if not is_talk or not any(map(_has_words, values)):
        return None
    begins = [found[1].lower() in ROLE_WORDS for one in values if (found := _SPOKEN.match(one))]
    return Shape(_TURN, said=_said_by_name if len(begins) == len(values) and all(begins) else _said_in_turn)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(one is None or isinstance(one, str) for one in value)


def _said_by_pair(item: Placed, _: int) -> Iterator[Placed]:
    for number, (role, text) in enumerate(zip(("user", "assistant"), item.value, strict=False)):
        if text:
            yield _said(f"{item.place}[{number}]", role, text)


def _of_script(text: str, key: str) -> Shape | None:
    """Return the shape of a text with the speaker at the beginning of lines, or around turns as `[USER]…[/USER]`.

    Two speak. Lines need a key of texts or chats.
    """
    roles = {ROLE_WORDS.get(speaker.lower()) for speaker, _ in _tagged(text[:_HEAD])}
    if {"user", "assistant"} <= roles:
        return Shape(_TURN, said=_said_by_tags)
    if _plain(key) not in _SCRIPTS:
        return None
    roles = {ROLE_WORDS.get(found["speaker"].lower()) for found in _LINE.finditer(text[:_HEAD])}
    return Shape(_TURN, said=_said_by_lines) if {"user", "assistant"} <= roles else None


def _said_by_tags(item: Placed, _: int) -> Iterator[Placed]:
    yield from (_said(item.place, speaker, text) for speaker, text in _tagged(item.value))


def _tagged(text: str) -> Iterator[tuple[str, str]]:
    """Yield the turns between tags, each with its speaker."""
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        if tag["speaker"].lower() not in ROLE_WORDS:
            continue
        if tag["end"] and opened and opened["speaker"] == tag["speaker"]:
            yield tag["speaker"], text[opened.end() : tag.start()].strip()
            opened = None
        elif not tag["end"] and opened is None:
            opened = tag


def _said_by_lines(item: Placed, _: int) -> Iterator[Placed]:
    found = [one for one in _LINE.finditer(item.value) if one["speaker"].lower() in ROLE_WORDS]
    if before := item.value[: found[0].start()].strip():
        yield _said(item.place, "system", before)
    for one, after in zip(found, [*found[1:], None], strict=True):
        yield _said(item.place, one["speaker"], item.value[one.end() : after.start() if after else None].strip())


def _said_by_name(item: Placed, number: int) -> Iterator[Placed]:
    found = _SPOKEN.match(item.value) if isinstance(item.value, str) else None
    if found and found[1].lower() in ROLE_WORDS:
        yield _said(item.place, found[1], item.value[found.end() :])
    else:
        yield from _said_in_turn(item, number)


def _said_in_turn(item: Placed, number: int) -> Iterator[Placed]:
    yield _said(item.place, ("user", "assistant")[number % 2], item.value)


def _said(place: str, role: str, text: Any, held: Mapping[str, Any] | None = None) -> Placed:
    """Return a turn as the layout has it, with what its record says of it beside the text."""
    about = {key: one for key, one in (held or {}).items() if key in _ABOUT}
    return Placed(place, {**about, "role": role, "content": text})


def _first(held: Mapping[str, Any], keys: Sequence[str]) -> tuple[str, str] | None:
    """Return the first of the keys, however written, under which an object keeps a text, and the text."""
    texts = {_plain(key): key for key, one in held.items() if isinstance(one, str) and one.strip()}
    return next(((texts[key], held[texts[key]]) for key in keys if key in texts), None)


def _plain(key: Any) -> str:
    return "".join(filter(str.isalnum, str(key))).lower()


def _has_words(text: str) -> bool:
    return any(map(str.isspace, text.strip())) or any(one.isalpha() and not one.isascii() for one in text)
