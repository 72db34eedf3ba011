"""Joins the days of Slack's channels in the same folder, with the names of the users. Reads no files."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from inspector.formats.chat_logs.speakers import SpokenLog, who_is_who, with_roles
from inspector.formats.slack.export import DAY, MACHINE_PERSON, PERSON, log_of
from inspector.formats.slack.records import SPEAKER
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Conversation, Message, Problem, Workspace, changed, with_text
from inspector.reading.values import clean, pure_path, stem

_MENTION = re.compile(r"@([UW][A-Z0-9]{6,})\b")


@dataclass(slots=True)
class _People:
    """The users of an export: names by ids, and the names of its bots."""

    names: dict[str, str] = field(default_factory=dict)
    machines: set[str] = field(default_factory=set)

    def take(self, person: Character) -> None:
        begin = MACHINE_PERSON if person.id.startswith(MACHINE_PERSON) else PERSON
        self.names[person.id.removeprefix(begin).partition("-")[0]] = person.name
        if begin == MACHINE_PERSON:
            self.machines.add(person.name)


def link(workspace: Workspace) -> Workspace:
    """Return the workspace with a conversation for each channel with opened days, and without the stand-ins.

    A channel takes the place of its first day. Everything else stays.
    """
    ours = {clean(source.path) for source in workspace.sources if source.format == "slack"}
    if not ours:
        return workspace
    stand_ins = [one for one in workspace.characters if one.origin in ours and one.id.startswith(PERSON)]
    people: dict[str, _People] = defaultdict(_People)
    for person in stand_ins:
        people[str(pure_path(person.origin).parent)].take(person)
    gone = {id(person) for person in stand_ins}
    problems: list[Problem] = []
    return changed(
        workspace,
        conversations=tuple(_joined(workspace.conversations, ours, people, problems)),
        characters=tuple(person for person in workspace.characters if id(person) not in gone),
        problems=(*workspace.problems, *problems),
    )


def _joined(
    conversations: Iterable[Conversation], ours: set[str], people: Mapping[str, _People], problems: list[Problem]
) -> Iterable[Conversation]:
    kept: list[Conversation | str] = []
    days: dict[str, list[Conversation]] = defaultdict(list)
    for talk in conversations:
        folder = str(pure_path(talk.origin).parent)
        if talk.origin not in ours or not DAY.match(stem(talk.origin)):
            kept.append(talk)
            continue
        if folder not in days:
            kept.append(folder)
        days[folder].append(talk)
    found = [_channel(days[one], people, problems) if isinstance(one, str) else one for one in kept]
    ids = unique_texts(talk.id for talk in found)
    return (changed(talk, id=id_) if talk.id != id_ else talk for id_, talk in zip(ids, found, strict=True))


def _channel(days: list[Conversation], people: Mapping[str, _People], problems: list[Problem]) -> Conversation:
    """Return the days of a channel as a single conversation."""
    origin = days[0].origin
    folder = pure_path(origin).parent
    known = people.get(str(folder.parent), _People())
    said = [_named(message, known.names) for day in days for message in day.messages]
    log = log_of(folder.name, [("", message) for message in said], known.machines)
    problems += (Problem(origin, "", remark, "info") for remark in who_is_who([log]))
    name = folder.name or days[0].id
    return Conversation(name, _messages(log), title=log.title or name, origin=origin)


def _named(message: Message, names: Mapping[str, str]) -> Message:
    """Return a spoken message with the names known by now; the assistant is determined anew."""
    name = names.get(str(message.metadata.get(SPEAKER)), message.name)
    text = _MENTION.sub(lambda match: f"@{names.get(match[1], match[1])}", message.content)
    metadata = {key: value for key, value in message.metadata.items() if key != SPEAKER or name == message.name}
    return with_text(message, text, name=name, role="user", metadata=metadata)


def _messages(log: SpokenLog) -> tuple[Message, ...]:
    said = [message for _, message in with_roles(log)]
    ids = unique_texts(message.id for message in said)
    return tuple(changed(message, id=id_) for id_, message in zip(ids, said, strict=True))
