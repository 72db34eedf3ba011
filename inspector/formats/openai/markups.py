"""The marks between the turns of prompts as models read them: templates of model makers and of fine-tuning sets.

Sources: github.com/openai/openai-python `chatml.md`; the chat templates that come with the models (Llama 2 to 4 and
Mistral, Gemma, Zephyr, Phi, Granite, OLMo, GLM, DeepSeek, Kimi, MiniMax); lm-sys/FastChat `fastchat/conversation.py`
(Vicuna); tatsu-lab/stanford_alpaca `train.py`; the data set timdettmers/openassistant-guanaco.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from inspector.formats.openai.message import ROLES
from inspector.model import Role

_WORDS: Mapping[str, Role] = {
    **ROLES,
    "model": "assistant",
    "response": "assistant",
    "instruction": "user",
    "input": "user",
    "ipython": "tool",
    "available_tools": "system",
}
_CLOSED = r"</s>(?=\s*(?:<s>|<\||\[INST\]|[A-Z]{4,9}:|###|\Z))"
"""The end of a sequence where a turn may end; HTML has the same mark."""
_AROUND = re.compile(
    r"<\|(?:begin_of_text|startoftext|endoftext|end_of_text)\|>|<bos>|</?s>|<｜(?:begin|end)▁of▁(?:sentence|text)｜>"
    r"|\[gMASK\]<sop>|\]~!b\[|<\|end_of_msg\|>"
)
"""The marks before the first turn, and around sequences."""


_OPENED = re.compile(r"(?:</?(?:mm:)?think>\s*)*(?:<\|channel>thought\s*<channel\|>)?")
"""What a template writes into the last turn, in which the model goes on."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: the words of its heading ("" for a text before the first), its text, and the text after its end mark."""

    heading: str
    text: str
    outside: str = ""

    @property
    def role(self) -> Role | None:
        """The role, None for an unknown word."""
        return role_of_word(self.heading.split(" ")[0]) if self.heading else "system"


def role_of_word(word: str) -> Role | None:
    """Return the role of a word in a heading, None for an unknown one."""
    return _WORDS.get(word.strip().lower())


class Markup(Protocol):
    """A way to mark the turns of a prompt."""

    @property
    def is_weak(self) -> bool:
        """Whether other texts may be marked alike."""
        ...

    def turns(self, text: str) -> Iterator[Turn]:
        """Yield the turns of a prompt, without their marks."""
        ...

    def fits(self, head: str) -> bool:
        """Return whether the beginning of a prompt has turns so marked."""
        ...


@dataclass(frozen=True, slots=True)
class Headed:
    """Turns that begin with a `heading`, whose group `role` is the word for the role, maybe with a name after it, and
    go to an `end` mark or the next heading.

    A prompt may have a text `before` its first turn, which is the system prompt: then the turns of both speakers tell
    that it is one. Where other texts are headed alike, the markup `is_weak`. `channels` are marks within a turn, with
    what other templates write instead.
    """

    heading: re.Pattern[str]
    end: re.Pattern[str]
    before: bool = False
    is_weak: bool = False
    channels: tuple[tuple[str, str], ...] = ()

    def turns(self, text: str) -> Iterator[Turn]:
        """Yield the turns of a prompt, without their marks."""
        headings = list(self.heading.finditer(text))
        first = _unmarked(text[: headings[0].start()] if headings else text)
        if first and self.before:
            yield Turn("", first)
        elif first:
            yield Turn("", "", first)
        for found, after in zip(headings, [*headings[1:], None], strict=True):
            said = text[found.end() : after.start() if after else len(text)]
            ended = self.end.search(said)
            outside = _unmarked(said[ended.end() :]) if ended else ""
            said = said[: ended.start()] if ended else said
            for mark, usual in self.channels:
                said = said.replace(mark, usual)
            said = said.strip()
            if ended or after or not _OPENED.fullmatch(said):
                yield Turn(found["role"].strip(), said, outside)

    def fits(self, head: str) -> bool:
        """Return whether the beginning of a prompt has turns so marked."""
        headings = list(self.heading.finditer(head))
        if not headings:
            return False
        if self.before:
            return {"user", "assistant"} <= {role_of_word(found["role"].split(" ")[0]) for found in headings}
        first = headings[0]
        return role_of_word(first["role"].split(" ")[0]) is not None and not _unmarked(head[: first.start()])


