"""Example dialogue as SillyTavern divides it: blocks, and the messages in them.

Source: `parseMesExamples` of public/script.js, `parseExampleIntoIndividual` and `populateDialogueExamples` of
public/scripts/openai.js.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, Action, Rows, Section
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import charges_from
from inspector.assembly.policies.programs_chat.names import Names
from inspector.assembly.policies.programs_chat.reasons import SOME_EXAMPLES
from inspector.assembly.reasons import AFTER_STOP, OVER_BUDGET, WITHIN_BUDGET

_START = re.compile(r"<START>", re.IGNORECASE)
_HEAD = "<START>\n"


@dataclass(frozen=True, eq=False, slots=True)
class ExampleBlocks:
    """Blocks in order: the row of each, its text, the tokens of its contents, and its number of messages."""

    rows: Rows
    texts: tuple[str, ...]
    tokens: I32
    messages: I32


def blocks_of(candidates: Candidates, rows: Rows, names: Names) -> ExampleBlocks:
    """Return the blocks of these rows. The count of a file holds for a text of one block, and is that of its
    contents.
    """
    key = (rows.tobytes(), candidates.counts, names)
    return candidates.before_messages.derived("example blocks", key, lambda: _divided(candidates, rows, names))


def _divided(candidates: Candidates, rows: Rows, names: Names) -> ExampleBlocks:
    owners, texts, tokens, messages = list[int](), list[str](), list[int](), list[int]()
    for row in rows.tolist():
        blocks = example_blocks(candidates.texts[row])
        for block in blocks:
            contents = example_contents(block, names)
            is_given = len(blocks) == 1 and bool(candidates.recorded[row])
            owners.append(row)
            texts.append(block)
            tokens.append(int(candidates.tokens[row]) if is_given else sum(map(candidates.counts.count, contents)))
            messages.append(len(contents))
    return ExampleBlocks(
        np.array(owners, np.intp), tuple(texts), np.array(tokens, np.int32), np.array(messages, np.int32)
    )


def example_blocks(text: str) -> list[str]:
    """Return the blocks of an example text, each with its `<START>`; text before the first is a block, too."""
    parts = (part.strip() for part in _START.split(text))
    return [f"{_HEAD}{part}" for part in parts if part]


def example_contents(block: str, names: Names) -> list[str]:
    """Return the contents of the messages of a block, without the names of their speakers.

    A line that begins with the name of the other speaker begins a message. Without any speaker there are no messages.
    """
    return list(_contents(block.split("\n")[1:], names))


def _contents(lines: list[str], names: Names) -> Iterator[str]:
    said, speaker = list[str](), ""
    for line in lines:
        now = next((name for name in (names.user, names.char) if line.startswith(f"{name}:")), "")
        if now and speaker and now != speaker:
            yield _content(said, speaker)
            said = []
        speaker = now or speaker
        said.append(line)
    if speaker:
        yield _content(said, speaker)


def _content(lines: list[str], speaker: str) -> str:
    return "\n".join(lines).replace(f"{speaker}:", "", 1).strip()


def keep_blocks(ledger: Ledger, rows: Rows, blocks: ExampleBlocks, charges: I32, count: int, room: int) -> None:
    """Keep the first `count` blocks of these rows, which were weighed in order against `room`, and drop the others."""
    whole, cut = list[int](), list[int]()
    for row in rows.tolist():
        mine = np.flatnonzero(blocks.rows == row)
        taken = mine[mine < count]
        if len(taken) == len(mine):
            whole.append(row)
        elif len(taken):
            text = "\n".join(blocks.texts[place] for place in taken.tolist())
            _cut(ledger, row, text, len(taken))
            cut.append(row)
    kept = np.array([*whole, *cut], np.intp)
    sums = charges_from(np.bincount(blocks.rows[:count], charges[:count], len(ledger.candidates)))
    ledger.keep(kept, WITHIN_BUDGET, Section.SYSTEM, room=room, charges=sums[kept])
    left = room - int(charges[:count].sum(dtype=np.int64))
    out = rows[~np.isin(rows, kept)]
    ends_with_cut = len(cut) > 0
    ledger.drop(out[: 0 if ends_with_cut else 1], OVER_BUDGET, Section.SYSTEM, left=left)
    ledger.drop(out[0 if ends_with_cut else 1 :], AFTER_STOP, Section.SYSTEM, left=left)


def _cut(ledger: Ledger, row: int, text: str, blocks: int) -> None:
    """Give an example the form of its first blocks."""
    place = np.array([row], np.intp)
    cost = ledger.candidates.form_tokens(place, ("first blocks", blocks), lambda _: text)
    ledger.reshape(place, Action.TRUNCATED, SOME_EXAMPLES, cost, lambda _: text)
