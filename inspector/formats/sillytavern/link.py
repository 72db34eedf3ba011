"""Joins SillyTavern's chats with their cards, personas and groups in other files. Reads no files.

Items are joined if their files are in the same folder, or in SillyTavern's own folders (`chats/<Character>`, `group
chats`, `groups`, `characters`, `worlds`) of the same user. Items found there in a folder go with the chats there.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from inspector.formats.sillytavern.chosen_presets import ChosenPresets, is_preset
from inspector.formats.sillytavern.homes import Home, home_of
from inspector.formats.sillytavern.settings import PERSONA
from inspector.formats.sillytavern.turn import most_common, names_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Component, Conversation, Lorebook, Profile, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, clean, mapping, stem, strings

GROUP = "sillytavern group"  # `source` of the stand-in conversations for the chats of a group


def is_group(value: Any) -> bool:
    """Return whether an object is a group definition (`groups/<id>.json`)."""
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("members"), list)
        and bool(value.keys() & {"chat_id", "chats", "activation_strategy"})
    )


def load_group(value: Mapping[str, Any], source: FileSource) -> Workspace:
    """Return the members of a group as characters and its chats as conversations with messages in separate files."""
    title = as_text(value.get("name")).strip() or stem(source.path)
    members = [stem(avatar) for avatar in strings(value.get("members"))]
    chats = dict.fromkeys((*strings(value.get("chats")), *strings(value.get("chat_id"))))
    note = f"is the definition of the group {title}; its messages are in " + (
        ", ".join(f"{chat}.jsonl" for chat in chats)
    )
    own_id = as_text(value.get("id")) or stem(source.path)
    return Workspace(
        conversations=tuple(
            Conversation(f"{own_id}/{chat}", (), title, thread_id=chat, source=GROUP) for chat in chats
        ),
        characters=tuple(
            Character(id=id_, name=name) for id_, name in zip(unique_texts(members), members, strict=True)
        ),
        problems=(source.problem("", note, "info"),) if chats else (),
    )


_BESIDE_CHATS = frozenset(("sillytavern", "card", "world_info"))
_Owned = TypeVar("_Owned", Character, Lorebook)
_OVERRIDES = frozenset(("scenario", "example"))


def link(workspace: Workspace) -> Workspace:
    """Return the workspace with SillyTavern's chats joined to their cards, personas and groups.

    A chat gets a character of its own, made of the card with its speaker's name, the note and overrides of its header,
    and the persona with its user's name; the used card, the personas and the stand-ins of group members leave the list.
    A chat named by a group definition gets the group's title, and the sizes and prompts of the presets beside it: those
    of its folder or of a folder without chats, unless they differ; else those of the settings; else those of the
    folders of presets. Everything else stays.
    """
    formats = {clean(source.path): source.format for source in workspace.sources}
    table = _Table.of(workspace, formats)
    if not table.chats:
        return workspace
    made = {chat.origin: character for chat in table.chats if (character := _character_of(chat, table))}
    characters = [
        *(made.pop(origin) for origin in table.own if origin in made),
        *made.values(),
        *_left_over(workspace.characters, table),
    ]
    ids = unique_texts(character.id for character in characters)
    owners = _owners(table, formats)
    return changed(
        workspace,
        conversations=tuple(_conversations(workspace.conversations, table)),
        characters=tuple(
            _owned(character if character.id == id_ else changed(character, id=id_), owners)
            for character, id_ in zip(characters, ids, strict=True)
        ),
        lorebooks=tuple(_owned(book, owners) for book in workspace.lorebooks),
        problems=(*workspace.problems, *(each for each in table.presets.problems if each not in workspace.problems)),
    )


def _owners(table: "_Table", formats: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of the chats in the same home, for each SillyTavern file beside them."""
    chats: dict[Home, list[str]] = defaultdict(list)
    for chat in table.chats:
        chats[home_of(chat.origin)].append(chat.id)
    homes = {home: tuple(ids) for home, ids in chats.items()}
    return {file: homes.get(home_of(file), ()) for file, kind in formats.items() if kind in _BESIDE_CHATS}


