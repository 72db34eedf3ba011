"""The search for settings of the recommend screen, and the current recall, on workers.

A search takes a minute or more: it is not awaited, and goes on during other work. Its result stays, marked as outdated
once the scenario or the open files have changed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject

from inspector.analysis.basis import Basis, Share
from inspector.analysis.recall.answers import mean_answers
from inspector.analysis.recall.ask import Recalled, losses, mean_of, recalls
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.searched import Searched, searches
from inspector.analysis.recommend.settings import asked_scenario
from inspector.assembly.choices import ScenarioError
from inspector.assembly.columns import phrase
from inspector.assembly.policy import PolicyError
from inspector.assembly.scenario_records import followed
from inspector.figures import counted, percentage
from inspector.gui.session.session import Session
from inspector.model import Probe
from inspector.tokens.choice import UnknownTokenizerError

SEARCH, RECALL = "recommend", "recall"
"""The names of the tasks."""
STOPPED = "The search was stopped before there was anything to show."
_REFUSED = (ScenarioError, UnknownTokenizerError, PolicyError, ValueError)
"""Errors that are not faults of the program."""


class Shows(Protocol):
    """The display of results."""

    def show_begun(self) -> None:
        """Show that a search has begun."""
        ...

    def show_share(self, share: Share) -> None:
        """Show the progress."""
        ...

    def show_ended(self, ending: str = "", failure: str = "") -> None:
        """No search runs; why it ended before its time."""
        ...

    def show_found(self, found: Searched | None) -> None:
        """Show the result so far."""
        ...

    def show_recall(self, words: str, tip: str = "") -> None:
        """Show the recall under the current setting."""
        ...


class Recommending(QObject):
    """Searches and measures for a view; the latest wins."""

    def __init__(self, session: Session, view: Shows, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._view = session, view
        self._found: Searched | None = None
        self._is_of_run = False  # whether the result is of the running search

    @property
    def found(self) -> Searched | None:
        """The last result, in relation to the current scenario."""
        if self._found is None:
            return None
        answer, workspace = self._session.answer, self._session.workspace
        if answer is None or not self._found.is_of_open:
            return replace(self._found, in_use=None)
        return self._found.beside(asked_scenario(answer.scenario, workspace), answer.model.window.tokens)

    def take_workspace(self) -> None:
        """Cancel the search and mark its result as outdated, because other files are open or were read again."""
        self.cancel()
        self._session.tasks.cancel(RECALL)
        if self._found is not None:
            self._found = replace(self._found, is_of_open=False)

    def forget(self) -> None:
        """Forget the result, which is not about the open files."""
        self._found = None
        self._view.show_found(None)

    def start(self, terms: Terms) -> None:
        """Search for settings for the open questions; the result before stays until there is a new one."""
        basis = self._session.basis
        if basis is None:
            return
        self._is_of_run = False
        self._view.show_begun()
        request = partial(searches, basis, self._session.questions.asked, terms)
        self._session.tasks.run(SEARCH, request, self._take, self._view.show_ended, self._fail)

    def cancel(self) -> None:
        """Cancel the search; the result so far stays, as a partial result."""
        if not self._session.tasks.is_running(SEARCH):
            return
        self._session.tasks.cancel(SEARCH)
        self._keep_part()
        self._view.show_ended("" if self._is_of_run else STOPPED)

    def measure(self) -> None:
        """Ask every question under the current setting and, if there is one, under the baseline."""
        session, basis = self._session, self._session.basis
        if basis is None or session.trouble or not session.questions.asked:
            self._view.show_recall("")
            return
        scenarios, pinned = [basis.scenario], session.baseline_scenario
        scenarios += [] if pinned is None else [followed(session.pipeline, pinned)]
        asked = [replace(basis, scenario=asked_scenario(each, session.workspace)) for each in scenarios]
        request = partial(_recalls, asked, session.questions.asked)
        session.tasks.run(RECALL, request, self._take_recall, lambda: None, self._fail_recall)

    def stop_measuring(self) -> None:
        """Another setting is in use."""
        self._session.tasks.cancel(RECALL)

    def _take(self, step: Share | Searched) -> None:
        if isinstance(step, Share):
            self._view.show_share(step)
        else:
            self._found, self._is_of_run = step, True
            self._view.show_found(self.found)

    def _fail(self, error: Exception) -> None:
        is_refused = isinstance(error, _REFUSED)
        self._keep_part()
        self._view.show_ended(failure=f"No search is possible: {error}." if is_refused else "The search failed.")
        if not is_refused:
            self._session.fail_work(error)

    def _keep_part(self) -> None:
        """Mark the result of a search that ends before its time; until there is any, the one before stays."""
        if self._found is not None and self._is_of_run:
            self._found = replace(self._found, stopped=True)
            self._view.show_found(self.found)

    def _take_recall(self, step: Share | tuple[Recalled, ...]) -> None:
        if isinstance(step, Share):
            self._view.show_recall(f"Recall now: {step.done:,.0f} of {counted(int(step.of), 'question')} asked …")
        else:
            self._view.show_recall(*recall_words(*step))

    def _fail_recall(self, error: Exception) -> None:
        self._view.show_recall("Recall now: not known")
        self._session.fail_work(error)


def _recalls(asked: Sequence[Basis], probes: Sequence[Probe]) -> Iterator[Share | tuple[Recalled, ...]]:
    """Yield the recall under each of these scenarios, together."""
    found: list[Recalled] = []
    for basis in asked:
        for step in recalls(basis, probes):
            if isinstance(step, Share):
                yield Share(step.done + len(found) * step.of, step.of * len(asked))
            else:
                found.append(step)
    yield tuple(found)


def recall_words(recalled: Recalled, baseline: Recalled | None = None) -> tuple[str, str]:
    """Return the current recall in a sentence, beside that of a baseline, and its parts."""
    number = len(recalled.found)
    if not number:
        return "Recall now: no question could be asked", "\n".join(one.reason for one in recalled.skipped[:5])
    mean = mean_of(recalled.found).columns
    lines = [
        f"{percentage(mean['recall_with_memories'])} is in the prompts, by itself or by a memory that names it",
        f"{percentage(mean['recall'])} whole, by itself",
        f"{percentage(mean['recall_summarized'])} summarized or cut short",
        *(f"{percentage(lost)} lost: {phrase(loss)}" for loss, lost in losses(recalled.found).items() if lost),
    ]
    lines += _answer_words(recalled)
    lines += [f"{counted(len(recalled.skipped), 'question')} left aside"] if recalled.skipped else []
    needs = "needs" if number == 1 else "need"
    before = None if baseline is None else mean_of(baseline.found).columns["recall_with_memories"]
    beside = "" if before is None else f", baseline {percentage(before)},"
    return (
        f"Recall now: {percentage(mean['recall_with_memories'])}{beside} of what {counted(number, 'question')} {needs}",
        "\n".join(lines),
    )


def _answer_words(recalled: Recalled) -> list[str]:
    """Return the share of the words of the known answers in a sentence, beside chance; nothing without answers."""
    mean = mean_answers(recalled.answers)
    if not mean["answers"]:
        return []
    chance = mean["other_answer_words"]
    beside = "" if chance is None else f", {percentage(chance)} of those of other questions' answers"
    return [f"{percentage(mean['answer_words'])} of the words of known answers are in the prompts{beside}"]
