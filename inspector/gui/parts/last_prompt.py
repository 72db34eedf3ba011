"""The last prompt: while a scenario is refused, views show it dimmed, as outdated."""

from inspector.assembly.answer import Answer

NO_PROMPT = "No prompt was made."
OF_BEFORE = "Dimmed parts are from before."


class LastPrompt:
    """Takes every answer, and holds the last one with a prompt of the same items."""

    def __init__(self) -> None:
        self._held: Answer | None = None

    def take(self, answer: Answer | None) -> None:
        """Hold this answer if it has a prompt. If it has other items, drop the held answer."""
        if answer is None or answer.assembly.error is None or self.before(answer) is None:
            self._held = answer if answer is not None and answer.assembly.error is None else None

    def before(self, answer: Answer | None) -> Answer | None:
        """Return the held answer if it has the items of this answer, whether or not that was taken, else None."""
        if self._held is None or answer is None:
            return None
        return self._held if self._held.assembly.candidates.items is answer.assembly.candidates.items else None


def refusal(answer: Answer | None) -> str:
    """Return why an answer has no prompt, as the first sentence for views, or ""."""
    error = answer.assembly.error if answer is not None else None
    return "" if error is None else f"{NO_PROMPT} {error.message}"
