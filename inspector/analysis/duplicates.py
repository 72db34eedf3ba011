"""Looking for near-duplicate memories before an assembly is answered, for whoever has no window to do it beside."""

from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario

MOST_MEMORIES = 20_000
"""More memories than this are not looked through unasked: by vectors it takes seconds, and grows with the square."""


def find_duplicates(pipeline: Pipeline, scenario: Scenario, most: int = MOST_MEMORIES) -> None:
    """Look for memories that say nearly the same, if nobody has and there are no more than `most`.

    The findings of the next answer tell what was found. Raises ScenarioError and UnknownTokenizerError.
    """
    candidates = pipeline.candidates(scenario)
    memories = pipeline.duplicates.memories(candidates)
    if not 1 < len(memories) <= most or pipeline.duplicates.known(candidates) is not None:
        return
    *_, last = memories.search()
    pipeline.duplicates.add(memories, last.labels)
