"""The finished prompt as the text given to the model, and the place of an item in it."""

from dataclasses import dataclass
from itertools import accumulate

from inspector.assembly.decisions import Assembly, Composed, Joined
from inspector.assembly.render import RenderedPrompt
from inspector.derived import cached_property


@dataclass(frozen=True)
class PromptText:
    """The text of a rendered prompt, made on first use."""

    assembly: Assembly
    prompt: RenderedPrompt

    @cached_property
    def text(self) -> str:
        """The whole prompt, with the beginning of the reply."""
        return self.prompt.chat.text

    def span(self, row: int) -> tuple[int, int] | None:
        """Return the beginning and end of a row's text, in characters; None if the text does not contain it."""
        place = self._message_of_row.get(row)
        contents = [] if place is None else self._contents.get(place, [])
        if not contents or place is None:
            return None
        start, written = contents[0]
        content, text = self.prompt.messages[place].said.content, self.assembly.text(row)
        trimmed = max(content.find(written), 0)  # characters cut off at the beginning by the template
        offset = max(_offset_in_message(self.assembly, row) - trimmed, 0)
        end = min(start + offset + len(text), start + len(written))
        if len(self.prompt.messages[place].rows) == 1 and len(contents) > 1:
            end = contents[-1][0] + len(contents[-1][1])
        return start + offset, end

    @cached_property
    def _message_of_row(self) -> dict[int, int]:
        return {row: place for place, message in enumerate(self.prompt.messages) for row in message.rows}

    @cached_property
    def _contents(self) -> dict[int, list[tuple[int, str]]]:
        """The content and calls of each message, each with its beginning in the text."""
        segments = self.prompt.chat.segments
        starts = accumulate((len(segment.text) for segment in segments), initial=0)
        found: dict[int, list[tuple[int, str]]] = {}
        for segment, start in zip(segments, starts, strict=False):
            if segment.part in ("content", "call"):
                found.setdefault(segment.message, []).append((start, segment.text))
        return found


def _offset_in_message(assembly: Assembly, row: int) -> int:
    """Return where the text of a row begins in the content of its message, behind the items before it."""
    for block in assembly.blocks:
        if isinstance(block, Joined) and row in block.rows:
            rows = block.rows.tolist()
            before = rows[: rows.index(row)]
            texts = sum(len(block.mark) + len(assembly.text(other)) + len(block.joint) for other in before)
            return len(block.heading) + texts + len(block.mark)
        if isinstance(block, Composed) and row in block.rows:
            return sum(map(len, block.written(assembly)[: block.pieces.index(row)]))
    return 0
