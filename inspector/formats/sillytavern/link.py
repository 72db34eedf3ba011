"""Joins SillyTavern's chats with their cards, personas and groups in other files. Reads no files.

Items are joined if their files are in the same folder, or in SillyTavern's own folders (`chats/<Character>`, `group
chats`, `groups`, `characters`, `worlds`) of the same user. Items found there in a folder go with the chats there.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, TypeVar

from inspector.formats.sillytavern.sizes import named_sizes
from inspector.formats.sillytavern.turn import most_common, names_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Component, Conversation, Lorebook, Profile, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, clean, mapping, stem, strings

GROUP = "sillytavern group"  # `source` of the stand-in conversations for the chats of a group
PERSONA = "persona:"  # prefix of the id of a character made from a persona
_USER, _AVATAR = "User", "user-default.png"  # those of a fresh `settings.json`
_PARTS_OF_SETTINGS = frozenset(("power_user", "oai_settings", "textgenerationwebui_settings", "world_info_settings"))
_NOT_SENT = 9  # persona_description_positions.NONE


def is_group(value: Any) -> bool:
    """Return whether an object is a group definition (`groups/<id>.json`)."""
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("members"), list)
        and bool(value.keys() & {"chat_id", "chats", "activation_strategy"})
    )


def is_settings(value: Any) -> bool:
    """Return whether an object is a `settings.json`, the server's response for it, or a backup of the personas."""
    top = _top(value)
    has_personas = bool(_settings(value).keys() & {"personas", "persona_descriptions"})
    return has_personas or ("main_api" in top and bool(top.keys() & _PARTS_OF_SETTINGS))


def _top(value: Any) -> Mapping[str, Any]:
    """Return the top level of the settings, which servers wrap as text."""
    wrapped = mapping(value).get("settings")
    if isinstance(wrapped, str) and ("persona" in wrapped or "main_api" in wrapped):
        try:
            value = json.loads(wrapped)
        except (ValueError, RecursionError):
            return {}
    return mapping(value)


def _settings(value: Any) -> Mapping[str, Any]:
    """Return the object with the personas: `power_user`, or the top level in a backup."""
    top = _top(value)
    inner = top.get("power_user")
    if isinstance(inner, Mapping):
        return {"user_avatar": top.get("user_avatar"), **inner}
    return top if isinstance(top.get("personas"), Mapping) and "persona_descriptions" in top else {}


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


def load_personas(value: Mapping[str, Any], source: FileSource) -> Workspace:
    """Return the personas of the user, each with the sizes that the settings name.

    Settings without personas, as at first (`default/content/settings.json` of SillyTavern/SillyTavern), have the user's
    name and avatar alone: `username` and `user_avatar`. Nothing else of the settings is read: they may hold keys of
    services.
    """
    settings = _settings(value)
    names = mapping(settings.get("personas"))
    descriptions = mapping(settings.get("persona_descriptions"))
    current = [as_text(settings.get(field)) for field in ("default_persona", "user_avatar")]
    avatars = dict.fromkeys((*(avatar for avatar in current if avatar in names), *names, *descriptions))
    top = _top(value)
    sizes = named_sizes(top)
    if not avatars and sizes:
        avatar = as_text(top.get("user_avatar")) or _AVATAR
        avatars, names = {avatar: None}, {avatar: as_text(top.get("username")).strip() or _USER}
    if not avatars:
        raise source.unreadable("power_user.personas", "expected at least one persona, or sizes with main_api")
    return Workspace(
        characters=tuple(
            Character(
                id=f"{PERSONA}{avatar}",
                profile=_persona(avatar, names.get(avatar), descriptions.get(avatar)),
                preferred_llm={"parameters": sizes} if sizes else {},
            )
            for avatar in avatars
        )
    )


def _persona(avatar: str, name: Any, description: Any) -> Profile:
    """Return name and description, which very old settings have as text; position 9 keeps it out of prompts."""
    fields = description if isinstance(description, Mapping) else {"description": description}
    text = "" if as_whole(fields.get("position")) == _NOT_SENT else as_text(fields.get("description")).strip()
    return Profile(name=as_text(name).strip() or stem(avatar), facts=(text,) if text else ())


_FOLDERS = frozenset(("characters", "chats", "groups", "group chats", "worlds"))
_Home = tuple[str, ...]
_BESIDE_CHATS = frozenset(("sillytavern", "card", "world_info"))
_Owned = TypeVar("_Owned", Character, Lorebook)
_OVERRIDES = frozenset(("scenario", "example"))


def link(workspace: Workspace) -> Workspace:
    """Return the workspace with SillyTavern's chats joined to their cards, personas and groups.

    A chat gets a character of its own, made of the card with its speaker's name, the note and overrides of its header,
    and the persona with its user's name; the used card, the personas and the stand-ins of group members leave the list.
    A chat named by a group definition gets the group's title. Everything else stays.
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
    )


def _owners(table: "_Table", formats: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of the chats in the same home, for each SillyTavern file beside them."""
    chats: dict[_Home, list[str]] = defaultdict(list)
    for chat in table.chats:
        chats[_home(chat.origin)].append(chat.id)
    homes = {home: tuple(ids) for home, ids in chats.items()}
    return {file: homes.get(_home(file), ()) for file, kind in formats.items() if kind in _BESIDE_CHATS}


def _owned(thing: _Owned, owners: Mapping[str, tuple[str, ...]]) -> _Owned:
    """Return an item without conversations with the chats of its home."""
    ids = owners.get(thing.origin, ()) if thing.conversations == () else ()
    return changed(thing, conversations=ids) if ids else thing


