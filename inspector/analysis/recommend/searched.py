"""The search as shown: the open questions, the results so far, and their comparison with the current setting."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from inspector.analysis.basis import Basis, Share
from inspector.analysis.recommend.advice import Recommendation, WindowAdvice, recommend
from inspector.analysis.recommend.measure import measuring
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.settings import (
    Difference,
    as_setting,
    asked_scenario,
    differences,
    setting_options,
)
from inspector.assembly.parameter_text import setting_text
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameters_by_name, policy_title
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.derived import cached_property
from inspector.figures import points
from inspector.model import Probe


@dataclass(frozen=True, eq=False)
class Searched:
    """The result of a search so far. `asked` is its initial scenario, `differences` are those of each window.

    `stopped` says that an incomplete search will not continue.
    """

    asked: Scenario
    recommendation: Recommendation
    differences: tuple[tuple[Difference, ...], ...]
    kinds: Mapping[str, type]
    """The policies by their names."""
    options: tuple[tuple[str, ...], ...]
    """For each window its current setting, its best, those of its front and of its policies as options of a command."""
    of_policies: tuple[tuple[tuple[Difference, ...], ...], ...] = ()
    """For each window the differences of the best setting of each policy."""
    listed: tuple[tuple[tuple[int, int], tuple[int, Scenario]], ...] = ()
    """The places of these settings, by window and among its policies, each with its window and setting."""
    stopped: bool = False
    in_use: int | None = None
    """The window whose setting is the current scenario."""
    used: tuple[int, Scenario] | None = None
    """The current window with the current setting, None if unknown."""
    is_of_now: bool = True
    """Whether its current setting is still the current setting."""
    is_of_open: bool = True
    """Whether it is about the files open now."""

    @classmethod
    def of(cls, pipeline: Pipeline, asked: Scenario, made: Recommendation) -> "Searched":
        """Return the result of a search that began with a scenario."""
        pairs = [(advice.current.scenario, advice.best.scenario) for advice in made.windows]
        others = tuple(differences(pipeline, *pair) for pair in pairs)
        options = tuple(
            tuple(setting_options(pipeline, advice.current.scenario, each.scenario) for each in advice.settings)
            for advice in made.windows
        )
        of_policies = tuple(
            tuple(differences(pipeline, advice.current.scenario, each.setting.scenario) for each in advice.policies)
            for advice in made.windows
        )
        listed = tuple(
            ((place, number), (advice.context_window, as_setting(each.setting.scenario)))
            for place, advice in enumerate(made.windows)
            for number, each in enumerate(advice.policies)
        )
        return cls(asked, made, others, pipeline.choices.policies, options, of_policies, listed)

    @property
    def windows(self) -> tuple[WindowAdvice, ...]:
        """The recommendation for each window."""
        return self.recommendation.windows

    @property
    def is_old(self) -> bool:
        """Whether it is about files no longer open, or about settings neither in use nor recommended by it."""
        return not self.is_of_open or (not self.is_of_now and not self.is_used)

    @property
    def is_used(self) -> bool:
        """Whether the current setting is one that it lists for a window, other than that of the beginning."""
        if self.in_use is not None or self.used_place is None:
            return self.in_use is not None
        place, number = self.used_place
        return not self.windows[place].policies[number].is_current

    @cached_property
    def used_place(self) -> tuple[int, int] | None:
        """The place of the window and of the setting among its policies that is the current one; None for none."""
        return next((place for place, setting in self.listed if setting == self.used), None)

    def beside(self, scenario: Scenario, window: int | None) -> "Searched":
        """Return the same in relation to a scenario, which plans with a window of this size."""
        now = as_setting(scenario)
        used = (
            place
            for place, advice in enumerate(self.windows)
            if advice.context_window == window
            and advice.best != advice.current
            and as_setting(advice.best.scenario) == now
        )
        current = None if window is None else (window, now)
        return replace(self, in_use=next(used, None), used=current, is_of_now=as_setting(self.asked) == now)

    def words(self, place: int) -> str:
        """Return the setting in a few words: its policy, and its differences from the current setting."""
        advice, setting = self.windows[place], self.windows[place].best.scenario
        if advice.best == advice.current:
            return f"the current one: {self.title(setting)}"
        others = [each for each in self.differences[place] if each.name != "policy"]
        parts = (self.text(setting, each.name, each.after) for each in others)
        return " · ".join([self.title(setting), *parts])

    def setting_words(self, setting: Scenario) -> str:
        """Return a setting as it is written: its policy, preset, way of comparing and parameters, as far as it sets
        them.
        """
        preset = [f"preset {setting.preset}"] if setting.preset else []
        ways = [f"similarity {setting.similarity}"] if setting.similarity != "auto" else []
        values = (self.text(setting, *each) for each in setting.parameters.items())
        return " · ".join([self.title(setting), *preset, *ways, *values])

    def value_text(self, setting: Scenario, name: str, value: Any) -> str:
        """Return a value of a setting as displayed; a policy by its title."""
        if name == "policy":
            return policy_title(str(value), self.kinds.get(str(value)))
        return setting_text(name, value, self.kinds.get(setting.policy or DEFAULT_POLICY))

    def text(self, setting: Scenario, name: str, value: Any) -> str:
        """Return a parameter of a setting with its value, in words."""
        return f"{self.label(setting, name)} {self.value_text(setting, name, value)}"

    def label(self, setting: Scenario, name: str) -> str:
        """Return the displayed name of a parameter or field of a setting, inside a sentence."""
        declared = parameters_by_name(self.kinds.get(setting.policy or DEFAULT_POLICY)).get(name)
        label = declared.label if declared and declared.label else name.replace("_", " ")
        return f"{label[0].lower()}{label[1:]}"

    def title(self, setting: Scenario) -> str:
        """Return the title of the policy of a setting."""
        name = setting.policy or DEFAULT_POLICY
        return policy_title(name, self.kinds.get(name))

    def values(self, place: int, number: int) -> tuple[str, ...]:
        """Return the differences of a row of the best settings of policies from the current setting, in words.

        Those that cost most recall when put back come first; the current setting has none.
        """
        setting, binds = self.windows[place].policies[number].setting.scenario, self.windows[place].binds
        others = [each for each in self.of_policies[place][number] if each.name not in ("policy", "preset")]
        others.sort(key=lambda each: binds.index(each.name) if each.name in binds else len(binds))
        preset = [f"preset {setting.preset}"] if setting.preset else []
        return (*preset, *(self.text(setting, each.name, each.after) for each in others))


def searches(basis: Basis, probes: Sequence[Probe], terms: Terms) -> Iterator[Share | Searched]:
    """Search for settings around the scenario, in other processes if worthwhile. Closing the iterator ends them.

    Raise the errors of `recommend`.
    """
    asked = asked_scenario(basis.scenario, basis.pipeline.workspace)
    told: Recommendation | None = None
    with (
        measuring(len(probes)) as executor,
        closing(recommend(basis.pipeline, asked, probes, terms, basis.cache, executor)) as steps,
    ):
        for step in steps:
            if step.found is not None and step.found is not told:
                told = step.found
                yield Searched.of(basis.pipeline, asked, told)
            yield Share(step.done, step.total)


def interval_text(interval: tuple[float, float] | None) -> str:
    """Return the confidence interval of a gain."""
    return "–" if interval is None else f"{points(interval[0])} to {points(interval[1])}"