@dataclass(frozen=True, slots=True)
class Instructions:
    """Turns of Llama 2 and Mistral: what a user asks stands between two marks, the answer after them."""

    is_weak: bool = False

    def turns(self, text: str) -> Iterator[Turn]:
        """Yield the turns of a prompt, without their marks."""
        before, word = 0, ""  # of the text that goes on: a user's, a system prompt, or else an answer
        for mark in _INSTRUCTION.finditer(text):
            said = text[before : mark.start()]
            if not mark["end"]:
                yield from _answer(said)
            elif mark["word"] == word == "INST":
                system = _SYSTEM.match(said)
                if system:
                    yield Turn("system", system["text"].strip())
                yield Turn("user", said[system.end() if system else 0 :].strip())
            elif mark["word"] == word:
                yield Turn("system", said.strip())
            before, word = mark.end(), "" if mark["end"] else mark["word"]
        rest = text[before:]
        yield from _answer(rest) if not word else [Turn("", "", _unmarked(rest))] if _unmarked(rest) else ()

    def fits(self, head: str) -> bool:
        """Return whether the beginning of a prompt has turns so marked."""
        return _unmarked(head).startswith(("[INST]", "[SYSTEM_PROMPT]")) and "[/INST]" in head


_INSTRUCTION = re.compile(r"\[(?P<end>/?)(?P<word>INST|SYSTEM_PROMPT)\]")
_SYSTEM = re.compile(r"\s*<<SYS>>(?P<text>.*?)<</SYS>>", re.DOTALL)
_ENDED = re.compile(_CLOSED)


def _answer(text: str) -> Iterator[Turn]:
    """Yield the answer between two instructions, if there is one; only marks are around the first instruction."""
    ended = _ENDED.search(text)
    said = text[: ended.start()] if ended else text
    said = said.rpartition("<s>")[0] if said.rstrip().endswith("<s>") else said
    if said.strip():
        yield Turn("assistant", said.strip(), _unmarked(text[ended.end() :]) if ended else "")


def _unmarked(text: str) -> str:
    return _AROUND.sub("", text).strip()


def _headed(heading: str, end: str, flags: int = 0, *, before: bool = False, is_weak: bool = False) -> Headed:
    return Headed(re.compile(heading, flags), re.compile(end), before, is_weak)


MARKUPS: tuple[Markup, ...] = (
    _headed(r"<\|im_start\|>[ \t]*(?P<role>[^\n<|]*?)[ \t]*(?:\n|<\|im_sep\|>|\Z)", r"<\|im_end\|>"),
    _headed(
        r"<\|start_header_id\|>[ \t]*(?P<role>[^\n<|]*?)[ \t]*<\|end_header_id\|>",
        r"<\|(?:eot_id|eom_id|end_of_text)\|>",
    ),
    _headed(r"<\|header_start\|>[ \t]*(?P<role>[^\n<|]*?)[ \t]*<\|header_end\|>", r"<\|(?:eot|eom|end_of_text)\|>"),
    _headed(
        r"<\|start_of_role\|>[ \t]*(?P<role>[^\n<|{]*?)[ \t]*(?:\{[^\n]*?\})?<\|end_of_role\|>", r"<\|end_of_text\|>"
    ),
    _headed(r"<start_of_turn>[ \t]*(?P<role>[^\n<]*?)[ \t]*(?:\n|\Z)", r"<end_of_turn>"),
    _headed(r"<\|turn>[ \t]*(?P<role>[^\n<]*?)[ \t]*(?:\n|\Z)", r"<turn\|>"),
    _headed(r"<\|im_(?:system|user|assistant)\|>(?P<role>[^\n<]*?)<\|im_middle\|>", r"<\|im_end\|>"),
    Headed(
        re.compile(r"<\|open\|>message role=\"(?P<role>\w+)\"[^<>]*<\|sep\|>"),
        re.compile(r"<\|close\|>message<\|sep\|>"),
        channels=(
            ("<|open|>think<|sep|>", "<think>"),
            ("<|close|>think<|sep|>", "</think>"),
            ("<|open|>response<|sep|>", ""),
            ("<|close|>response<|sep|>", ""),
        ),
    ),
    _headed(r"\]~b\](?P<role>[^\n<]*?)(?:\n|\Z)", r"\[e~\["),
    _headed(
        r"<\|(?P<role>system|user|assistant|observation|tool)\|>", rf"<\|(?:end|endoftext|end_of_text)\|>|{_CLOSED}"
    ),
    _headed(r"<｜(?P<role>User|Assistant)｜>", r"<｜end▁of▁sentence｜>", before=True),
    Instructions(),
    _headed(
        r"^### ?(?P<role>Instruction|Input|Response): *",
        rf"<\|endoftext\|>|{_CLOSED}",
        re.MULTILINE,
        before=True,
        is_weak=True,
    ),
    _headed(r"### ?(?P<role>Human|User|Assistant|System): *", rf"<\|endoftext\|>|{_CLOSED}", before=True, is_weak=True),
    _headed(r"(?:^|(?<=\s)|(?<=</s>))(?P<role>USER|ASSISTANT|SYSTEM|HUMAN): *", _CLOSED, before=True, is_weak=True),
)
"""All markups, those with marks that occur nowhere else first."""


def markup_of(text: str) -> Markup | None:
    """Return the markup of a prompt, or of the beginning of one; None for other text."""
    return next((markup for markup in MARKUPS if markup.fits(text)), None)
