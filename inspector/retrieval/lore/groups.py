"""Inclusion groups of lorebook entries: of those firing together, only the winner stays.

The rules are SillyTavern's. It draws lots by weight if nothing else decides; here the heaviest wins, with a note.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from inspector.retrieval.lore.rules import EntryRules


@dataclass(frozen=True, slots=True)
class GroupChoice:
    """The group of each losing entry with its winner (None: won in an earlier step of the recursion). `drawn` has notes
    on how the application would draw, by winner.
    """

    lost: Mapping[int, tuple[str, int | None]]
    drawn: Mapping[int, str]


def choose_in_groups(
    rows: Sequence[int],
    rules: Sequence[EntryRules],
    taken: Collection[str],
    score_of: Callable[[int], int],
    all_scored: bool,
) -> GroupChoice:
    """Return the losers among the firing rows, given in order of decision. `taken` are groups already won.

    `score_of` counts the keys of an entry that occur; `all_scored` says whether this decides for entries without a
    setting.
    """
    lost: dict[int, tuple[str, int | None]] = {}
    drawn: dict[int, str] = {}
    for group, members in _members(rows, rules).items():
        members = [row for row in members if row not in lost]
        if group in taken:
            lost.update((row, (group, None)) for row in members)
            continue
        best = _best_scored(members, rules, score_of, all_scored)
        winner, note = _winner(best, rules)
        lost.update((row, (group, winner)) for row in members if row != winner)
        if note:
            drawn[winner] = f"group ‘{group}’: {note}"
    return GroupChoice(lost, {row: note for row, note in drawn.items() if row not in lost})


def _members(rows: Iterable[int], rules: Sequence[EntryRules]) -> dict[str, list[int]]:
    members: dict[str, list[int]] = {}
    for row in rows:
        for group in rules[row].groups:
            members.setdefault(group, []).append(row)
    return members


def _best_scored(
    members: Sequence[int], rules: Sequence[EntryRules], score_of: Callable[[int], int], all_scored: bool
) -> Sequence[int]:
    """Return the members without those that are scored and have fewer matching keys than the best."""
    if len(members) < 2 or not (all_scored or any(rules[row].group_scored for row in members)):
        return members
    scores = {row: score_of(row) for row in members}
    most = max(scores.values())
    return [row for row in members if scores[row] == most or not _is_scored(rules[row], all_scored)]


def _is_scored(rules: EntryRules, all_scored: bool) -> bool:
    return all_scored if rules.group_scored is None else rules.group_scored


def _winner(members: Sequence[int], rules: Sequence[EntryRules]) -> tuple[int, str]:
    """Return the winner, and a note on the application's draw; of equal weights, the first wins."""
    first_choice = next((row for row in members if rules[row].group_wins), None)
    if first_choice is not None:
        return first_choice, ""
    if not members:
        return -1, ""
    winner = max(members, key=lambda row: rules[row].group_weight)
    weights = [rules[row].group_weight for row in members]
    if sum(weight > 0 for weight in weights) < 2:
        return winner, ""
    return winner, f"would be drawn by weight, {rules[winner].group_weight:g} of {sum(weights):g}"