def _owned(thing: _Owned, owners: Mapping[str, tuple[str, ...]]) -> _Owned:
    """Return an item without conversations with the chats of its home."""
    ids = owners.get(thing.origin, ()) if thing.conversations == () else ()
    return changed(thing, conversations=ids) if ids else thing


@dataclass(frozen=True, slots=True)
class _Table:
    """The items of a workspace for joining: chats and their own characters, cards, personas, group stand-ins.

    `own` characters are by the origin of their chat, `cards` by their home and name in small letters, the profiles of
    `personas` and the `sizes` of their settings by their home, `presets` by that of a chat. `speakers` are the
    assistant's names in a chat, by its origin; a name in its header wins. `used_up` are the objects that leave the list
    of characters, `stand_ins` those that leave it if there are chats.
    """

    chats: tuple[Conversation, ...]
    groups: tuple[Conversation, ...]
    own: Mapping[str, Character]
    cards: Mapping[tuple[Home, str], Character]
    personas: Mapping[Home, Sequence[Profile]]
    sizes: Mapping[Home, Mapping[str, Any]]
    presets: "ChosenPresets"
    speakers: Mapping[str, frozenset[str]]
    used_up: "_Objects"
    stand_ins: "_Objects"

    @classmethod
    def of(cls, workspace: Workspace, formats: dict[str, str]) -> "_Table":
        ours = [talk for talk in workspace.conversations if formats.get(talk.origin) == "sillytavern"]
        chats = tuple(talk for talk in ours if talk.source != GROUP)
        of_chats = {chat.origin for chat in chats}
        presets = [one for one in workspace.characters if is_preset(one, formats)]
        people = [someone for someone in workspace.characters if formats.get(someone.origin) == "sillytavern"]
        own = [someone for someone in people if someone.origin in of_chats]
        personas = [someone for someone in people if someone.id.startswith(PERSONA)]
        first_own: dict[str, Character] = {}
        for someone in own:
            first_own.setdefault(someone.origin, someone)
        in_headers = {someone.origin: frozenset((someone.name,)) for someone in own if someone.name}
        return cls(
            chats=chats,
            groups=tuple(talk for talk in ours if talk.source == GROUP),
            own=first_own,
            cards=_cards(someone for someone in workspace.characters if formats.get(someone.origin) == "card"),
            personas=_profiles(personas),
            sizes={home_of(one.origin): mapping(one.preferred_llm.get("parameters")) for one in personas},
            presets=ChosenPresets.of(presets, {home_of(chat.origin) for chat in chats}, formats),
            speakers={chat.origin: _speakers(chat) for chat in chats} | in_headers,
            used_up=_Objects([*own, *presets]),
            stand_ins=_Objects([*personas, *(someone for someone in people if someone.origin not in of_chats)]),
        )

    def card_of(self, chat: Conversation) -> Character | None:
        """Return the card of a chat with a single character, by name."""
        names = {name.casefold() for name in self.speakers[chat.origin]}
        return self.cards.get((home_of(chat.origin), names.pop())) if len(names) == 1 else None


def _cards(cards: Iterable[Character]) -> Mapping[tuple[Home, str], Character]:
    """Return the first card of each name in each home."""
    found: dict[tuple[Home, str], Character] = {}
    for card in cards:
        found.setdefault((home_of(card.origin), card.name.casefold()), card)
    return found


def _profiles(personas: Iterable[Character]) -> Mapping[Home, Sequence[Profile]]:
    found: dict[Home, list[Profile]] = defaultdict(list)
    for someone in personas:
        if someone.profile:
            found[home_of(someone.origin)].append(someone.profile)
    return found


class _Objects:
    """A set of objects by identity, as items of two files may be equal."""

    def __init__(self, things: Iterable[object]) -> None:
        self._things = {id(thing): thing for thing in things}

    def __contains__(self, thing: object) -> bool:
        return id(thing) in self._things


def _speakers(chat: Conversation) -> frozenset[str]:
    return frozenset(names_of(chat.messages, "assistant"))


