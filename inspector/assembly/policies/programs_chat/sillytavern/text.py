"""sillytavern_text: the prompt of SillyTavern 1.19 for a text completion.

Source: public/script.js (`Generate`, `doChatInject`, `formatMessageHistoryItem`, `getMaxPromptTokens`).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, ROLE_NUMBER, Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Layout
from inspector.assembly.defaults import note_small_window, split_pinned
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import charges_from, until_full
from inspector.assembly.policies.programs_chat.names import names_of
from inspector.assembly.policies.programs_chat.reasons import FIXED_TEXT, NO_EXAMPLES
from inspector.assembly.policies.programs_chat.sillytavern.examples import blocks_of, keep_blocks
from inspector.assembly.policies.programs_chat.sillytavern.lore import ChosenLore, choose_lore, keep_lore, lore_budget
from inspector.assembly.policies.programs_chat.sillytavern.places import (
    Injection,
    Places,
    history_blocks,
    leave_unplaced,
    one_each,
    one_of_all,
    pinned_rows,
    places_of,
)
from inspector.assembly.policies.programs_chat.sillytavern.settings import (
    context_size,
    depth,
    pin_examples,
    response_length,
    strip_examples,
    world_info_budget,
    world_info_budget_cap,
)
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import AFTER_STOP, OVER_BUDGET, PINNED, WITHIN_BUDGET

_AFTER_HISTORY = "post_history_instructions"
_STORY = ("description", "personality", "scenario", "persona")


@dataclass(frozen=True)
class SillyTavernText:
    """Sends the fixed text in any case, then notes, then the newest messages and examples that stay below the limit."""

    traits: ClassVar[Traits] = Traits(
        title="SillyTavern text", whose="SillyTavern 1.19, text completion", maker="program"
    )

    context_size: int = context_size(8192, 1, help="The limit of prompt and reply together.")
    response_length: int = response_length(350)
    token_padding: int = param(
        64, 0, 2048, step=8, scale="log", unit="tokens", help="Added to the count of the fixed text.", topic="rare"
    )
    message_overhead: int = param(
        3,
        0,
        50,
        unit="tokens",
        label="Formatting of a message",
        help="Charged for each message with a name: the name, or the sequences of instruct mode.",
        topic="rare",
    )
    example_overhead: int = param(
        2, 0, 50, unit="tokens", label="Separator of examples", help="Charged for each block of examples.", topic="rare"
    )
    fixed_overhead: int = param(
        4,
        0,
        100,
        unit="tokens",
        label="Fixed formatting",
        help="Charged once: the line that begins the chat and the beginning of the reply.",
        topic="rare",
    )
    pin_examples: bool = pin_examples()
    strip_examples: bool = strip_examples()
    authors_note_depth: int = depth("Author's Note depth", "The note of the chat")
    depth_prompt_depth: int = depth("Character's Note depth", "The note of the character")
    world_info_budget: int = world_info_budget()
    world_info_budget_cap: int = world_info_budget_cap()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the limit if the fixed text is."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.context_size, "Prompt and reply in SillyTavern")
        leave_unplaced(ledger)
        most = self.context_size - self.response_length
        lore = choose_lore(ledger, lore_budget(self.world_info_budget, most, self.world_info_budget_cap))
        places = places_of(ledger, lore.rows, self.authors_note_depth, self.depth_prompt_depth)
        pinned = pinned_rows(ledger, places, lore)
        ledger.guarantee(pinned, PINNED)
        used = self.fixed_overhead + self.token_padding + ledger.cost(pinned)
        used += self._keep_story(ledger, places, lore)
        examples = places.examples[~candidates.pinned[places.examples]]
        if self.strip_examples:
            ledger.drop(examples, NO_EXAMPLES, Section.SYSTEM)
            examples = examples[:0]
        blocks = blocks_of(candidates, examples, names_of(candidates))
        charges = charges_from(blocks.tokens, self.example_overhead)
        if self.pin_examples:
            ledger.guarantee(examples, FIXED_TEXT, Section.SYSTEM)
            used += int(charges.sum(dtype=np.int64))
        room = most - 1 - used - self._keep_history(ledger, places, most - 1 - used)
        if not self.pin_examples:
            keep_blocks(ledger, examples, blocks, charges, until_full(charges, room), room)
        ledger.limit(Section.SYSTEM, None)
        return ledger.close(_layout(ledger, places), available=max(0, most), reserve=self.response_length)

    def _keep_story(self, ledger: Ledger, places: Places, lore: ChosenLore) -> int:
        """Keep what is not pinned of the story string, whatever it costs. Return its tokens."""
        note = places.note
        fixed = np.concatenate(
            [places.lore_before, places.main, *map(places.of, _STORY), places.lore_after, note.before, note.after]
        )
        fixed = fixed[~ledger.candidates.pinned[fixed]]
        is_lore = ledger.candidates.kind[fixed] == int(Kind.LORE)
        keep_lore(ledger, lore, fixed[is_lore])
        ledger.guarantee(fixed[~is_lore], FIXED_TEXT, Section.SYSTEM)
        return ledger.cost(fixed)

    def _keep_history(self, ledger: Ledger, places: Places, room: int) -> int:
        """Keep injections, lowest depth first, then the newest messages. Return the tokens charged for those kept.

        The charge of an injection that does not fit stays in the total, so that no message fits after it.
        """
        messages, told = split_pinned(ledger, ledger.rows(Kind.MESSAGE)[::-1])
        charges = self._charges(ledger, messages)
        ledger.limit(Section.HISTORY, max(0, room) + int(charges.sum(dtype=np.int64)))
        ledger.guarantee(messages, PINNED, Section.HISTORY, room=room, charges=charges)
        spent = int(charges.sum(dtype=np.int64))
        kept, charged = self._keep_injections(ledger, places.injections, room - spent)
        after = places.of(_AFTER_HISTORY)
        rows = np.concatenate([after[~ledger.candidates.pinned[after]], told])
        return (
            spent
            + kept
            + ledger.fill(rows, room - spent - charged, Section.HISTORY, charges=self._charges(ledger, rows))
        )

    def _keep_injections(self, ledger: Ledger, injections: tuple[Injection, ...], room: int) -> tuple[int, int]:
        """Keep injections up to the first that does not fit. Return the tokens of those kept, and with the misfit."""
        loose = [each.rows[~ledger.candidates.pinned[each.rows]] for each in injections]
        charges = np.array([ledger.cost(rows) for rows in loose], np.int64)
        count = until_full(charges, room)
        kept, charged = int(charges[:count].sum()), int(charges[: count + 1].sum())
        for place, rows in enumerate(loose):
            left = room - int(charges[:place].sum())
            if place < count:
                ledger.keep(rows, WITHIN_BUDGET, Section.HISTORY, room=left)
            else:
                reason = OVER_BUDGET if place == count else AFTER_STOP
                ledger.drop(rows, reason, Section.HISTORY, left=room - kept)
        return kept, charged

    def _charges(self, ledger: Ledger, rows: Rows) -> I32:
        """Return the charges of messages, and of instructions after them: formatted where they have a name."""
        candidates = ledger.candidates
        has_name = (candidates.kind[rows] == int(Kind.MESSAGE)) & (candidates.role[rows] != ROLE_NUMBER["system"])
        return charges_from(ledger.costs[rows], np.where(has_name, self.message_overhead, 0))


def _layout(ledger: Ledger, places: Places) -> Layout:
    """Return the layout: the story string, the examples, the conversation with injections, instructions after it."""
    parts = [places.main, places.lore_before, *map(places.of, _STORY[:3]), places.lore_after, places.of(_STORY[3])]
    story = np.concatenate([places.note.before, *parts, places.note.after])
    newest_first = ledger.rows(Kind.MESSAGE)[::-1]

    def layout(assembly: Assembly) -> tuple[Block, ...]:
        there = assembly.in_prompt
        after = places.of(_AFTER_HISTORY)
        return (
            *one_of_all(story[there[story]]),
            *one_each(places.examples[there[places.examples]]),
            *history_blocks(assembly, newest_first, places.injections),
            *one_each(after[there[after]]),
        )

    return layout
