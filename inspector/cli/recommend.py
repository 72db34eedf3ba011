"""prompt-inspector recommend: the settings with the highest recall of the probes, and their reliability."""

import shlex
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

import click

from inspector.analysis.recall.probes import reasons_of
from inspector.analysis.recommend.advice import Recommendation, Step, recommend_for
from inspector.analysis.recommend.answer import recommendation_value
from inspector.analysis.recommend.blocks import Asked, asked_of, find_probes
from inspector.analysis.recommend.chats import Chats, FoundChats, OpenChats, ProbesOfFiles, find_chats
from inspector.analysis.recommend.drawings import front_drawing
from inspector.analysis.recommend.learning import enough
from inspector.analysis.recommend.measure import measuring
from inspector.analysis.recommend.policy_rows import POLICIES, all_policy_rows
from inspector.analysis.recommend.priced import PRICED, SHORT_FRONTS, all_priced
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.sentences import RETRIEVES_NOTHING, headline, limit_sentences, retrieves_nothing
from inspector.analysis.recommend.tables import WINDOWS
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import Plot, Telling, answer
from inspector.cli.archive import archive_opening, files_of_archive, report_bad, workers_of
from inspector.cli.asking import open_asked
from inspector.cli.categories import answer_by_category, categories_of_windows
from inspector.cli.failure import InputError
from inspector.cli.interruption import until_interrupted
from inspector.cli.known import known_choices
from inspector.cli.loading import named_failures, open_cache, progress_bar
from inspector.cli.recall import probes_for, probes_of_file
from inspector.cli.saved_scenario import read_of_archive, save_scenario
from inspector.cli.scenarios import scenario_from
from inspector.cli.usage import check_policies
from inspector.drawings.svg import svg
from inspector.figures import percentage
from inspector.tables import table_of_part

_SHOWN_FROM_CELLS, _SHOWN_FROM_FILES = 2_000, 20
_NOTICED_POINTS = 0.05


