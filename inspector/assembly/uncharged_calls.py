"""The tokens of tool calls that stand in a prompt and that its policy charges for nothing."""

import numpy as np

from inspector.assembly.columns import I32, Action
from inspector.assembly.decisions import Assembly
from inspector.assembly.reasons import INPUTS_CLEARED


def uncharged_calls(assembly: Assembly) -> I32:
    """Return the tokens of the tool calls, for each of `items.callers` that is charged for its content alone, else 0.

    It stands in the prompt whole, or without the arguments of its calls.
    """
    candidates, callers = assembly.candidates, assembly.candidates.items.callers
    whole = (assembly.action[callers] == int(Action.KEPT)) & (assembly.error is None)
    found = np.where(whole, candidates.tokens[callers] - assembly.spent[callers], 0).astype(np.int32)
    if INPUTS_CLEARED in assembly.reasons and assembly.error is None:
        cleared = assembly.reason[callers] == assembly.reasons.index(INPUTS_CLEARED)
        for place in np.flatnonzero(cleared & ~candidates.recorded[callers]).tolist():
            row = int(callers[place])
            found[place] = candidates.counts.count(assembly.text(row)) - int(assembly.spent[row])
    return found
