"""A kind of finding: its code, its meaning, and advice for the user."""

from dataclasses import dataclass

from inspector.assembly.advice import advice_text
from inspector.model import Severity


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A stable code for scripts, the usual severity, the meaning, advice, and a title of a few words for lists.

    `meaning` and `advice` are whole sentences without figures of a case. They contain options of the command line with
    their dashes, and parameters of policies in braces, which `advice_text` fills. Without a title, lists show the
    meaning.
    """

    code: str
    severity: Severity
    meaning: str
    advice: str
    title: str = ""

    @property
    def short(self) -> str:
        """The title, or else the meaning as one."""
        return self.title or self.meaning.removesuffix(".")

    @property
    def general_advice(self) -> str:
        """The advice for any policy."""
        return advice_text(self.advice, None)
