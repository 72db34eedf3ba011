"""References: items, conversations, characters and memory sets by the names used elsewhere.

An id comes first, then the same ignoring case, then the name in the window: the number of a message, `M 12` for a
memory, the title of a conversation if it is unique.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from inspector.assembly.choices import ScenarioError
from inspector.assembly.items import ItemTexts
from inspector.assembly.numbers import numbered
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Character, Conversation, MemorySet, Workspace
from inspector.nearest import instead, nearest

_MOST_NAMED = 5
OF_ITEMS = ("pinned", "excluded", "overrides")
"""The fields of a scenario that name items."""

_Thing = TypeVar("_Thing", Conversation, Character, MemorySet)


def with_ids(
    scenario: Scenario, pipeline: Pipeline, items: Mapping[str, Iterable[str]], *, everywhere: bool = False
) -> Scenario:
    """Return a scenario that names its conversation, character, memory sets and these items by their ids.

    `items` are names by their field of the scenario, any of `OF_ITEMS`. With `everywhere` they may be of any
    conversation, not only of the scenario's. Raise ScenarioError for an unknown or ambiguous name, and the errors of
    `Pipeline.case`.
    """
    scenario = _with_things(scenario, pipeline.workspace)
    named = [(field, name) for field, names in items.items() for name in names]
    called = {name: _item_of(scenario, pipeline, field, name, everywhere) for field, name in named}
    if not called:
        return scenario
    overrides = {called.get(name, name): fields for name, fields in scenario.overrides.items()}
    pinned, excluded = (
        tuple(called.get(name, name) for name in names) for names in (scenario.pinned, scenario.excluded)
    )
    return replace(scenario, pinned=pinned, excluded=excluded, overrides=overrides)


def conversation_named(workspace: Workspace, name: str) -> Conversation:
    """Return the conversation of an id or a title. Raise ScenarioError unless there is exactly one."""
    return _thing(workspace.conversations, name, "conversation")


def row_of(items: ItemTexts, name: str) -> int:
    """Return the row of the item of this name. Raise ScenarioError unless there is exactly one."""
    rows = _rows_meant(items, name)
    if len(rows) > 1:
        names = ", ".join(items.names[row] for row in rows[:_MOST_NAMED])
        raise ScenarioError(f"several items are called {name}; name one of {names}")
    if not rows:
        lead = f"there are {len(items.names):,}, such as"
        raise ScenarioError(f"no item is called {name}; {instead(name, items.names, _MOST_NAMED, lead)}")
    return rows[0]


def _rows_meant(items: ItemTexts, name: str) -> Sequence[int]:
    exact = items.rows_called([name]).get(name)
    if exact:
        return exact
    folded = name.casefold()
    alike = [row for row, pair in enumerate(zip(items.names, items.plain_ids, strict=True)) if _is_either(pair, folded)]
    return alike or list(numbered(items, name))


def _is_either(names: Sequence[str], folded: str) -> bool:
    return any(one.casefold() == folded for one in names)


def _item_of(scenario: Scenario, pipeline: Pipeline, field: str, name: str, everywhere: bool) -> str:
    """Return the id of an item named in a field of a scenario."""
    try:
        if everywhere and scenario.conversation is None and len(pipeline.workspace.conversations) > 1:
            return _anywhere(pipeline.workspace, name)
        case = pipeline.case(replace(scenario, pinned=(), excluded=(), overrides={}))
        items = pipeline.plain_items(case)
        is_elsewhere = name not in items.rows_called([name]) and name in _ids_of_branches(items.conversation)
        return name if is_elsewhere else items.names[row_of(items, name)]
    except ScenarioError as problem:
        raise ScenarioError(str(problem), problem.field or field) from None


def _anywhere(workspace: Workspace, name: str) -> str:
    """Return the id of an item of any open conversation; numbers, which differ between conversations, are refused."""
    ids = dict.fromkeys(_all_ids(workspace))
    if name.rpartition("/")[2] in ids:
        return name
    alike = [one for one in ids if one.casefold() == name.casefold()]
    if len(alike) != 1:
        raise ScenarioError(f"no item of any conversation is called {name}; {instead(name, alike or list(ids))}")
    return alike[0]


def _ids_of_branches(conversation: Conversation | None) -> set[str]:
    """Return the ids of all messages of a conversation, including branches not shown."""
    tree = conversation.tree if conversation else None
    return {message.id for message in tree.messages} if tree else set()


def _all_ids(workspace: Workspace) -> Iterator[str]:
    for conversation in workspace.conversations:
        yield from (message.id for message in conversation.messages)
        yield from _ids_of_branches(conversation)
    for holder in workspace.memory_sets:
        yield from (memory.id for memory in holder.memories)
    for book in workspace.lorebooks:
        yield from (entry.id for entry in book.entries)
    for things in (workspace.characters, workspace.passages, workspace.summaries, workspace.documents):
        yield from (one.id for one in things)
    yield from (one.path for one in workspace.attachments)


def _with_things(scenario: Scenario, workspace: Workspace) -> Scenario:
    """Return a scenario with the ids of its named conversation, character and memory sets."""
    if scenario.conversation is not None:
        scenario = replace(scenario, conversation=conversation_named(workspace, scenario.conversation).id)
    if scenario.character is not None:
        scenario = replace(scenario, character=_thing(workspace.characters, scenario.character, "character").id)
    if scenario.memory_sets:
        sets = (_thing(workspace.memory_sets, name, "memory set", "memory_sets") for name in scenario.memory_sets)
        scenario = replace(scenario, memory_sets=tuple(dict.fromkeys(one.id for one in sets)))
    if scenario.score_scales:
        of_sets = {
            _thing(workspace.memory_sets, name, "memory set", "score_scales").id: scale
            for name, scale in scenario.score_scales.items()
        }
        scenario = replace(scenario, score_scales=of_sets)
    return scenario


def _thing(things: Sequence[_Thing], name: str, noun: str, field: str = "") -> _Thing:
    """Return the thing whose id, id ignoring case, or title is this name."""
    folded = name.casefold()
    tests: tuple[Callable[[_Thing], bool], ...] = (
        lambda one: one.id == name,
        lambda one: one.id.casefold() == folded,
        lambda one: _title(one) == name,
        lambda one: _title(one).casefold() == folded,
    )
    found = next((alike for test in tests if (alike := list(filter(test, things)))), [])
    if len(found) == 1 or (found and found[0].id == name):
        return found[0]
    ids = [one.id for one in found or things]
    if found:
        raise ScenarioError(f"several are called {name!r}; name one of {', '.join(ids[:_MOST_NAMED])}", field or noun)
    known = [*ids, *filter(None, map(_title, things))]
    named = instead(name, known) if nearest(name, known) else instead(name, ids)
    raise ScenarioError(f"{noun} {name!r} is not there; {named}", field or noun)


def _title(thing: Conversation | Character | MemorySet) -> str:
    return thing.name if isinstance(thing, Character) else thing.title
