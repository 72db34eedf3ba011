"""Long contents on their way through a template of ours: their ends go through it, the middle is put back afterwards.

A template is written out three times, with and without marks, and each takes several copies of every text: a dozen of
a message of 50 MB. Ours write a content as it is, or without the white space around it. Some look for tags in it, and
one writes it as JSON: where such a tag stands in a text, or what stands in for its middle does not come out as it went
in, the whole goes through the template as any other text does.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from inspector.tokens.chat.messages import ChatMessage, RenderedChat, Segment
from inspector.tokens.chat.template import ChatTemplate

LONGEST = 1_000_000
"""Characters of a content that goes through a template as a whole."""
END = 2_000
"""Characters of each end of a longer one that go through it."""
_MARK = "\U0010fffd"  # for private use, and none of those that marks are made of
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
        """The prompt with the whole contents; None where it is not certain how the template writes them."""
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
    """Whether a template can look for nothing in its middle, and leaves something of both ends."""
    ends = content[:END].strip() and content[-END:].strip()
    return bool(ends) and _MARK not in content and not any(tag in content for tag in tags)


def _shortened(content: str) -> str:
    return f"{content[:END]}{_STAND_IN}{content[-END:]}"


def _restored(text: str, content: str) -> str | None:
    """What a template wrote of a shortened content, of the whole; None where it is not a part of it in one piece."""
    before, stand_in, after = text.partition(_STAND_IN)
    if not stand_in or not content[:END].endswith(before) or not content[-END:].startswith(after):
        return None
    return content[END - len(before) : len(content) - END + len(after)]
