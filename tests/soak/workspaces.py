"""Workspaces that are walked over: the samples, and made-up ones with everything that counts may depend on."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from inspector.formats.content.turns import beside, pictures
from inspector.formats.native.write import save_workspace
from inspector.model import (
    Attachment,
    Call,
    Character,
    Component,
    Conversation,
    Document,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    MessageTree,
    Passage,
    PastSummary,
    Profile,
    SkippedFile,
    Tool,
    Workspace,
)
from inspector.resources import samples_folder

_START = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)
_TYPES = ("core", "explicit", "fact", "project", "experience", "story")
_WORDS = (
    *("harbour", "keel", "boat", "tea", "rain", "Lisbon", "mend", "promise", "the", "a", "of", "and", "I", "you"),
    *("remember", "that", "decided", "3:45", "14.05.2026", "1,250 €", "東京は", "晴れ", "مرحبا", "🎓", "don't"),
)


def opened_paths(folder: Path, seed: int) -> list[tuple[str, ...]]:
    """What is opened in turn: each sample, and made-up workspaces that are written into the folder."""
    choose = random.Random(seed)
    found = [(str(path),) for path in sorted(samples_folder().glob("*.workspace.yaml"))]
    for number, messages in enumerate((0, 1, 24, 90)):
        file = folder / f"made-{number}.workspace.json"
        save_workspace(made_up(choose, messages), file)
        found.append((str(file),))
    questions = (str(samples_folder() / "companion.workspace.yaml"), str(samples_folder() / "companion.probes.yaml"))
    return [*found, questions, (*found[0], *found[-1])]


def made_up(choose: random.Random, messages: int) -> Workspace:
    """A workspace of two conversations of about so many messages, with some of everything that belongs to one."""
    return Workspace(
        conversations=tuple(_conversation(choose, f"c{number}", messages // (number + 1)) for number in range(2)),
        memory_sets=(_memories(choose, "facts", messages), _memories(choose, "notes", messages // 3)),
        characters=(_character(choose),),
        lorebooks=(_lorebook(choose, messages // 3),),
        passages=tuple(_passages(choose, messages // 4)),
        summaries=tuple(
            PastSummary(f"s{number}", _text(choose, 30), similarity=_share(choose)) for number in range(messages // 8)
        ),
        documents=tuple(Document(f"d{number}", _text(choose, 80)) for number in range(messages // 12)),
        attachments=tuple(Attachment(f"a{number}.txt", _text(choose, 60)) for number in range(messages // 12)),
        skipped=(SkippedFile("movie.mp4", "too large"),),
        tools=(Tool({"name": "look", "parameters": {"type": "object"}}),) if messages % 2 else (),
    )


def _text(choose: random.Random, most: int) -> str:
    return " ".join(choose.choices(_WORDS, k=choose.randrange(most + 1)))


def _share(choose: random.Random) -> float | None:
    return choose.choice((None, round(choose.random(), 2)))


def _conversation(choose: random.Random, name: str, count: int) -> Conversation:
    said = tuple(_message(choose, f"{name}-{number}", number) for number in range(count))
    others = tuple(_message(choose, f"{name}-other-{number}", number) for number in range(count // 6))
    parents = ("", *(message.id for message in said[:-1]), *(said[number].id for number in range(len(others))))
    tree = MessageTree((*said, *others), parents, said[-1].id) if others else None
    return Conversation(name, said, f"Talk {name}", tree=tree)


def _message(choose: random.Random, name: str, number: int) -> Message:
    text = _text(choose, choose.choice((3, 12, 12, 90)))
    calls = choose.random() < 0.06
    return Message(
        name,
        "assistant" if calls or number % 2 else "user",
        name=choose.choice(("", "", "Mara")),
        time=choose.choice((None, _START + timedelta(hours=number))),
        tokens=choose.choice((None,) * 30 + (17,)),
        summary=choose.choice((None, None, None, _text(choose, 6))),
        emotional_weight=choose.choice((None, None, 0.9)),
        key_moment=choose.choice((None, None, True)),
        pinned=choose.random() < 0.02,
        excluded=choose.random() < 0.02,
        parts=beside(
            text,
            media=pictures(int(choose.random() < 0.02)),
            calls=(Call(f"t-{name}", "look", '{"at": "sea"}'),) if calls else (),
        ),
    )


def _memories(choose: random.Random, name: str, count: int) -> MemorySet:
    made: list[Memory] = []
    for number in range(count):
        repeats = made and choose.random() < 0.2
        content = f"{choose.choice(made).content} today" if repeats else _text(choose, 25)
        made.append(
            Memory(
                f"{name}-{number}",
                content,
                type=choose.choice(_TYPES),
                priority=choose.choice((None, float(choose.randrange(100)))),
                similarity=_share(choose),
                confidence=_share(choose),
                time=choose.choice((None, _START - timedelta(days=number))),
                source_messages=choose.choice(((), (f"c0-{number}",))),
            )
        )
    return MemorySet(name, tuple(made))


def _character(choose: random.Random) -> Character:
    components = tuple(
        Component(f"part-{number}", "world", _text(choose, 30), priority=number % 3, required=number == 0)
        for number in range(4)
    )
    profile = Profile("Sam", ("tea",), facts=("left-handed",))
    return Character(
        *("nova", "Nova", "You are {{char}}, who helps {{user}}."),
        components=components,
        directive=_text(choose, 9),
        greeting="Good morning, {{user}}!",
        profile=profile,
    )


def _lorebook(choose: random.Random, count: int) -> Lorebook:
    entries = (
        LoreEntry(
            f"lore-{number}",
            _text(choose, 30),
            keys=tuple(choose.sample(_WORDS, 2)),
            constant=choose.random() < 0.2,
            enabled=choose.random() < 0.9,
            order=choose.randrange(5),
        )
        for number in range(count)
    )
    return Lorebook("book", tuple(entries))


def _passages(choose: random.Random, count: int) -> list[Passage]:
    kinds = ("lorebook", "chat", "chronicle", "document")
    return [
        Passage(
            f"p{number}",
            _text(choose, 40),
            kinds[number % 4],  # type: ignore[arg-type]
            _share(choose),
            message_id=f"c0-{number}" if number % 4 == 1 else "",
        )
        for number in range(count)
    ]
