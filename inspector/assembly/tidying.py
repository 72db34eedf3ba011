"""Tidying: what a person removed from the workspace or called otherwise. The files stay as they are. Knows no Qt."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from inspector.formats import Part
from inspector.model import Workspace, changed
from inspector.model.belonging import waiting

LISTS = {
    "conversation": "conversations",
    "memory_set": "memory_sets",
    "character": "characters",
    "lorebook": "lorebooks",
}
"""What can be removed by itself, and the list of the workspace that it is in."""
NAMED = ("conversation", "memory_set", "lorebook")
"""What has a title that is in no prompt, and so can be called otherwise."""


def key_of(kind: str, thing: str) -> str:
    """What a file (by its path) or a thing of the workspace (by its id) is named by in a `Tidying`."""
    return f"{kind}:{thing}"


def moved(removed: Iterable[str], relocated: Callable[[str], str]) -> tuple[str, ...]:
    """What was removed, with the paths of files as another place has them."""
    of_files = key_of("file", "")
    return tuple(of_files + relocated(key[len(of_files) :]) if key.startswith(of_files) else key for key in removed)


@dataclass(frozen=True)
class Tidying:
    """By `key_of`: what is `removed`, and the `titles` that a person gave."""

    removed: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    def without(self, keys: Iterable[str]) -> "Tidying":
        """The same with these removed, too."""
        return replace(self, removed=tuple(dict.fromkeys((*self.removed, *keys))))

    def with_files(self, files: Iterable[str]) -> "Tidying":
        """The same with these files there again."""
        back = {key_of("file", file) for file in files}
        return replace(self, removed=tuple(key for key in self.removed if key not in back))

    def with_title(self, key: str, title: str) -> "Tidying":
        """The same with another title for a thing; "" is the one that its file has."""
        titles = {**self.titles, key: title}
        return replace(self, titles={name: given for name, given in titles.items() if given})

    def has_removed_file(self, file: str) -> bool:
        """Whether a file was removed."""
        return key_of("file", file) in self.removed

    def parts(self, parts: Iterable[Part]) -> tuple[Part, ...]:
        """The files that are left."""
        removed = set(self.removed)
        return tuple(part for part in parts if key_of("file", part.file) not in removed)

    def workspace(self, workspace: Workspace) -> Workspace:
        """What is left of the files that are left, as it is called now."""
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
