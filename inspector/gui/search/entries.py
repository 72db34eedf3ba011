"""The entries of the box: what can be done, shown, set or opened, by name. No Qt here."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath
from typing import Literal

from inspector.assembly.candidates import Candidates
from inspector.assembly.numbers import number_of, numbered, title_in
from inspector.assembly.policy import TOPICS, Parameter, policy_sentence, policy_title, traits_of
from inspector.assembly.preset import Preset
from inspector.assembly.snapshots import Snapshots
from inspector.assembly.who import who
from inspector.figures import UNREAD, counted
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.texts import first_line, told_apart
from inspector.model import Conversation
from inspector.secrets import masked
from inspector.tokens.models.table import ModelRow

Kind = Literal["Command", "Page", "Setting", "Policy", "Preset", "Model", "Snapshot", "Comparison", "Item", "Chat"]


class Section(Enum):
    """A section of the list: its title, and the sign that limits the list to it, typed first."""

    COMMANDS = "Commands", ">"
    PAGES = "Pages", "/"
    SETTINGS = "Settings", ":"
    ITEMS = "Items", "#"
    CHATS = "Chats", "@"
    TEXTS = "Texts", '"'

    @property
    def title(self) -> str:
        """The title, above the lines of the section."""
        return self.value[0]

    @property
    def sign(self) -> str:
        """The sign, typed before words of this section only."""
        return self.value[1]


SECTION_OF: Mapping[Kind, Section] = {
    "Command": Section.COMMANDS,
    "Page": Section.PAGES,
    "Setting": Section.SETTINGS,
    "Policy": Section.SETTINGS,
    "Preset": Section.SETTINGS,
    "Model": Section.SETTINGS,
    "Snapshot": Section.SETTINGS,
    "Comparison": Section.SETTINGS,
    "Item": Section.ITEMS,
    "Chat": Section.CHATS,
}


def limited(query: str) -> tuple[Section | None, str]:
    """Return the section that a query is limited to, None for all, and its words."""
    stripped = query.lstrip()
    for section in Section:
        if stripped.startswith(section.sign):
            is_quote = section is Section.TEXTS  # opens a phrase
            return section, stripped if is_quote else stripped[len(section.sign) :]
    return None, query


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an entry: its kind and name, and the policy of a preset."""

    kind: Kind
    name: str
    policy: str = ""


def section_of(choice: Choice) -> Section:
    """Return the section of an entry."""
    assert isinstance(choice.thing, Target)
    return SECTION_OF[choice.thing.kind]


_NAMED = ("Setting", "Policy", "Preset", "Model")
"""The kinds that are said: those of one section."""


def entry(
    target: Target,
    title: str,
    about: str = "",
    keys: str = "",
    words: str = "",
    possible: bool = True,
    whole_title: str = "",
) -> Choice:
    """Return an entry with title, short description and keys. Its tooltip has the whole title, its words the kind."""
    key = ":".join(part for part in (target.kind.lower(), target.policy, target.name) if part)
    tip = "\n".join(part for part in (whole_title or title, about) if part)
    said = " · ".join(filter(None, (target.kind if target.kind in _NAMED else "", about)))
    return Choice(key, (title, said, keys), target, f"{target.kind} {words}", tip, possible)


def setting_entries(parameters: Iterable[Parameter]) -> Iterator[Choice]:
    """Yield every setting of a policy: it is shown, and gets the keyboard."""
    for one in parameters:
        about = one.help or TOPICS.get(one.topic, "")
        yield entry(Target("Setting", one.name), one.label, about, words=one.name)


def item_entries(candidates: Candidates, query: str) -> Iterator[Choice]:
    """Yield the items of a prompt with this number or id."""
    name = query.strip()
    rows = dict.fromkeys([*numbered(candidates.items, name.lower().removeprefix("message ")), *named(candidates, name)])
    for row in rows:
        about = f"{who(candidates, row)} · {first_line(candidates.texts[row])}"
        yield entry(Target("Item", number_of(candidates, row)), title_in(candidates.items, row), about)


def named(candidates: Candidates, name: str) -> Iterator[int]:
    """Yield the rows with an id."""
    yield from map(int, candidates.rows_named([name])) if name else ()


def policy_entries(policies: Mapping[str, type]) -> Iterator[Choice]:
    """Yield every policy, with its title and its sentence."""
    for name, kind in policies.items():
        words = f"{name} {traits_of(kind()).whose}"
        yield entry(Target("Policy", name), policy_title(name, kind), policy_sentence(kind), words=words)


def preset_entries(presets: Mapping[tuple[str, str], Preset], policies: Mapping[str, type]) -> Iterator[Choice]:
    """Yield every preset, with its policy."""
    for (policy, name), preset in presets.items():
        title = policy_title(policy, policies[policy]) if policy in policies else policy
        about = " · ".join(filter(None, (title, preset.description)))
        yield entry(Target("Preset", name, policy), preset.title or name, about, words=f"{policy} {name}")


def model_entries(rows: Iterable[ModelRow]) -> Iterator[Choice]:
    """Yield every model, with its maker and its window."""
    for row in rows:
        about = f"{row.maker} · {counted(row.context_window, 'token')}"
        yield entry(Target("Model", row.name), row.name, about, words=" ".join(row.aliases))


def snapshot_entries(snapshots: Snapshots) -> Iterator[Choice]:
    """Yield every snapshot twice: to restore it, and to compare with it."""
    for one in snapshots:
        yield entry(Target("Snapshot", one.name), f"Restore snapshot {one.name}", one.note)
        yield entry(Target("Comparison", one.name), f"Compare with snapshot {one.name}", one.note)


def conversation_entries(conversations: Iterable[Conversation]) -> Iterator[Choice]:
    """Yield every open conversation, with its length and its file."""
    chats = list(conversations)
    titles = [chat.title or chat.id for chat in chats]
    for chat, title, short in zip(chats, titles, told_apart(list(map(masked, titles))), strict=True):
        about = counted(len(chat.messages), "message") if chat.is_read else UNREAD
        if chat.origin:
            about += f" · {PurePath(chat.origin).name}"
        words = f"{chat.id} {title}"
        yield entry(Target("Chat", chat.id), short, about, words=words, whole_title=title)
