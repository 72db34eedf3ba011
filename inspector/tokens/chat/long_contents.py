"""Long contents in shipped templates: only their ends are rendered, the middle is put back afterwards.

A template is rendered three times, with and without marks, and each run takes several copies of every text: a dozen of
a message of 50 MB. Shipped templates write a content unchanged or without the white space around it; some look for tags
in it, and one writes it as JSON. If the content holds such a tag, or the stand-in for its middle comes out changed, the
whole content is rendered like any other.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from inspector.tokens.chat.messages import ChatMessage, RenderedChat, Segment
from inspector.tokens.chat.template import ChatTemplate

LONGEST = 1_000_000
"""The most characters of a content rendered as a whole."""
END = 2_000
"""The characters of each end of a longer content that are rendered."""
_MARK = "\U0010fffd"  # for private use, and not used in marks
_STAND_IN = f"{_MARK}\"'\\/<&>{{}}%#\t\n\u00e9 Zz{_MARK}"
_TAG = re.compile(r"</?[\w|]+>")


class LongContents:
    """The messages of a chat with a stand-in for the middle of each long content."""

    def __init__(self, template: ChatTemplate, messages: Sequence[ChatMessage]) -> None:
        tags = frozenset(_TAG.findall(template.source))
        self._whole = {
            place: message.content
            for place, message in enumerate(messages)
            if len(message.content) > LONGEST and _may_be_cut(message.content, tags)
        }
        self.messages = [
            replace(message, content=_shortened(message.content)) if place in self._whole else message
            for place, message in enumerate(messages)
        ]

    def __bool__(self) -> bool:
        return bool(self._whole)

    def restored(self, chat: RenderedChat) -> RenderedChat | None:
        """Return the prompt with the whole contents; None if their form in the prompt is uncertain."""
        found: list[Segment] = []
        for segment in chat.segments:
            if segment.part == "content" and segment.message in self._whole:
                text = _restored(segment.text, self._whole[segment.message])
                if text is None:
                    return None
                found.append(replace(segment, text=text))
            elif _MARK in segment.text:
                return None
            else:
                found.append(segment)
        return RenderedChat(tuple(found), chat.faithful)


def _may_be_cut(content: str, tags: frozenset[str]) -> bool:
    """Return whether the middle holds no tag of the template and both ends hold more than white space."""
    ends = content[:END].strip() and content[-END:].strip()
    return bool(ends) and _MARK not in content and not any(tag in content for tag in tags)


def _shortened(content: str) -> str:
    return f"{content[:END]}{_STAND_IN}{content[-END:]}"


def _restored(text: str, content: str) -> str | None:
    """Return the whole content as rendered, from its rendered short form; None if not a single stretch of it."""
    before, stand_in, after = text.partition(_STAND_IN)
    if not stand_in or not content[:END].endswith(before) or not content[-END:].startswith(after):
        return None
    return content[END - len(before) : len(content) - END + len(after)]
