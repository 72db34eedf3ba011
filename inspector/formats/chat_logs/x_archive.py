"""Direct messages in an archive of X (Twitter): `direct-messages.js`, `direct-messages-group.js` and their older names.

Each file gives a list to a variable (`window.YTD.direct_messages.part0 = [...]`, earlier `direct_message`); without
that it is JSON. The types are those of alkihis/twitter-archive-reader (`ts/types/GDPRDMs.ts`), the names of files those
of timhutton/twitter-archive-parser (`parser.py`). People have numbers there, and no names.
"""

import re

from inspector.formats.chat_logs.log_layout import LogLayout
from inspector.formats.format import Format
from inspector.model import Workspace
from inspector.reading.source import FileSource

_ASSIGNED = re.compile(
    rb"\s*(?:/\*.*?\*/\s*|//[^\n]*\n\s*)*window\.YTD\.\w*direct_message\w*\.part\d+\s*=\s*(?=\[)", re.S
)
_HEAD = 10_000  # bytes
_EVENTS = ("joinConversation", "participantsJoin", "participantsLeave", "conversationNameUpdate", "reactionCreate")
_LAYOUT = LogLayout(
    name="x_archive",
    title="Direct messages of X (Twitter)",
    sign="`window.YTD.direct_messages…`, or `dmConversation` with `messages` of `messageCreate`",
    expected="chats of X (objects with dmConversation)",
    turns=("dmConversation.messages", "messages"),
    chat_id=("dmConversation.conversationId", "conversationId"),
    marks=("messageCreate.senderId|welcomeMessageCreate.senderId",),
    id=("messageCreate.id", "welcomeMessageCreate.id"),
    sender=("messageCreate.senderId", "welcomeMessageCreate.senderId"),
    text=("messageCreate.text", "welcomeMessageCreate.text"),
    time=("messageCreate.createdAt", "welcomeMessageCreate.createdAt"),
    notice=_EVENTS,
    files=("messageCreate.mediaUrls", "welcomeMessageCreate.mediaUrls"),
    no_prompt=("urls", "reactions", "editHistory", "name"),
)


def sniff(source: FileSource) -> float:
    """Return how likely the file holds direct messages of X."""
    return _LAYOUT.sniff(_listed(source))


def load(source: FileSource) -> Workspace:
    """Return a conversation for each chat. Raise UnreadableError if no message is there."""
    return _LAYOUT.load(_listed(source))


def _listed(source: FileSource) -> FileSource:
    """Return the list that the file gives to a variable, or the file if it gives none."""
    if source.shape not in ("text", "yaml"):
        return source
    start = _ASSIGNED.match(source.utf8[:_HEAD])
    return source.within(source.utf8[start.end() :].rstrip().rstrip(b";")) if start else source


FORMAT = Format(
    _LAYOUT.name,
    _LAYOUT.title,
    sniff,
    load,
    _LAYOUT.sign,
    beside=_LAYOUT.no_prompt,
    unsent=_LAYOUT.is_notice,
)
