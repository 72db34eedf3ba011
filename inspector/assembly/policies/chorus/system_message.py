"""The system message of Chorus Engine: system text, document excerpts, past conversations and memories in one text."""

from collections.abc import Sequence

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Section
from inspector.assembly.decisions import Assembly, Block, Composed, Layout, Run
from inspector.assembly.defaults import PARAGRAPH, paragraphs, split_pinned
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.chorus.reasons import ALL_DOCUMENTS
from inspector.assembly.reasons import PINNED
from inspector.model import Document, PastSummary

Pieces = tuple[str | int, ...]
"""Literal texts, and rows whose texts are inserted between them."""

MOST_TOPICS = 5
MEMORY_INTRODUCTION = (
    "## Relevant Memories\n\n"
    "What follows was learned in earlier conversations with the person who is writing to you now, and it has been "
    "checked. When the person asks whether you remember something, look for it here and say it plainly, as you would "
    "say anything which you know well. Do not be vague about what is listed, and do not invent anything that is not "
    "in the list.\n\n"
)
"""The heading of the memories and a paragraph as long (344 code points) as that of the published code."""


def keep_documents(ledger: Ledger) -> int:
    """Keep every document. Return the tokens of their excerpts as a single text, with the lines around them."""
    rows = ledger.rows(Kind.DOCUMENT)
    pinned, others = split_pinned(ledger, rows)
    ledger.guarantee(pinned, PINNED, Section.DOCUMENTS)
    ledger.keep(others, ALL_DOCUMENTS, Section.DOCUMENTS)
    return text_tokens(ledger.candidates, document_pieces(ledger.candidates, rows.tolist()))


def text_tokens(candidates: Candidates, pieces: Pieces) -> int:
    """Return the tokens of a text made of pieces, counted as a whole."""
    text = "".join(piece if isinstance(piece, str) else candidates.texts[piece] for piece in pieces)
    return candidates.counts.count(text)


def document_pieces(candidates: Candidates, rows: Sequence[int]) -> Pieces:
    """Return the excerpts of documents as they follow the system prompt; nothing for none."""
    if not rows:
        return ()
    pieces: list[str | int] = []
    lead = (
        "\n=== RELEVANT DOCUMENT EXCERPTS ===\n\n"
        "The following information from uploaded documents may be relevant to this conversation:\n"
    )
    for number, row in enumerate(rows, 1):
        document = candidates.things[row]
        assert isinstance(document, Document)
        pages = f"(Pages: {document.pages})\n" if document.pages else ""
        pieces += [f"{lead}\n[Excerpt {number} from {document.title}]\n{pages}", row]
        lead = "\n"
    return (*pieces, "\n\n=== END DOCUMENT EXCERPTS ===\n")


def summary_pieces(candidates: Candidates, rows: Sequence[int]) -> Pieces:
    """Return the block of past conversations; nothing for none."""
    pieces: list[str | int] = []
    lead = "**RELEVANT PAST CONVERSATIONS:**\n(You may reference these if relevant to the current topic)\n"
    for number, row in enumerate(rows, 1):
        summary = candidates.things[row]
        assert isinstance(summary, PastSummary)
        pieces += [f'{lead}\n--- Past Conversation {number}: "{summary.title or "Untitled"}" ---\n', row]
        lead = _lines_after(summary)
    return (*pieces, lead) if pieces else ()


def _lines_after(summary: PastSummary) -> str:
    """Return the lines after the text of a summary, including the line break at their end."""
    named = {
        "Tone": summary.tone,
        "Topics": ", ".join(summary.topics[:MOST_TOPICS]),
        "Open Questions": ", ".join(summary.open_questions[:MOST_TOPICS]),
    }
    return "".join(f"\n{name}: {text}" for name, text in named.items() if text) + "\n"


def chorus_layout(memory_role: str) -> Layout:
    """Return the layout: a system message of everything but lore and messages; then lore, then the history.

    The memories are in a separate message if their role is not system.
    """

    def layout(assembly: Assembly) -> tuple[Block, ...]:
        parts = [_system_pieces(assembly), summary_pieces(assembly.candidates, _rows(assembly, Kind.SUMMARY))]
        memories = _memory_pieces(_rows(assembly, Kind.MEMORY))
        if memory_role == "system":
            parts.append(memories)
        blocks: list[Block] = []
        if pieces := _joined(parts):
            blocks.append(Composed("system", pieces))
        if memories and memory_role != "system":
            blocks.append(Composed(memory_role, memories))
        return (*blocks, *paragraphs(assembly, Kind.LORE), Run(assembly.kept_rows(Kind.MESSAGE)))

    return layout


def _rows(assembly: Assembly, kind: Kind) -> list[int]:
    return assembly.kept_rows(kind).tolist()


def _system_pieces(assembly: Assembly) -> Pieces:
    """Return the system text, directly followed by the excerpts of documents, in the order of the file."""
    rows = [row for kind in (Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE) for row in _rows(assembly, kind)]
    texts = _joined([(row,) for row in rows if assembly.candidates.texts[row]])
    return texts + document_pieces(assembly.candidates, sorted(_rows(assembly, Kind.DOCUMENT)))


def _memory_pieces(rows: Sequence[int]) -> Pieces:
    """Return the memories as a numbered list under their heading; nothing for none."""
    pieces: list[str | int] = []
    for number, row in enumerate(rows, 1):
        pieces += [f"{MEMORY_INTRODUCTION if number == 1 else chr(10)}{number}. ", row]
    return tuple(pieces)


def _joined(parts: Sequence[Pieces]) -> Pieces:
    """Join the non-empty parts by blank lines."""
    pieces: Pieces = ()
    for part in parts:
        if part:
            pieces += (PARAGRAPH, *part) if pieces else part
    return pieces
