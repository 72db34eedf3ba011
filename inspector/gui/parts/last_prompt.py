"""The last prompt that was made: while a scenario is refused, it is what views show, dimmed, as of before."""

from inspector.assembly.answer import Answer

NO_PROMPT = "No prompt was made."
OF_BEFORE = "What is dimmed is from before."


class LastPrompt:
    """Takes every answer, and holds the last one that made a prompt of the same items."""

    def __init__(self) -> None:
        self._held: Answer | None = None

    def take(self, answer: Answer | None) -> None:
        """Hold this answer if it made a prompt; one of other items drops what is held."""
        if answer is None or answer.assembly.error is None or self.before(answer) is None:
            self._held = answer if answer is not None and answer.assembly.error is None else None

    def before(self, answer: Answer | None) -> Answer | None:
        """What is held, if it is of the items of this answer, which need not have been taken yet; None otherwise."""
        if self._held is None or answer is None:
            return None
        return self._held if self._held.assembly.candidates.items is answer.assembly.candidates.items else None


def refusal(answer: Answer | None) -> str:
    """Why an answer made no prompt, as a sentence that views begin with; "" where it made one."""
    error = answer.assembly.error if answer is not None else None
    return "" if error is None else f"{NO_PROMPT} {error.message}"
