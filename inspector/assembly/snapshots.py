"""Snapshots: scenarios saved by the user under a name. Names are unique; every operation returns another list."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inspector.assembly.scenario import Scenario


@dataclass(frozen=True)
class Snapshot:
    """A scenario under a name, with a note, and the local time it was kept at in ISO 8601 ("": not known)."""

    name: str
    scenario: Scenario
    note: str = ""
    kept_at: str = ""


Snapshots = tuple[Snapshot, ...]


@dataclass(frozen=True)
class SnapshotEdit:
    """Snapshots after a change, with the label of the change."""

    label: str
    snapshots: Snapshots


def keep_snapshot(
    snapshots: Snapshots, name: str, scenario: Scenario, note: str = "", kept_at: str = ""
) -> SnapshotEdit:
    """Add a scenario under a name after the others; a number is appended to a taken name."""
    free = free_name(snapshots, name)
    return SnapshotEdit(f"Keep snapshot {free}", (*snapshots, Snapshot(free, scenario, note, kept_at)))


def rename_snapshot(snapshots: Snapshots, name: str, other: str) -> SnapshotEdit:
    """Rename a snapshot; an empty name changes nothing, and a number is appended to a taken name."""
    rest = tuple(one for one in snapshots if one.name != name)
    new = free_name(rest, other) if other.strip() else name
    changed = tuple(replace(one, name=new) if one.name == name else one for one in snapshots)
    return SnapshotEdit(f"Rename snapshot {name}", changed)


def note_snapshot(snapshots: Snapshots, name: str, note: str) -> SnapshotEdit:
    """Set the note of a snapshot."""
    changed = tuple(replace(one, note=note.strip()) if one.name == name else one for one in snapshots)
    return SnapshotEdit(f"Note on snapshot {name}", changed)


def move_snapshot(snapshots: Snapshots, name: str, by: int) -> SnapshotEdit:
    """Move a snapshot up (below 0) or down in the list, at most to its end."""
    moving = snapshot_named(snapshots, name)
    place = min(max(snapshots.index(moving) + by, 0), len(snapshots) - 1)
    rest = [one for one in snapshots if one is not moving]
    return SnapshotEdit(f"Move snapshot {name}", (*rest[:place], moving, *rest[place:]))


def remove_snapshot(snapshots: Snapshots, name: str) -> SnapshotEdit:
    """Remove a snapshot."""
    return SnapshotEdit(f"Remove snapshot {name}", tuple(one for one in snapshots if one.name != name))


def snapshot_named(snapshots: Snapshots, name: str) -> Snapshot:
    """Return the snapshot of a name. Raise KeyError if there is none."""
    for one in snapshots:
        if one.name == name:
            return one
    raise KeyError(name)


def free_name(snapshots: Sequence[Snapshot], name: str) -> str:
    """Return the name with its white space normalized, and with the first number from 2 on if it is taken."""
    first, taken = " ".join(name.split()) or "Snapshot", {one.name for one in snapshots}
    tries = (f"{first} {number}" for number in range(2, len(taken) + 3))
    return first if first not in taken else next(one for one in tries if one not in taken)
