"""What a report says of texts: the texts themselves, or with redaction their hash and length and nothing of them.

Redacted, an item is called by its section and number, a finding by what its kind means, and of the settings only
figures and words of the program are told. Two texts that are equal have the same hash.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section, word
from inspector.assembly.decisions import Finding
from inspector.assembly.explain import explain
from inspector.assembly.parameter_text import setting_text
from inspector.assembly.policy import parameter_values
from inspector.figures import counted

SENTENCES_UP_TO = 2_000
"""With more items than this a report gives the few words of a reason in place of the sentence."""
_HASH_LENGTH = 12
_WORDS = ("policy", "preset", "model", "similarity", "summaries", "classify", "now")
"""Settings whose values are words of the program, or of no chat."""


def hidden(text: str) -> str:
    """A text as its hash and length: sha256 1f0c9a77e2b4, 85 characters."""
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    return f"sha256 {digest}, {counted(len(text), 'character')}"


@dataclass(frozen=True)
class Telling:
    """How a report tells of an answer."""

    answer: Answer
    redacts: bool = False
    _names: Mapping[int, str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_names", _numbered(self.answer) if self.redacts else {})

    def name(self, row: int) -> str:
        """What an item is called."""
        return self._names[row] if self.redacts else self.answer.assembly.candidates.ids[row]

    def text(self, row: int) -> str:
        """The whole text of an item."""
        text = self.answer.assembly.candidates.texts[row]
        return hidden(text) if self.redacts else text

    def why(self, row: int) -> str:
        """Why an item met its fate."""
        assembly = self.answer.assembly
        is_short = self.redacts or len(assembly.candidates) > SENTENCES_UP_TO
        return assembly.reason_of(row).label if is_short else explain(assembly, row)

    def finding(self, finding: Finding) -> str:
        """What was found."""
        if not self.redacts:
            return finding.message
        items = f" ({counted(len(finding.rows), 'item')})" if len(finding.rows) else ""
        return f"{finding.kind.meaning}{items}"

    def setting(self, name: str, value: Any) -> str:
        """The value of a setting of the scenario, or of a parameter of the policy."""
        written = setting_text(name, value, self.answer.case.policy)
        if not self.redacts or isinstance(value, bool | int | float) or value in (None, (), []):
            return written
        is_word = name in _WORDS or name in self._parameters or (name == "tokenizer" and not _names_file(written))
        return written if is_word else hidden(written)

    @property
    def _parameters(self) -> Mapping[str, Any]:
        policy = self.answer.case.policy
        return {} if policy is None else parameter_values(policy)

    def tokenizer(self) -> str:
        """What counted; a tokenizer may be called by its folder."""
        return self.setting("tokenizer", self.answer.ledger.tokenizer)


def _names_file(tokenizer: str) -> bool:
    """Whether a tokenizer is called by a file or folder, whose path says whose it is."""
    return "/" in tokenizer or "\\" in tokenizer


def _numbered(answer: Answer) -> dict[int, str]:
    """Each item by its section and its number there, in the order of the prompt."""
    numbers = dict.fromkeys(Section, 0)
    names: dict[int, str] = {}
    for row in answer.assembly.order.tolist():
        section = Section(int(answer.assembly.section[row]))
        numbers[section] += 1
        names[row] = f"{word(section)} {numbers[section]:,}"
    return names
