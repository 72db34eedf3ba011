"""The scan of a lorebook: the active entries, with the key and message that activated each.

The rules are those of SillyTavern's World Info: messages first, then, if recursive, the contents of active entries,
until nothing new fires. Nothing is left to chance here: entries SillyTavern would roll for are active and say so, the
heaviest wins a group, and effects of earlier generations (sticky, cooldown) are named but not simulated. A delay is
kept, since it depends only on the number of messages. Budgets add up the tokens of single entries.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from inspector.retrieval.lore.book import MOST_DEPTH, Key, LoreBook, PatternKey, Scene, SearchTime
from inspector.retrieval.lore.outcome import SECONDARY, Activation, Cause, Fired
from inspector.retrieval.lore.rules import EntryRules, Logic
from inspector.retrieval.lore.text import ScannedText, ScanText


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


class _Step(Enum):
    """The purpose of a step of the scan."""

    FIRST = "first"
    RECURSION = "recursion"
    OLDER = "older messages"
    END = "end"


@dataclass
class _Pool:
    """Tokens shared by entries; after the first entry that does not fit, none does."""

    name: str
    limit: float
    used: int = 0
    full: bool = False


def activate(book: LoreBook, scene: Scene) -> tuple[Activation, ...]:
    """Return the outcome of each entry of a book in a scene, by row."""
    return _Scan(book, scene).run()


class _Scan:
    """A scan of a book. Rows are considered by falling order; rows of equal order, as in the file."""

    def __init__(self, book: LoreBook, scene: Scene) -> None:
        self.book, self.scene, self.settings = book, scene, book.settings
        self.found: dict[int, Activation] = {}
        self.refused: dict[int, Activation] = {}
        self.final: set[int] = set()
        self.recursed: list[ScannedText] = []
        self.time = SearchTime()
        self.skew = self.recursions = 0
        levels = {rules.level for rules in book.rules if rules.level}
        self.levels = sorted(levels)
        self.level = self.levels.pop(0) if self.levels else 0
        self.pools = self._pools()
        self._texts: dict[int, ScanText] = {}
        self._silent: dict[int, Activation] = {}
        for row in range(len(book.entries)):
            if (barred := self._barred(row)) is not None:
                self.refused[row] = barred
                self.final.add(row)

    def run(self) -> tuple[Activation, ...]:
        """Scan until nothing new fires."""
        step, steps = _Step.FIRST, 0
        while step != _Step.END and not 0 < self.settings.max_steps <= steps:
            steps += 1
            self.recursions += step == _Step.RECURSION
            step = self._next(step, self._scan(step))
        return tuple(map(self._outcome, range(len(self.book.entries))))

    def _scan(self, step: _Step) -> list[int]:
        """Run a step and return the entries it made active, in order of decision."""
        self._texts = {}
        firing = {row: hit for row in self._possible(step) if (hit := self._hit(row, step)) is not None}
        rows = self._fit_groups(list(firing), firing, step)
        kept = [row for row in rows if self._is_rolled(row) and self._fits(row)]
        self.found.update((row, firing[row]) for row in kept)
        return kept

    def _possible(self, step: _Step) -> list[int]:
        """Return the rows that may fire, in order: needing no key, with a pattern, or with a key that may occur."""
        book = self.book
        rows = {*book.constant, *book.relevant, *book.patterned}
        for number, window in enumerate(book.windows):
            may = self._text(number, step).may_hold(window.first, window.last)
            rows.update(np.flatnonzero(np.bincount(window.rows[may])).tolist())
        return sorted(rows - self.found.keys() - self.final, key=book.rank.__getitem__)

    def _hit(self, row: int, step: _Step) -> Activation | None:
        """Return the activation of a row if it fires; otherwise note any reason beyond a missing key."""
        entry, rules = self.book.entries[row], self.book.rules[row]
        if self._skips(rules, step):
            return None
        if entry.constant:
            hit = self._activation(row, Cause.CONSTANT)
        elif row in self.book.relevant:
            hit = replace(self._activation(row, Cause.RELEVANCE), detail=f"{entry.score:.2f}")
        else:
            hit = self._keyed(row, step)
        if hit is not None and rules.level > (self.level if step == _Step.RECURSION else 0):
            self.refused[row] = replace(self._refusal(row, Cause.WAITING), fired=hit.fired)
            return None
        return hit

    def _keyed(self, row: int, step: _Step) -> Activation | None:
        """Return the activation of a row by its keys."""
        rules, text = self.book.rules[row], self._text(self.book.window_of[row], step)
        fired = self._first(self.book.primary[row], text)
        if fired is None:
            return None
        others = self._all(self.book.secondary[row], text)
        if not _satisfied(rules.logic, len(others), len(self.book.secondary[row])):
            detail = SECONDARY[rules.logic]
            self.refused[row] = replace(self._refusal(row, Cause.SECONDARY), fired=fired, others=others, detail=detail)
            return None
        cause = Cause.RECURSION if fired.place.piece.kind == "entry" else Cause.KEY
        return replace(self._activation(row, cause), fired=fired, others=others, level=self.recursions)

    def _first(self, keys: Sequence[Key], text: ScanText) -> Fired | None:
        """Return the first of these keys that occurs."""
        return next((Fired(key.text, place) for key in keys if (place := key.find(text, self.time))), None)

    def _all(self, keys: Sequence[Key], text: ScanText) -> tuple[Fired, ...]:
        """Return all of these keys that occur."""
        return tuple(Fired(key.text, place) for key in keys if (place := key.find(text, self.time)))

    def _skips(self, rules: EntryRules, step: _Step) -> bool:
        """Return whether an entry takes no part in recursion steps."""
        if step != _Step.RECURSION:
            return False
        return rules.skips_recursion if self._recurses(rules) else not rules.level

    def _recurses(self, rules: EntryRules) -> bool:
        return self.settings.recursive if rules.recursive is None else rules.recursive

    def _fit_groups(self, rows: list[int], firing: dict[int, Activation], step: _Step) -> list[int]:
        """Return the rows without the losers of inclusion groups."""
        rules = self.book.rules
        if not any(rules[row].groups for row in rows):
            return rows
        taken = {group for row in self.found for group in rules[row].groups}
        choice = choose_in_groups(rows, rules, taken, lambda row: self._score(row, step), self.settings.group_scoring)
        for row, (group, winner) in choice.lost.items():
            to = self._winner_of(group) if winner is None else winner
            detail = f"group ‘{group}’ to {self.book.numbers[to]}"
            self.refused[row] = replace(firing[row], cause=Cause.GROUP, detail=detail)
        for row, note in choice.drawn.items():
            firing[row] = replace(firing[row], notes=(*firing[row].notes, note))
        return [row for row in rows if row not in choice.lost]

    def _winner_of(self, group: str) -> int:
        return next(row for row in self.found if group in self.book.rules[row].groups)

    def _score(self, row: int, step: _Step) -> int:
        """Return the number of an entry's keys that occur, with its secondary keys if its logic requires them."""
        text, logic = self._text(self.book.window_of[row], step), self.book.rules[row].logic
        primary, secondary = self.book.primary[row], self.book.secondary[row]
        count, others = len(self._all(primary, text)), len(self._all(secondary, text))
        counts_others = logic == Logic.AND_ANY or (logic == Logic.AND_ALL and others == len(secondary))
        return count + others if primary and counts_others else count

    def _is_rolled(self, row: int) -> bool:
        """Return whether an entry has any chance in its roll."""
        if self.book.rules[row].probability > 0:
            return True
        self.refused[row] = self._refusal(row, Cause.PROBABILITY)
        self.final.add(row)
        return False

    def _pools(self) -> dict[str, _Pool]:
        """Return the budgets: a common budget, and another for each book with its own."""
        if not len(self.scene.costs):
            return {}
        whole = self.settings.budget(self.scene.window)
        pools = {} if whole is None else {"": _Pool("lorebook budget", whole)}
        for rules in self.book.rules:
            if rules.book_budget is not None:
                pools.setdefault(f"book {rules.world}", _Pool("budget of its book", rules.book_budget))
        return pools

    def _fits(self, row: int) -> bool:
        """Return whether an entry still fits its budgets; as in SillyTavern the last token of a budget stays unused."""
        rules = self.book.rules[row]
        names = ("", f"book {rules.world}") if rules.book_budget is not None else ("",)
        pools = [self.pools[name] for name in names if name in self.pools]
        cost = int(self.scene.costs[row]) if pools else 0
        over = [pool for pool in pools if pool.full or pool.used + cost >= pool.limit]
        if over and not rules.ignores_budget:
            for pool in over:
                pool.full = True
            detail = f"{over[0].name} of {over[0].limit:,g} tokens"
            self.refused[row] = replace(self._refusal(row, Cause.BUDGET), detail=detail)
            return False
        for pool in pools:
            pool.used += cost
        return True

    def _next(self, step: _Step, kept: list[int]) -> _Step:
        """Return the next step after a step that activated these entries."""
        rules = self.book.rules
        speaking = [row for row in kept if not rules[row].ends_recursion and rules[row].recursive is not False]
        following = _Step.END
        if "" not in self.pools or not self.pools[""].full:
            recurses = any(self._recurses(rules[row]) for row in speaking)
            if recurses or (step == _Step.OLDER and self.recursed and self.settings.recursive):
                following = _Step.RECURSION
            elif len(self.found) < self.settings.min_activations and self._has_older():
                following = _Step.OLDER
                self.skew += 1
        if following == _Step.END and self.levels:
            following, self.level = _Step.RECURSION, self.levels.pop(0)
        self.recursed += [self._piece(row) for row in speaking]
        return following

    def _piece(self, row: int) -> ScannedText:
        """Return an active entry as a text for the next step."""
        book = self.book
        return ScannedText("entry", book.names[row], book.texts[row], name=f"entry {book.numbers[row]}")

    def _has_older(self) -> bool:
        """Return whether another message can be read to reach the least number of activations."""
        depth, most = self.settings.depth + self.skew, self.settings.min_activations_depth
        return depth <= min(self.scene.length, MOST_DEPTH) and not 0 < most < depth

    def _text(self, number: int, step: _Step) -> ScanText:
        """Return the text searched for the keys of a window; made once per step."""
        if number not in self._texts:
            window, scene = self.book.windows[number], self.scene
            depth = self.settings.depth + self.skew if window.depth is None else window.depth
            pieces = list(scene.messages[: max(min(depth, MOST_DEPTH), 0)])
            if depth > 0:  # as in SillyTavern, an entry that reads no messages reads nothing at all
                pieces += [ScannedText(kind, "", scene.parts[kind]) for kind in window.sources if kind in scene.parts]
                pieces += self.recursed if step != _Step.OLDER else []
            self._texts[number] = ScanText(pieces)
        return self._texts[number]

    def _barred(self, row: int) -> Activation | None:
        """Return the reason why an entry cannot fire in this scene whatever is said, None if it can."""
        entry, rules = self.book.entries[row], self.book.rules[row]
        if not entry.enabled:
            return self._refusal(row, Cause.DISABLED)
        if rules.triggers and "normal" not in rules.triggers:
            return replace(self._refusal(row, Cause.TRIGGER), detail=", ".join(rules.triggers))
        if rules.filter is not None and self._filtered(rules):
            words = "not for this character" if rules.filter.excludes else "for other characters"
            return replace(self._refusal(row, Cause.CHARACTER), detail=words)
        if self.scene.length < rules.delay:
            return replace(self._refusal(row, Cause.DELAY), detail=f"{rules.delay:g}")
        return None

    def _filtered(self, rules: EntryRules) -> bool:
        if rules.filter is None:
            return False
        known = ((rules.filter.names, self.scene.characters), (rules.filter.tags, self.scene.tags))
        return any(
            wanted and given is not None and rules.filter.excludes == any(name.casefold() in wanted for name in given)
            for wanted, given in known
        )

    def _activation(self, row: int, cause: Cause) -> Activation:
        """Return an active entry with notes on chance and time."""
        rules = self.book.rules[row]
        chance = (f"would be rolled with {rules.probability:g} %",) if rules.probability < 100 else ()
        return Activation(cause, probability=rules.probability, notes=(*chance, *self._notes(row)))

    def _refusal(self, row: int, cause: Cause) -> Activation:
        rules = self.book.rules[row]
        depth = self.settings.depth + self.skew if rules.depth is None else rules.depth
        return Activation(cause, probability=rules.probability, depth=depth, notes=self._notes(row))

    def _outcome(self, row: int) -> Activation:
        """Return the final outcome of a row."""
        known = self.found.get(row) or self.refused.get(row)
        if known is not None:
            return known
        if row in self.book.noted or not self.book.primary[row] or self.book.rules[row].probability < 100:
            return self._refusal(row, self._lack(row))
        number = self.book.window_of[row]
        if number not in self._silent:
            self._silent[number] = self._refusal(row, Cause.NO_KEY)
        return self._silent[number]

    def _lack(self, row: int) -> Cause:
        """Return the reason why a row did not fire."""
        if not self.book.primary[row]:
            return Cause.KEYLESS
        troubled = any(isinstance(key, PatternKey) and key.trouble for key in self.book.primary[row])
        return Cause.UNREADABLE if troubled else Cause.NO_KEY

    def _notes(self, row: int) -> tuple[str, ...]:
        """Return notes for the user on an entry, whatever its outcome."""
        if row not in self.book.noted:
            return ()
        rules = self.book.rules[row]
        times = (("stickiness", rules.sticky), ("cooldown", rules.cooldown))
        return (
            *(f"key {key.text} {key.trouble}" for key in _patterns(self.book, row) if key.trouble),
            *(f"its {name} of {value:g} messages is not simulated" for name, value in times if value),
            *(("by relevance too, for which no score is recorded",) if self._lacks_score(row) else ()),
            *filter(None, (self._hurry(row), self._unjudged(rules), rules.note)),
        )

    def _hurry(self, row: int) -> str:
        """Return a note that time ran out for patterns, "" otherwise."""
        skipped = self.time.ran_out and any(not key.trouble for key in _patterns(self.book, row))
        return "there was too little time to search for its patterns" if skipped else ""

    def _lacks_score(self, row: int) -> bool:
        return self.book.rules[row].by_relevance and self.book.entries[row].score is None

    def _unjudged(self, rules: EntryRules) -> str:
        """Return a note on the part of a character filter that cannot be judged, "" otherwise."""
        if rules.filter is None:
            return ""
        if rules.filter.names and self.scene.characters is None:
            return "its character filter is not judged, as no character is chosen"
        if rules.filter.tags and self.scene.tags is None:
            return "its filter by tags is not judged, as the tags of the character are not known"
        return ""


def _patterns(book: LoreBook, row: int) -> Iterable[PatternKey]:
    return (key for key in (*book.primary[row], *book.secondary[row]) if isinstance(key, PatternKey))


def _satisfied(logic: Logic, there: int, all_of_them: int) -> bool:
    """Return whether the number of secondary keys found satisfies the logic; without secondary keys it always does."""
    if not all_of_them:
        return True
    return {
        Logic.AND_ANY: there > 0,
        Logic.AND_ALL: there == all_of_them,
        Logic.NOT_ANY: there == 0,
        Logic.NOT_ALL: there < all_of_them,
    }[logic]
