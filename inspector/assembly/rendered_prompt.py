"""The prompt of an assembly as messages, and as the text sent to the model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector.assembly.columns import ROLES, Action
from inspector.assembly.decisions import Assembly, Composed, Joined, Run
from inspector.model import Character, Message, Text, Tool
from inspector.tokens.chat.format import STAND_IN, ChatFormat, shipped_format
from inspector.tokens.chat.messages import ChatCall, ChatMessage, RenderedChat
from inspector.tokens.chat.sandbox import ChatTemplateError


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """A message of the prompt and the rows of the candidates in it.

    `content` is its whole text, including its calls; `said` is the message for a chat format, with separate calls.
    """

    content: str
    rows: tuple[int, ...]
    said: ChatMessage

    @property
    def role(self) -> str:
        """The role of the speaker: system, user, assistant or tool."""
        return self.said.role

    @property
    def name(self) -> str:
        """The speaker's name, "" for none."""
        return self.said.name


def prompt_messages(assembly: Assembly) -> Iterator[PromptMessage]:
    """Yield the messages of the prompt, in order."""
    for block in assembly.blocks:
        if isinstance(block, Run):
            for row in block.rows.tolist():
                yield _own_message(assembly, row)
        elif isinstance(block, Joined):
            texts = [block.mark + assembly.text(row) for row in block.rows.tolist()]
            content = block.heading + block.joint.join(texts)
            said = ChatMessage(block.role, content, speaker_of(assembly, block))
            yield PromptMessage(content, tuple(block.rows.tolist()), said)
        else:
            content = "".join(block.written(assembly))
            said = ChatMessage(block.role, content, speaker_of(assembly, block))
            yield PromptMessage(content, tuple(block.rows.tolist()), said)


def speaker_of(assembly: Assembly, block: Joined | Composed) -> str:
    """Return the name of the speaker of a shared message; the system prompt in it may bring one."""
    if isinstance(block, Composed) and block.name:
        return block.name
    first = assembly.candidates.things[block.rows[0]] if len(block.rows) else None
    return first.speaker if isinstance(first, Character) and block.role == "system" else ""


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """The prompt as the text sent to the model, with its messages.

    If the model's own template refused them, `refusal` has its words, and another format was used instead.
    """

    messages: tuple[PromptMessage, ...]
    chat: RenderedChat
    chat_format: ChatFormat
    refusal: str = ""

    @property
    def has_tools(self) -> bool:
        """Whether the definitions of tools are anywhere in it."""
        return any(segment.part == "tools" for segment in self.chat.segments)


def render_prompt(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool] = ()) -> RenderedPrompt:
    """Return the prompt of an assembly as the text sent to the model; no text if it has no messages.

    Raise AbandonedError once it is no longer wanted.
    """
    messages = tuple(prompt_messages(assembly))
    if not messages:
        return RenderedPrompt((), RenderedChat((), faithful=True), chat_format)
    said, schemas = [message.said for message in messages], [tool.schema for tool in tools]
    try:
        return RenderedPrompt(messages, chat_format.render(said, schemas), chat_format)
    except ChatTemplateError as problem:
        stand_in = shipped_format(STAND_IN)
        return RenderedPrompt(messages, stand_in.render(said, schemas), stand_in, str(problem))


def _own_message(assembly: Assembly, row: int) -> PromptMessage:
    """Return the message of the prompt for a single candidate; only a whole one has its tool calls and thoughts."""
    thing, role, content = assembly.candidates.things[row], ROLES[assembly.candidates.role[row]], assembly.text(row)
    if not isinstance(thing, Message):
        return PromptMessage(content, (row,), ChatMessage(role, content))
    if assembly.action[row] != Action.KEPT:
        return PromptMessage(content, (row,), ChatMessage(role, content, thing.name, call_id=thing.tool_call_id))
    calls = tuple(ChatCall(call.name, call.arguments, call.id) for call in thing.tool_calls)
    text = thing.content if calls else content
    said = ChatMessage(role, text, thing.name, calls, thing.tool_call_id, thing.thinking, _texts(thing, text))
    return PromptMessage(content, (row,), said)


def _texts(message: Message, content: str) -> tuple[str, ...]:
    """Return the texts that a content is made of; () if it is a single one, or is written differently in the prompt."""
    texts = [part.text for part in message.parts if isinstance(part, Text)]
    return tuple(texts) if len(texts) > 1 and "\n".join(texts) == content else ()