def recommend(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    probes_file: str | None,
    windows: tuple[int, ...] | None,
    reply: int,
    policy_names: tuple[str, ...] | None,
    workers: int | None,
    glob: str | None,
    by_category: bool,
    plot: str | None,
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector recommend` with the values of its options."""
    has_windows = bool(windows)
    if by_category and glob is not None:
        raise click.UsageError("--categories is about files that are opened together, without --glob")
    _check(Terms(windows or (), reply, policy_names))
    with named_failures():
        if glob is None:
            pipeline, scenario = open_asked(
                paths, scenario_file, settings, given, everywhere=True, guesses_model=has_windows
            )
            chats, asked = _opened(pipeline, scenario, probes_file)
        else:
            scenario = scenario_from(scenario_file, settings, given, guesses_model=has_windows)
            save_scenario(scenario, lambda: read_of_archive(scenario, scenario_file, paths, glob))
            chats, asked = _looked_through(paths, glob, scenario, probes_file, workers)
    terms = Terms(windows or _one(scenario.context_window), reply, policy_names)
    _check(terms)  # the window may be that of the scenario
    found = _searched(chats, scenario, asked, terms, workers)
    read = [*paths, *(name for name in (probes_file, scenario_file) if name)]
    if by_category:
        categories = categories_of_windows(chats.plain, found, asked.probes)
        answer_by_category(found, categories, plot, answer_format, read)
        return
    searched = Searched.of(chats.plain, scenario, found)
    picture = None if plot is None else Plot(plot, lambda: svg([front_drawing(found.windows)]), read)
    answer(searched, _telling(paths), answer_format, picture)


def _opened(pipeline: Pipeline, scenario: Scenario, probes_file: str | None) -> tuple[Chats, Asked]:
    """Return the files, opened together, with the questions about them."""
    return OpenChats(pipeline), asked_of([find_probes(pipeline, scenario, probes_for(pipeline, probes_file))])


def _looked_through(
    paths: Sequence[str], glob: str, scenario: Scenario, probes_file: str | None, workers: int | None
) -> tuple[Chats, Asked]:
    """Return the files of an archive, each searched separately for probes; bad files are listed."""
    files = files_of_archive(paths, glob, [probes_file] if probes_file else ())
    work = ProbesOfFiles(archive_opening(), scenario, probes_of_file(probes_file) if probes_file else ())
    steps = find_chats(work, files, workers_of(workers, None))
    last = FoundChats(0, len(files))
    with progress_bar("Looking for questions", _SHOWN_FROM_FILES) as advance, until_interrupted(steps) as made:
        for last in made:
            advance(last.done, last.total)
    report_bad(last.bad, len(files))
    assert last.chats is not None and last.asked is not None, "the last step has the result"  # noqa: PT018
    return last.chats, last.asked


def _searched(chats: Chats, scenario: Scenario, asked: Asked, terms: Terms, workers: int | None) -> Recommendation:
    """Return the complete recommendation. End the command if there is none."""
    if not asked.probes:
        raise InputError(f"none of the {len(asked.skipped)} questions can be asked: {reasons_of(asked.skipped)}")
    shown = progress_bar("Trying settings", _SHOWN_FROM_CELLS, in_lines=True)
    with named_failures(), measuring(len(asked.probes), workers) as executor, shown as advance:
        return _last(recommend_for(chats, scenario, asked, terms, open_cache(), executor), advance)


def _one(window: int | None) -> tuple[int, ...]:
    return () if window is None else (window,)


def _check(terms: Terms) -> None:
    """End the command for an unknown policy, or for a window without room beside the reply."""
    check_policies("--policies", terms.policies or ())
    for window in terms.windows:
        if window <= terms.reply:
            raise click.UsageError(f"--windows {window}: a reply of {terms.reply:,} tokens leaves nothing of it")


def _last(steps: Generator[Step, None, None], advance: Callable[..., None]) -> Recommendation:
    found = None
    with until_interrupted(steps) as made:
        for step in made:
            found = step.found
            advance(step.done, step.total)
    assert found is not None, "a search ends with its result"
    return found


def _setting_lines(found: Searched, paths: Sequence[str]) -> Iterator[str]:
    files = " ".join(map(shlex.quote, paths))
    for advice, (now, best, *_) in zip(found.windows, found.options, strict=True):
        if advice.changes:
            window = f"--set context_window={advice.context_window}"
            yield f"{advice.context_window:,}: prompt-inspector assemble {files} {window} {best}"
        else:
            yield f"{advice.context_window:,}: {now}"
        if advice.changes and advice.binds:
            yield f"  holds it back: {', '.join(advice.binds)}"
        if advice.current.fits < 1:
            fits = percentage(advice.current.fits)
            yield f"  the current setting leaves room for the reply in {fits} of the prompts"
        if retrieves_nothing(advice):
            yield f"  {RETRIEVES_NOTHING}"


def _closing_lines(searched: Searched, paths: Sequence[str]) -> Iterator[str]:
    yield from _setting_lines(searched, paths)
    found = searched.recommendation
    yield (
        f"{found.probes:,} questions; prompts leave {found.terms.reply:,} tokens for the reply, and a margin for "
        "prompts of other conversations:"
    )
    for advice in found.windows:
        cost = "no recall" if advice.margin_cost < _NOTICED_POINTS else f"{advice.margin_cost:.1f} points of recall"
        yield f"  {advice.context_window:,}: a margin of {percentage(advice.margin)} of the window costs {cost}"
    for advice in found.windows:
        yield from (f"{advice.context_window:,}: {sentence}" for sentence in limit_sentences(advice))
    if (number := enough(found.learning)) is not None and number < found.learning[-1].probes:
        yield f"About {number:,} questions would have chosen as well."
    yield from found.notes
    yield from (f"{one.id}: {one.reason}" for one in found.skipped)


def _headlines(searched: Searched) -> Iterator[str]:
    for place, advice in enumerate(searched.windows):
        yield f"{advice.context_window:,}: {headline(searched, place)}"


def _telling(read: Sequence[str]) -> Telling[Searched]:
    """Return how the answer about these files is written."""
    return Telling(
        [WINDOWS, table_of_part(POLICIES, all_policy_rows), table_of_part(SHORT_FRONTS, all_priced)],
        lambda searched: recommendation_value(searched.recommendation, known_choices().kind),
        above=_headlines,
        below=lambda searched: _closing_lines(searched, read),
        most=None,
        file=table_of_part(PRICED, all_priced),
    )
