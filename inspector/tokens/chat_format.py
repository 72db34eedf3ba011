"""How a chat is written for a model, as data: frames, priming, and the count of the whole as one rendered text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from inspector.tokens.models import ModelRow
from inspector.tokens.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message as a chat format writes it; the text of tool calls is already in the content."""

    role: str
    content: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a rendered prompt. A special one is a single token of the model's, whatever its text."""

    text: str
    special: bool = False


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """A way of writing chats: `opening` role [`before_name` name] `after_role` content `closing` `ending`.

    The prompt ends with `opening`, "assistant" and `after_role`, where the model goes on. A format without
    `before_name` does not write names. `published` says that the model's maker documents this format for it; otherwise
    frames and priming are estimates.
    """

    name: str
    opening: Segment
    after_role: Segment
    closing: Segment
    ending: Segment
    before_name: Segment | None = None
    published: bool = False

    def segments(self, messages: Sequence[ChatMessage]) -> list[Segment]:
        """The whole prompt, priming included."""
        pieces: list[Segment] = []
        for message in messages:
            pieces += self._head(message.role, message.name)
            pieces += [Segment(message.content), self.closing, self.ending]
        return [piece for piece in (*pieces, *self._head("assistant")) if piece.text]

    def frame_tokens(self, tokenizer: Tokenizer, role: str, name: str = "") -> int:
        """What one message adds besides its content, counted on the pieces before and after the content."""
        tail = (self.closing, self.ending)
        return _count_few(tokenizer, self._head(role, name)) + _count_few(tokenizer, tail)

    def priming_tokens(self, tokenizer: Tokenizer) -> int:
        """What the beginning of the reply adds."""
        return _count_few(tokenizer, self._head("assistant"))

    def seam_tokens(self, tokenizer: Tokenizer, role: str, content: str) -> int:
        """What changes where frame and content meet in one ordinary text, against both counted apart; mostly 0."""
        before = _ordinary_end(self._head(role))
        if not before or not content:
            return 0
        together, apart, alone = tokenizer.count([before + content, before, content]).tolist()
        return together - apart - alone

    def rendered_tokens(self, tokenizer: Tokenizer, messages: Sequence[ChatMessage]) -> int:
        """Tokens of the finished prompt: each special is one, each stretch of ordinary text is counted as one text."""
        return _count_joined(tokenizer, self.segments(messages))

    def _head(self, role: str, name: str = "") -> tuple[Segment, ...]:
        named = (self.before_name, Segment(name)) if name and self.before_name else ()
        return (self.opening, Segment(role), *named, self.after_role)


def _stretches(pieces: Sequence[Segment]) -> Iterator[Segment]:
    """The pieces with neighbouring ordinary ones joined."""
    for special, group in groupby(pieces, key=lambda piece: piece.special):
        if special:
            yield from group
        else:
            yield Segment("".join(piece.text for piece in group))


@lru_cache(maxsize=4096)
def _count_few(tokenizer: Tokenizer, pieces: tuple[Segment, ...]) -> int:
    """The tokens of a frame, counted once: frames are asked for on every step of a slider."""
    return _count_joined(tokenizer, pieces)


def _count_joined(tokenizer: Tokenizer, pieces: Sequence[Segment]) -> int:
    stretches = list(_stretches(pieces))
    ordinary = [piece.text for piece in stretches if not piece.special]
    return len(stretches) - len(ordinary) + int(tokenizer.count(ordinary).sum())


def _ordinary_end(pieces: Sequence[Segment]) -> str:
    """The ordinary text that the pieces end with, "" when they end with a special."""
    last = list(_stretches(pieces))[-1]
    return "" if last.special else last.text


_NOTHING = Segment("")
_OPENAI = ChatFormat(
    name="openai",
    opening=Segment("<|im_start|>", special=True),
    after_role=Segment("<|im_sep|>", special=True),
    closing=Segment("<|im_end|>", special=True),
    ending=_NOTHING,
    # How a name is written is not published, only that it costs one token besides its own.
    before_name=Segment("<|im_sep|>", special=True),
)
_CHATML = ChatFormat(
    name="chatml",
    opening=Segment("<|im_start|>", special=True),
    after_role=Segment("\n"),
    closing=Segment("<|im_end|>", special=True),
    ending=Segment("\n"),
)
_FORMATS = {chat_format.name: chat_format for chat_format in (_OPENAI, _CHATML)}

# OpenAI's cookbook ("How to count tokens with tiktoken") gives its rule for these only; Qwen's templates are ChatML.
_PUBLISHED = {"openai": {"gpt-3.5", "gpt-4", "gpt-4o"}, "chatml": {"qwen2", "qwen2.5"}}
_OPENAI_VOCABULARIES = ("o200k_base", "cl100k_base")


def chat_format_for(row: ModelRow | None, tokenizer: Tokenizer) -> ChatFormat:
    """The format of a model; without a model, OpenAI's for OpenAI's vocabularies and ChatML for everything else."""
    if row is None:
        return _OPENAI if tokenizer.name.endswith(_OPENAI_VOCABULARIES) else _CHATML
    chosen = _FORMATS.get(row.chat_format, _CHATML)
    return replace(chosen, published=row.family in _PUBLISHED[chosen.name])
