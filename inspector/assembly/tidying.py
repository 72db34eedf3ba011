"""Tidying: the parts of the workspace removed or renamed by the user. The files are unchanged. Independent of Qt."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from inspector.formats import Part
from inspector.model import Workspace, changed
from inspector.model.workspace import waiting

LISTS = {
    "conversation": "conversations",
    "memory_set": "memory_sets",
    "character": "characters",
    "lorebook": "lorebooks",
}
"""The kinds of parts that can be removed individually, with their list in the workspace."""
NAMED = ("conversation", "memory_set", "lorebook")
"""The kinds whose titles are in no prompt, and so can be changed."""


def key_of(kind: str, thing: str) -> str:
    """Return the key in a `Tidying` of a file (by its path) or a part of the workspace (by its id)."""
    return f"{kind}:{thing}"


def moved(removed: Iterable[str], relocated: Callable[[str], str]) -> tuple[str, ...]:
    """Return the removed keys, with the paths of files changed by `relocated`."""
    of_files = key_of("file", "")
    return tuple(of_files + relocated(key[len(of_files) :]) if key.startswith(of_files) else key for key in removed)


@dataclass(frozen=True)
class Tidying:
    """The `removed` keys (`key_of`), and the `titles` given by the user, by key."""

    removed: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    def without(self, keys: Iterable[str]) -> "Tidying":
        """Return the same with these keys removed, too."""
        return replace(self, removed=tuple(dict.fromkeys((*self.removed, *keys))))

    def with_files(self, files: Iterable[str]) -> "Tidying":
        """Return the same with these files restored."""
        back = {key_of("file", file) for file in files}
        return replace(self, removed=tuple(key for key in self.removed if key not in back))

    def with_title(self, key: str, title: str) -> "Tidying":
        """Return the same with another title for a part; "" restores the title of its file."""
        titles = {**self.titles, key: title}
        return replace(self, titles={name: given for name, given in titles.items() if given})

    def has_removed_file(self, file: str) -> bool:
        """Return whether a file was removed."""
        return key_of("file", file) in self.removed

    def parts(self, parts: Iterable[Part]) -> tuple[Part, ...]:
        """Return the remaining files."""
        removed = set(self.removed)
        return tuple(part for part in parts if key_of("file", part.file) not in removed)

    def workspace(self, workspace: Workspace) -> Workspace:
        """Return the workspace of the remaining files without the removed parts, with the given titles."""
        if not (self.removed or self.titles):
            return workspace
        removed = set(self.removed)
        lists: dict[str, Any] = {}
        for kind, name in LISTS.items():
            things = (thing for thing in getattr(workspace, name) if key_of(kind, thing.id) not in removed)
            lists[name] = tuple(self._titled(kind, thing) for thing in things)
        return waiting(changed(workspace, **lists), held=workspace.conversations)

    def _titled(self, kind: str, thing: Any) -> Any:
        title = self.titles.get(key_of(kind, thing.id)) if kind in NAMED else None
        return thing if title is None else changed(thing, title=title)
