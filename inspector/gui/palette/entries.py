"""The palette entries for values of the program: policies, presets, models, conversations. No Qt here."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from inspector.assembly.policy import policy_sentence, policy_title, traits_of
from inspector.assembly.preset import Preset
from inspector.assembly.snapshots import Snapshots
from inspector.figures import UNREAD, counted
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.texts import told_apart
from inspector.model import Conversation
from inspector.secrets import masked
from inspector.tokens.models.table import ModelRow

Kind = Literal["Command", "Page", "Policy", "Preset", "Model", "Snapshot", "Comparison", "Conversation"]


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an entry: its kind and name, and the policy of a preset."""

    kind: Kind
    name: str
    policy: str = ""


def entry(
    target: Target,
    title: str,
    about: str = "",
    keys: str = "",
    words: str = "",
    possible: bool = True,
    whole_title: str = "",
) -> Choice:
    """Return an entry with title, short description, keys and kind. Its tooltip has the whole title."""
    key = ":".join(part for part in (target.kind.lower(), target.policy, target.name) if part)
    tip = "\n".join(part for part in (whole_title or title, about) if part)
    return Choice(key, (title, about, keys, target.kind), target, words, tip, possible)


def policy_entries(policies: Mapping[str, type]) -> Iterator[Choice]:
    """Yield every policy, with its title and its sentence."""
    for name, kind in policies.items():
        words = f"{name} {traits_of(kind()).whose}"
        yield entry(Target("Policy", name), policy_title(name, kind), policy_sentence(kind), words=words)


def preset_entries(presets: Mapping[tuple[str, str], Preset]) -> Iterator[Choice]:
    """Yield every preset, with its policy."""
    for (policy, name), preset in presets.items():
        about = f"{policy} · {preset.description}" if preset.description else policy
        yield entry(Target("Preset", name, policy), preset.title or name, about, words=name)


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
        yield entry(Target("Conversation", chat.id), short, about, words=words, whole_title=title)
