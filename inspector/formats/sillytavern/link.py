"""Joining what SillyTavern keeps in several files: chats with their cards, personas and groups. Reads no files.

Things are joined when their files lie in the same folder, or in SillyTavern's own folders (`chats/<Character>`,
`group chats`, `groups`, `characters`) of the same user.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from inspector.formats.sillytavern.people import GROUP, PERSONA
from inspector.formats.sillytavern.turn import most_common, names_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Component, Conversation, Profile, Workspace, changed
from inspector.reading.names import pure_path, stem

_FOLDERS = frozenset(("characters", "chats", "groups", "group chats", "worlds"))
_OVERRIDES = frozenset(("scenario", "example"))


def link(workspace: Workspace) -> Workspace:
    """The workspace with SillyTavern's chats joined to what belongs to them.

    A chat gets a character of its own, made of the card with its speaker's name, the note and overrides of its
    header, and the persona with its user's name; the card that was used up, the personas and the stand-ins of group
    members leave the list. A chat that a group definition names gets the group's title. Everything else stays.
    """
    formats = {source.path: source.format for source in workspace.sources}
    table = _Table.of(workspace, formats)
    if not table.chats:
        return workspace
    made = {chat.origin: character for chat in table.chats if (character := _character_of(chat, table))}
    characters = [
        *(made.pop(character.origin) for character in table.own if character.origin in made),
        *made.values(),
        *_left_over(workspace.characters, table),
    ]
    ids = unique_texts(character.id for character in characters)
    return changed(
        workspace,
        conversations=tuple(_conversations(workspace.conversations, table)),
        characters=tuple(
            character if character.id == id_ else changed(character, id=id_)
            for character, id_ in zip(characters, ids, strict=True)
        ),
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """The things of a workspace that take part: chats and their own characters, cards, personas, group stand-ins.

    `speakers` are the names for which the assistant speaks in a chat, by its origin; a name in its header wins.
    """

    chats: tuple[Conversation, ...]
    groups: tuple[Conversation, ...]
    own: tuple[Character, ...]
    cards: tuple[Character, ...]
    personas: tuple[Character, ...]
    members: tuple[Character, ...]
    speakers: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, workspace: Workspace, formats: dict[str, str]) -> "_Table":
        ours = [talk for talk in workspace.conversations if formats.get(talk.origin) == "sillytavern"]
        chats = tuple(talk for talk in ours if talk.source != GROUP)
        of_chats = {chat.origin for chat in chats}
        people = [someone for someone in workspace.characters if formats.get(someone.origin) == "sillytavern"]
        own = tuple(someone for someone in people if someone.origin in of_chats)
        in_headers = {someone.origin: frozenset((someone.name,)) for someone in own if someone.name}
        return cls(
            chats=chats,
            groups=tuple(talk for talk in ours if talk.source == GROUP),
            own=own,
            cards=tuple(someone for someone in workspace.characters if formats.get(someone.origin) == "card"),
            personas=tuple(someone for someone in people if someone.id.startswith(PERSONA)),
            members=tuple(
                someone for someone in people if someone.origin not in of_chats and not someone.id.startswith(PERSONA)
            ),
            speakers={chat.origin: _speakers(chat) for chat in chats} | in_headers,
        )

    def card_of(self, chat: Conversation) -> Character | None:
        """The card of a chat with one character, by name."""
        names = {name.casefold() for name in self.speakers[chat.origin]}
        near = (card for card in self.cards if _home(card.origin) == _home(chat.origin))
        return next((card for card in near if len(names) == 1 and card.name.casefold() in names), None)


def _home(origin: str) -> tuple[str, ...]:
    """The folder whose files belong together: SillyTavern's own folders count as the user's folder around them."""
    parts = pure_path(origin).parent.parts
    if len(parts) > 1 and parts[-2] == "chats":
        return parts[:-2]
    return parts[:-1] if parts and parts[-1] in _FOLDERS else parts


def _speakers(chat: Conversation) -> frozenset[str]:
    return frozenset(names_of(chat.messages, "assistant"))


def _character_of(chat: Conversation, table: _Table) -> Character | None:
    """The character that a chat has for itself, or None where nothing is known of it but its name."""
    own = next((someone for someone in table.own if someone.origin == chat.origin), None)
    card = table.card_of(chat)
    profile = _profile(chat, own, table)
    if card is None and own is None and not (profile and profile.facts):
        return None
    base = card or own or _nameless(table.speakers[chat.origin])
    if card and own:
        base = _overridden(card, own)
    return changed(base, profile=profile, origin=chat.origin)


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
    """The persona with the name of the chat's user; without a name the default one, without a persona the name."""
    near = [
        someone.profile for someone in table.personas if someone.profile and _home(someone.origin) == _home(chat.origin)
    ]
    in_header = own.profile if own else None
    name = in_header.name if in_header else most_common(names_of(chat.messages, "user"))
    if not name:
        return near[0] if near else None
    return next((profile for profile in near if profile.name == name), in_header or Profile(name=name))


def _left_over(characters: Sequence[Character], table: _Table) -> Iterator[Character]:
    """The characters that no chat has taken for itself; a card stays for the groups that its character speaks in."""
    homes = {_home(chat.origin) for chat in table.chats}
    taken = [card for chat in table.chats if (card := table.card_of(chat))]
    several = [chat for chat in table.chats if len(table.speakers[chat.origin]) > 1]
    for someone in characters:
        stands_in = _is_one_of(someone, table.personas) or _is_one_of(someone, table.members)
        if _is_one_of(someone, table.own) or (stands_in and _home(someone.origin) in homes):
            continue
        needed = any(
            _home(chat.origin) == _home(someone.origin) and someone.name in table.speakers[chat.origin]
            for chat in several
        )
        if needed or not _is_one_of(someone, taken):
            yield someone


def _is_one_of(thing: object, things: Sequence[object]) -> bool:
    """Whether it is that very object: two files may hold equal ones."""
    return any(thing is other for other in things)


def _conversations(conversations: Sequence[Conversation], table: _Table) -> Iterator[Conversation]:
    """The conversations with the titles of their groups, without the empty ones that stood for group chats."""
    titles = {(_home(group.origin), group.thread_id): group.title for group in table.groups}
    homes = {_home(chat.origin) for chat in table.chats}
    for talk in conversations:
        if _is_one_of(talk, table.groups) and _home(talk.origin) in homes:
            continue
        title = titles.get((_home(talk.origin), stem(talk.origin))) if _is_one_of(talk, table.chats) else None
        yield changed(talk, title=title) if title else talk
