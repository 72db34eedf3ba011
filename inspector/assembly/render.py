"""Rendering: from an assembly to the chat messages of the prompt, and to the text sent to the model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector.assembly.columns import ROLES, Action
from inspector.assembly.decisions import Assembly, Joined, Run
from inspector.model import Message, Tool
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
            yield PromptMessage(content, tuple(block.rows.tolist()), ChatMessage(block.role, content))
        else:
            content = "".join(block.written(assembly))
            yield PromptMessage(content, tuple(block.rows.tolist()), ChatMessage(block.role, content, block.name))


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """The prompt as the text sent to the model, with its messages.

    If the model's own template refused them, `refusal` has its words, and another format was used instead.
    """

    messages: tuple[PromptMessage, ...]
    chat: RenderedChat
    chat_format: ChatFormat
    refusal: str = ""


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
    """Return the message of the prompt for a single candidate. It has its tool calls only if it is whole."""
    thing, role, content = assembly.candidates.things[row], ROLES[assembly.candidates.role[row]], assembly.text(row)
    if not isinstance(thing, Message):
        return PromptMessage(content, (row,), ChatMessage(role, content))
    if not thing.tool_calls or assembly.action[row] != Action.KEPT:
        return PromptMessage(content, (row,), ChatMessage(role, content, thing.name, call_id=thing.tool_call_id))
    calls = tuple(ChatCall(call.name, call.arguments, call.id) for call in thing.tool_calls)
    said = ChatMessage(role, thing.content, thing.name, calls, thing.tool_call_id)
    return PromptMessage(content, (row,), said)
