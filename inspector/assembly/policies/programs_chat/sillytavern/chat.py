"""sillytavern: the prompt of SillyTavern 1.19 for a chat completion.

Source: public/scripts/openai.js (`prepareOpenAIMessages`, `populateChatCompletion`, `populateChatHistory`,
`populateDialogueExamples`) and public/scripts/world-info.js (`checkWorldInfo`).
"""

from dataclasses import dataclass
from typing import ClassVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import note_small_window
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.programs_chat.names import names_of
from inspector.assembly.policies.programs_chat.sillytavern.chat_prompt import ChatPrompt, Overheads, Texts
from inspector.assembly.policies.programs_chat.sillytavern.lore import choose_lore, lore_budget
from inspector.assembly.policies.programs_chat.sillytavern.places import leave_unplaced, places_of
from inspector.assembly.policies.programs_chat.sillytavern.settings import (
    context_size,
    depth,
    pin_examples,
    response_length,
    strip_examples,
    world_info_budget,
    world_info_budget_cap,
)
from inspector.assembly.policies.programs_chat.sillytavern.speakers import NAMES_BEHAVIORS
from inspector.assembly.policy import Traits, param


@dataclass(frozen=True)
class SillyTavern:
    """Places the fixed prompts, then the newest messages and the notes among them, then example dialogue."""

    traits: ClassVar[Traits] = Traits(title="SillyTavern", whose="SillyTavern 1.19, chat completion", maker="program")

    context_size: int = context_size(
        4095, 0, at_minimum="the window", help="The limit of prompt and reply together; 0 is the window of the model."
    )
    response_length: int = response_length(300)
    message_overhead: int = param(
        5,
        0,
        50,
        unit="tokens",
        label="Formatting of a message",
        help="Charged for each message beside its content: 5 with tokenizers of OpenAI, 1 to 3 with others.",
        topic="rare",
    )
    example_name_overhead: int = param(
        3,
        0,
        50,
        unit="tokens",
        label="Name of an example's speaker",
        help="Charged for each message of example dialogue beside its formatting.",
        topic="rare",
    )
    reply_priming: int = param(
        3, 0, 50, unit="tokens", label="Beginning of the reply", help="Reserved before anything else.", topic="rare"
    )
    new_chat_prompt: str = param(
        "[Start a new Chat]", label="New chat", help="A message before the conversation.", topic="conversation"
    )
    new_group_chat_prompt: str = param(
        "[Start a new group chat. Group members: {{group}}]",
        label="New group chat",
        help="A message before the conversation of a group.",
        topic="conversation",
    )
    new_example_chat_prompt: str = param(
        "[Example Chat]", label="New example chat", help="A message before each block of examples.", topic="rare"
    )
    group_nudge_prompt: str = param(
        "[Write the next reply only as {{char}}.]",
        label="Group nudge",
        help="A message after the conversation of a group.",
        topic="conversation",
    )
    group: bool = param(False, label="Group chat", help="The chat has several characters.", topic="conversation")
    pin_examples: bool = pin_examples()
    strip_examples: bool = strip_examples()
    authors_note_depth: int = depth("Author's Note depth", "The note of the chat")
    depth_prompt_depth: int = depth("Character's Note depth", "The note of the character")
    send_if_empty: str = param(
        "",
        label="Replace empty message",
        help="A message of the user that is sent after a message of the assistant.",
        topic="conversation",
    )
    names_behavior: str = param(
        "default",
        choices=NAMES_BEHAVIORS,
        label="Character names",
        help="Where the name of a speaker is sent, and charged with the message.",
        topic="conversation",
    )
    world_info_budget: int = world_info_budget()
    world_info_budget_cap: int = world_info_budget_cap()
    squash_system_messages: bool = param(
        False, help="Join neighbouring system messages; this changes no decision.", topic="rare"
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, without the conversation if fixed prompts do not fit."""
        ledger = Ledger(candidates, window)
        size = self.context_size or window.tokens
        note_small_window(ledger, size, "Prompt and reply in SillyTavern")
        leave_unplaced(ledger)
        most = size - self.response_length
        lore = choose_lore(ledger, lore_budget(self.world_info_budget, most, self.world_info_budget_cap))
        places = places_of(ledger, lore.rows, self.authors_note_depth, self.depth_prompt_depth)
        prompt = ChatPrompt(ledger, places, lore, self._texts(candidates), self._overheads, most - self.reply_priming)
        prompt.place(
            pin_examples=self.pin_examples,
            strip_examples=self.strip_examples,
            names_behavior=self.names_behavior,
            is_group=self.group,
        )
        return ledger.close(
            prompt.layout(squashes=self.squash_system_messages),
            available=max(0, most),
            reserve=self.response_length,
        )

    @property
    def _overheads(self) -> Overheads:
        return Overheads(self.message_overhead, self.example_name_overhead)

    def _texts(self, candidates: Candidates) -> Texts:
        """Return the texts of the program with the names of this chat."""
        names = names_of(candidates, is_group=self.group)
        return Texts(
            new_chat=names.filled(self.new_group_chat_prompt if self.group else self.new_chat_prompt),
            nudge=names.filled(self.group_nudge_prompt) if self.group else "",
            new_example=names.filled(self.new_example_chat_prompt),
            send_if_empty=names.filled(self.send_if_empty),
            names=names,
        )
