"""An overview of the open conversations: the figures of each under the same scenario."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from inspector.analysis.archive.figures import ChatFigures, chat_figures
from inspector.analysis.basis import Basis
from inspector.analysis.recall.ask import by_conversation, mean_of, recall
from inspector.analysis.recall.probes import askable
from inspector.assembly.choices import ScenarioError
from inspector.assembly.edits import choose_conversation
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.remembered import NO_CHATS, RememberedChats
from inspector.assembly.scenario import Scenario
from inspector.model import Probe
from inspector.steps import check_wanted
from inspector.tokens.cache import CountCache


@dataclass(frozen=True, slots=True)
class Looked:
    """An examined conversation: its row among the open conversations, its figures, and the recall of its probes.

    `figures` is None if its scenario is refused, and `trouble` is the reason. `recall` is the mean share of the
    evidence kept whole, None if there are no probes about it.
    """

    row: int
    figures: ChatFigures | None
    recall: float | None
    trouble: str = ""


def overview(
    basis: Basis, remembered: RememberedChats = NO_CHATS, rows: Iterable[int] | None = None
) -> Iterator[Looked]:
    """Yield the conversations of these rows of the workspace as if the scenario chose them; by default all, in order.

    `rows` are taken one by one, so that they may be an `Agenda` that changes meanwhile. Conversations in `remembered`
    are returned unchanged. Those not read yet are left out: all together may exceed the memory. Raise
    UnknownTokenizerError if the model of the scenario has no tokenizer.
    """
    pipeline, workspace, cache = basis.pipeline, basis.pipeline.workspace, basis.cache
    probes, _ = askable(workspace, workspace.probes)
    asked = {of_one[0].conversation: of_one for of_one in by_conversation(probes)}
    for row in range(len(workspace.conversations)) if rows is None else rows:
        check_wanted()
        conversation = workspace.conversations[row]
        if not conversation.is_read:
            continue
        chosen = choose_conversation(basis.scenario, workspace, conversation.id, remembered).scenario
        try:
            figures = chat_figures(pipeline, chosen, cache)
        except ScenarioError as refusal:
            yield Looked(row, None, None, str(refusal))
            continue
        yield Looked(row, figures, _recall(pipeline, chosen, asked.get(conversation.id, []), cache))


def _recall(pipeline: Pipeline, scenario: Scenario, probes: Sequence[Probe], cache: CountCache | None) -> float | None:
    if not probes:
        return None
    return mean_of(recall(pipeline, scenario, probes, cache).found).columns["recall"]
