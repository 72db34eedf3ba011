"""Texts in a report: the texts themselves or, redacted, only their hash and length.

Items are named by their numbers, which tell nothing of a text. Redacted, a finding is named by the meaning of its kind,
and of the settings only figures and words of the program are shown. Equal texts of a report have the same hash; the
hash differs between reports, so no text can be found by hashing all words it might be.
"""

import dataclasses
from dataclasses import dataclass, field
from hashlib import blake2b
from secrets import token_bytes
from typing import Any

from inspector.assembly.answer import Answer
from inspector.assembly.cost import price_source
from inspector.assembly.decisions import Failure, Finding
from inspector.assembly.explain import explain
from inspector.assembly.parameter_text import setting_text
from inspector.assembly.policy import parameters_by_name
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.summary_items import summary_at, summary_reason, summary_sentence
from inspector.figures import counted
from inspector.tokens.models.loading import load_models
from inspector.tokens.tokenizer import tokenizer_title

SENTENCES_UP_TO = 2_000
"""With more items than this, a report gives the label of a reason in place of the sentence."""
_HASH_BYTES, _SALT_BYTES = 6, 16
_SETTINGS = frozenset(declared.name for declared in dataclasses.fields(Scenario)) | {"tokenizer_reason"}
_WORDS = ("policy", "similarity", "summaries", "classify", "now")
"""Settings whose values are words of the program, or not from any chat."""
_OWN_TOKENIZERS = ("embedded:", "estimate:")
"""Prefixes of the program's own tokenizers; others are named by a file, a folder or a server."""


@dataclass(frozen=True)
class Redaction:
    """Hides the texts of a report."""

    _salt: bytes = field(default_factory=lambda: token_bytes(_SALT_BYTES), repr=False)

    def hidden(self, text: str) -> str:
        """Return the hash and length of a text: hash 1f0c9a77e2b4, 85 characters."""
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES, key=self._salt).hexdigest()
        return f"hash {digest}, {counted(len(text), 'character')}"


@dataclass(frozen=True)
class Telling:
    """The wording of a report about an answer; with a redaction, without its texts."""

    answer: Answer
    redaction: Redaction | None = None

    def words(self, text: str) -> str:
        """Return a text of a file, or of the author of the scenario."""
        return self.redaction.hidden(text) if self.redaction else text

    def text(self, row: int) -> str:
        """Return the whole text of an item."""
        summary = summary_at(self.answer.assembly, row)
        return self.words(self.answer.assembly.candidates.texts[row] if summary is None else summary.text)

    def why(self, row: int) -> str:
        """Return the reason for the fate of an item."""
        assembly = self.answer.assembly
        is_short = self.redaction is not None or len(assembly.candidates) > SENTENCES_UP_TO
        if (summary := summary_at(assembly, row)) is not None:
            return summary_reason(summary).label if is_short else summary_sentence(summary)
        return assembly.reason_of(row).label if is_short else explain(assembly, row)

    def finding(self, finding: Finding) -> str:
        """Return the text of a finding."""
        if self.redaction is None:
            return finding.message
        items = f" ({counted(len(finding.rows), 'item')})" if len(finding.rows) else ""
        return f"{finding.kind.meaning}{items}"

    def failure(self, failure: Failure) -> str:
        """Return why no prompt was made: as a sentence, which may quote the file, or as its code."""
        return f"Error: {failure.code}." if self.redaction else failure.message

    def setting_name(self, name: str) -> str:
        """Return the name of a setting of the scenario or a parameter; an unknown name counts as a text."""
        is_known = name in _SETTINGS or name in parameters_by_name(self.answer.case.policy)
        return name if is_known else self.words(name)

    def setting(self, name: str, value: Any) -> str:
        """Return the value of a setting of the scenario, or of a parameter of the policy."""
        written = setting_text(name, value, self.answer.case.policy)
        is_figure = isinstance(value, bool | int | float) or value in (None, (), [])
        return written if is_figure or self._is_known(name, value) else self.words(written)

    def _is_known(self, name: str, value: Any) -> bool:
        """Return whether a value is a word of the program: shipped with it, or declared by a policy."""
        parameter = parameters_by_name(self.answer.case.policy).get(name)
        if parameter is not None:
            is_of_figures = isinstance(value, list | tuple) and all(isinstance(part, int | float) for part in value)
            return is_of_figures or (isinstance(value, str) and value in parameter.choices)
        if name == "model":
            return load_models().find(str(value)).how in ("exact", "alias")
        if name == "preset":
            return (self.answer.case.policy_name, value) in load_presets()
        return name in _WORDS or (name == "tokenizer" and str(value).startswith(_OWN_TOKENIZERS))

    def tokenizer(self) -> str:
        """Return the tokenizer used for counting."""
        return tokenizer_title(self.setting("tokenizer", self.answer.ledger.tokenizer))

    def price(self) -> str:
        """Return the source and date of the price; an unshipped row is not named."""
        row = self.answer.model.row
        is_told = row is None or self.redaction is None or self._is_known("model", row.name)
        return price_source(row) if is_told else "by a row of one's own"