def _character_of(chat: Conversation, table: _Table) -> Character | None:
    """Return a chat's own character, None if only its name is known."""
    own = table.own.get(chat.origin)
    card = table.card_of(chat)
    profile, preset = _profile(chat, own, table), table.presets.for_home(home_of(chat.origin))
    if card is None and own is None and not (profile and profile.facts) and not _has_text(preset):
        return None
    base = card or own or _nameless(table.speakers[chat.origin])
    if card and own:
        base = _overridden(card, own)
    return changed(_with_prompts(base, preset), profile=profile, conversations=None, origin=chat.origin)


def _nameless(names: frozenset[str]) -> Character:
    name = next(iter(names)) if len(names) == 1 else ""
    return Character(id=name or "character", name=name)


def _overridden(card: Character, own: Character) -> Character:
    replaced = {piece.type for piece in own.components} & _OVERRIDES
    kept: Iterable[Component] = (piece for piece in card.components if piece.type not in replaced)
    return changed(
        card,
        system_prompt=own.system_prompt or card.system_prompt,
        components=tuple(sorted((*kept, *own.components), key=lambda piece: piece.priority)),
    )


def _has_text(preset: Character) -> bool:
    return bool(preset.system_prompt.strip() or preset.components)


def _with_prompts(base: Character, preset: Character) -> Character:
    """Return a character with the prompts of a preset where it has none of its own, and all notes of both."""
    own = {piece.type for piece in base.components}
    added = [piece for piece in preset.components if piece.type == "depth_prompt" or piece.type not in own]
    if not _has_text(preset):
        return base
    return changed(
        base,
        system_prompt=base.system_prompt if base.system_prompt.strip() else preset.system_prompt,
        components=tuple(sorted((*base.components, *added), key=lambda piece: piece.priority)),
    )


def _profile(chat: Conversation, own: Character | None, table: _Table) -> Profile | None:
    """Return the persona with the name of the chat's user; without a name the default, without a persona the name."""
    near = table.personas.get(home_of(chat.origin), ())
    in_header = own.profile if own else None
    name = in_header.name if in_header else most_common(names_of(chat.messages, "user"))
    if not name:
        return near[0] if near else None
    return next((profile for profile in near if profile.name == name), in_header or Profile(name=name))


def _left_over(characters: Sequence[Character], table: _Table) -> Iterator[Character]:
    """Yield the characters not taken by any chat; a card stays for the groups in which its character speaks."""
    homes = {home_of(chat.origin) for chat in table.chats}
    taken = _Objects(card for chat in table.chats if (card := table.card_of(chat)))
    several = [chat for chat in table.chats if len(table.speakers[chat.origin]) > 1]
    needed = {(home_of(chat.origin), name) for chat in several for name in table.speakers[chat.origin]}
    for someone in characters:
        home = home_of(someone.origin)
        if someone in table.used_up or (someone in table.stand_ins and home in homes):
            continue
        if (home, someone.name) in needed or someone not in taken:
            yield someone


def _sizes(table: _Table, home: Home) -> Mapping[str, Any]:
    """Return the sizes for the chats of a home: of its preset, over those of settings for the same kind of API."""
    settings = table.sizes.get(home, {})
    preset = mapping(table.presets.for_home(home).preferred_llm.get("parameters"))
    is_other = bool(preset) and settings.get("main_api", preset["main_api"]) != preset["main_api"]
    return preset if is_other else {**settings, **preset}


def _conversations(conversations: Sequence[Conversation], table: _Table) -> Iterator[Conversation]:
    """Yield the conversations with the titles of their groups and the sizes of the settings beside them.

    The empty stand-ins for group chats are left out.
    """
    titles = {(home_of(group.origin), group.thread_id): group.title for group in table.groups}
    homes = {home_of(chat.origin) for chat in table.chats}
    chats, groups = _Objects(table.chats), _Objects(table.groups)
    for talk in conversations:
        if talk in groups and home_of(talk.origin) in homes:
            continue
        title = titles.get((home_of(talk.origin), stem(talk.origin))) if titles and talk in chats else None
        sizes = _sizes(table, home_of(talk.origin)) if talk in chats else {}
        found = {**talk.parameters, **sizes, **({"group": True} if title else {})}
        yield changed(talk, title=title or talk.title, parameters=found) if found != talk.parameters or title else talk
