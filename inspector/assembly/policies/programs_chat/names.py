"""The names that programs put into their prompts."""

import re
from dataclasses import dataclass

from inspector.assembly.candidates import Candidates

_MACRO = re.compile(r"\{\{(char|user|group|charIfNotGroup)\}\}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the character, of the user and of all characters of a group, separated by commas."""

    char: str
    user: str
    group: str

    def filled(self, text: str) -> str:
        """Return a text of the program with its placeholders replaced by names."""
        words = {"char": self.char, "user": self.user, "group": self.group, "charifnotgroup": self.group}
        return _MACRO.sub(lambda found: words[found[1].lower()], text)


def names_of(candidates: Candidates, *, is_group: bool = False) -> Names:
    """Return the names of a chat: of its character and its profile, else those in use by SillyTavern."""
    character = candidates.items.character
    char = (character.name if character else "") or "Assistant"
    profile = character.profile if character else None
    user = profile.name if profile and profile.name else "User"
    speakers, _ = candidates.items.speakers
    members = dict.fromkeys([char, *(name for role, name in speakers if role == "assistant" and name)])
    return Names(char, user, ", ".join(members) if is_group else char)