@dataclass(frozen=True, slots=True)
class _Table:
    """The items of a workspace for joining: chats and their own characters, cards, personas, group stand-ins.

    `own` characters are by the origin of their chat, `cards` by their home and name in small letters, the profiles of
    `personas` and the `sizes` of their settings by their home. `speakers` are the assistant's names in a chat, by its
    origin; a name in its header wins. `used_up` are the objects that leave the list of characters, `stand_ins` those
    that leave it if there are chats.
    """

    chats: tuple[Conversation, ...]
    groups: tuple[Conversation, ...]
    own: Mapping[str, Character]
    cards: Mapping[tuple[_Home, str], Character]
    personas: Mapping[_Home, Sequence[Profile]]
    sizes: Mapping[_Home, Mapping[str, Any]]
    speakers: Mapping[str, frozenset[str]]
    used_up: "_Objects"
    stand_ins: "_Objects"

    @classmethod
    def of(cls, workspace: Workspace, formats: dict[str, str]) -> "_Table":
        ours = [talk for talk in workspace.conversations if formats.get(talk.origin) == "sillytavern"]
        chats = tuple(talk for talk in ours if talk.source != GROUP)
        of_chats = {chat.origin for chat in chats}
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
            sizes={_home(one.origin): mapping(one.preferred_llm.get("parameters")) for one in personas},
            speakers={chat.origin: _speakers(chat) for chat in chats} | in_headers,
            used_up=_Objects(own),
            stand_ins=_Objects([*personas, *(someone for someone in people if someone.origin not in of_chats)]),
        )

    def card_of(self, chat: Conversation) -> Character | None:
        """Return the card of a chat with a single character, by name."""
        names = {name.casefold() for name in self.speakers[chat.origin]}
        return self.cards.get((_home(chat.origin), names.pop())) if len(names) == 1 else None


def _cards(cards: Iterable[Character]) -> Mapping[tuple[_Home, str], Character]:
    """Return the first card of each name in each home."""
    found: dict[tuple[_Home, str], Character] = {}
    for card in cards:
        found.setdefault((_home(card.origin), card.name.casefold()), card)
    return found


def _profiles(personas: Iterable[Character]) -> Mapping[_Home, Sequence[Profile]]:
    found: dict[_Home, list[Profile]] = defaultdict(list)
    for someone in personas:
        if someone.profile:
            found[_home(someone.origin)].append(someone.profile)
    return found


class _Objects:
    """A set of objects by identity, as items of two files may be equal."""

    def __init__(self, things: Iterable[object]) -> None:
        self._things = {id(thing): thing for thing in things}

    def __contains__(self, thing: object) -> bool:
        return id(thing) in self._things


def _home(origin: str) -> _Home:
    """Return the folder whose files belong together: the user folder, for SillyTavern's own folders in it."""
    return _home_of(origin.replace("\\", "/").rpartition("/")[0])


@lru_cache
def _home_of(folder: str) -> _Home:
    parts = PurePosixPath(folder).parts
    if len(parts) > 1 and parts[-2] == "chats":
        return parts[:-2]
    return parts[:-1] if parts and parts[-1] in _FOLDERS else parts


def _speakers(chat: Conversation) -> frozenset[str]:
    return frozenset(names_of(chat.messages, "assistant"))


def _character_of(chat: Conversation, table: _Table) -> Character | None:
    """Return a chat's own character, None if only its name is known."""
    own = table.own.get(chat.origin)
    card = table.card_of(chat)
    profile = _profile(chat, own, table)
    if card is None and own is None and not (profile and profile.facts):
        return None
    base = card or own or _nameless(table.speakers[chat.origin])
    if card and own:
        base = _overridden(card, own)
    return changed(base, profile=profile, conversations=None, origin=chat.origin)


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


def _profile(chat: Conversation, own: Character | None, table: _Table) -> Profile | None:
    """Return the persona with the name of the chat's user; without a name the default, without a persona the name."""
    near = table.personas.get(_home(chat.origin), ())
    in_header = own.profile if own else None
    name = in_header.name if in_header else most_common(names_of(chat.messages, "user"))
    if not name:
        return near[0] if near else None
    return next((profile for profile in near if profile.name == name), in_header or Profile(name=name))


def _left_over(characters: Sequence[Character], table: _Table) -> Iterator[Character]:
    """Yield the characters not taken by any chat; a card stays for the groups in which its character speaks."""
    homes = {_home(chat.origin) for chat in table.chats}
    taken = _Objects(card for chat in table.chats if (card := table.card_of(chat)))
    several = [chat for chat in table.chats if len(table.speakers[chat.origin]) > 1]
    needed = {(_home(chat.origin), name) for chat in several for name in table.speakers[chat.origin]}
    for someone in characters:
        home = _home(someone.origin)
        if someone in table.used_up or (someone in table.stand_ins and home in homes):
            continue
        if (home, someone.name) in needed or someone not in taken:
            yield someone


def _conversations(conversations: Sequence[Conversation], table: _Table) -> Iterator[Conversation]:
    """Yield the conversations with the titles of their groups and the sizes of the settings beside them.

    The empty stand-ins for group chats are left out.
    """
    titles = {(_home(group.origin), group.thread_id): group.title for group in table.groups}
    homes = {_home(chat.origin) for chat in table.chats}
    chats, groups = _Objects(table.chats), _Objects(table.groups)
    for talk in conversations:
        if talk in groups and _home(talk.origin) in homes:
            continue
        title = titles.get((_home(talk.origin), stem(talk.origin))) if titles and talk in chats else None
        sizes = table.sizes.get(_home(talk.origin), {}) if talk in chats else {}
        found = {**talk.parameters, **sizes, **({"group": True} if title else {})}
        yield changed(talk, title=title or talk.title, parameters=found) if found != talk.parameters or title else talk
