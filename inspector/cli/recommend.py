"""prompt-inspector recommend: the settings that hold most of what the answers to probes need, and how sure that is."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

import click

from inspector.analysis.recommend.advice import Recommendation, Step, WindowAdvice, recommend_for
from inspector.analysis.recommend.answer import recommendation_value
from inspector.analysis.recommend.blocks import Asked, asked_of, find_probes
from inspector.analysis.recommend.chats import Chats, FoundChats, OpenChats, ProbesOfFiles, find_chats
from inspector.analysis.recommend.drawings import front_drawing
from inspector.analysis.recommend.front import thinned
from inspector.analysis.recommend.learning import enough
from inspector.analysis.recommend.measure import measuring
from inspector.analysis.recommend.search import DEFAULT_REPLY, Terms
from inspector.analysis.recommend.settings import changed_parameters
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.cli import completion
from inspector.cli.archive import archive_opening, files_of_archive, glob_option, report_bad, workers_of
from inspector.cli.asking import found_in
from inspector.cli.categories import answer_by_category, categories_of_windows
from inspector.cli.failure import InputError
from inspector.cli.inspections import inspection_among
from inspector.cli.interruption import until_interrupted
from inspector.cli.loading import named_failures, open_cache, open_pipeline, progress_bar
from inspector.cli.options import Words, paths_argument, rows_format_option, scenario_from, scenario_options
from inspector.cli.output import print_csv, print_json, say
from inspector.cli.plots import plot_option, write_plot
from inspector.cli.recall import probes_for, probes_of_file, probes_option
from inspector.cli.sections import SectionedCommand
from inspector.cli.usage import check_policies
from inspector.drawings.svg import svg
from inspector.figures import dollars, percentage

_SHOWN_FROM_CELLS, _SHOWN_FROM_FILES = 2_000, 20
_SHOWN_POINTS = 5


@click.command(cls=SectionedCommand, short_help="Recommend the settings that keep most of what questions need.")
@paths_argument
@scenario_options
@probes_option
@click.option("--windows", type=Words("windows", click.IntRange(min=1)), metavar="A,B,…", help="Windows in tokens.")
@click.option(
    "--reply",
    type=click.IntRange(min=0),
    default=DEFAULT_REPLY,
    show_default=True,
    metavar="TOKENS",
    help="What a prompt must leave of the window.",
)
@click.option(
    "--policies",
    "policy_names",
    type=Words("policies", click.STRING),
    metavar="P,Q,…",
    shell_complete=completion.policy_lists,
    help="Try these only.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Worker processes; default: one for each core."
)
@glob_option
@click.option("--categories", "by_category", is_flag=True, help="Recall by category, now and with what is recommended.")
@plot_option
@rows_format_option
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
    """Search for the settings that hold most of the evidence of the probes of PATHS, or of --probes FILE.

    The current setting is what the options say. Each conversation is left out of the whole search once, and the gain is
    what the others choose gains on it; of one conversation, stretches of it are left out. Every prompt has to leave
    --reply tokens of its window. The plot is what recall costs; with --categories the answer is, for each window, what
    the current setting and the recommended one hold of what each kind of question needs. `recall --knob` has recall
    along a knob, and by two.

    With --glob, PATHS are an archive: each file is opened by itself, and bad ones are listed.
    """
    has_windows = bool(windows)
    scenario = scenario_from(scenario_file, settings, given, paths if glob is None else (), guesses_model=has_windows)
    terms = Terms(windows or _one(scenario.context_window), reply, policy_names)
    _check(terms)
    if by_category and glob is not None:
        raise click.UsageError("--categories is about files that are opened together, without --glob")
    with named_failures():
        if glob is None:
            pipeline = open_pipeline(paths)
            file = scenario_file or inspection_among(paths)
            scenario = found_in(pipeline, scenario, file, settings, given, everywhere=True)
            chats, asked = _opened(pipeline, scenario, probes_file)
        else:
            chats, asked = _looked_through(paths, glob, scenario, probes_file, workers)
    found = _searched(chats, scenario, asked, terms, workers)
    read = [*paths, *(name for name in (probes_file, scenario_file) if name)]
    if by_category:
        categories = categories_of_windows(chats.plain, found, asked.probes)
        answer_by_category(found, categories, plot, answer_format, read)
    elif plot is not None:
        write_plot(plot, svg([front_drawing(found.windows)]), lambda: _front_rows(chats.plain, found), read)
    elif answer_format == "json":
        print_json(recommendation_value(found))
    elif answer_format == "csv":
        print_csv(_front_rows(chats.plain, found))
    else:
        _print(chats.plain, found)


def _opened(pipeline: Pipeline, scenario: Scenario, probes_file: str | None) -> tuple[Chats, Asked]:
    """Files that are all opened at once, and what is asked about them."""
    return OpenChats(pipeline), asked_of([find_probes(pipeline, scenario, probes_for(pipeline, probes_file))])


def _looked_through(
    paths: Sequence[str], glob: str, scenario: Scenario, probes_file: str | None, workers: int | None
) -> tuple[Chats, Asked]:
    """The files of an archive, each looked through by itself; bad ones are listed."""
    files = files_of_archive(paths, glob, [probes_file] if probes_file else ())
    work = ProbesOfFiles(archive_opening(), scenario, probes_of_file(probes_file) if probes_file else ())
    steps = find_chats(work, files, workers_of(workers, None))
    last = FoundChats(0, len(files))
    with progress_bar("Looking for probes", _SHOWN_FROM_FILES) as advance, until_interrupted(steps) as made:
        for last in made:
            advance(last.done, last.total)
    report_bad(last.bad, len(files))
    assert last.chats is not None and last.asked is not None, "the last step says what was found"  # noqa: PT018
    return last.chats, last.asked


def _searched(chats: Chats, scenario: Scenario, asked: Asked, terms: Terms, workers: int | None) -> Recommendation:
    """The whole recommendation. Ends the command with one line where none can be made."""
    shown = progress_bar("Trying settings", _SHOWN_FROM_CELLS)
    with named_failures(), measuring(len(asked.probes), workers) as executor, shown as advance:
        try:
            return _last(recommend_for(chats, scenario, asked, terms, open_cache(), executor), advance)
        except ValueError as problem:
            raise InputError(f"none of the {len(asked.skipped)} probes can be asked: {problem}") from None


def _one(window: int | None) -> tuple[int, ...]:
    return () if window is None else (window,)


def _check(terms: Terms) -> None:
    """End the command with one line where a policy is none, or a window leaves nothing beside the reply."""
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
    assert found is not None, "a search ends with what it found"
    return found


def _print(pipeline: Pipeline, found: Recommendation) -> None:
    from inspector.cli.console import Console, Table

    titles = ("window", "now", "then", "gain", "interval", "better on", "fits", "not seen fit", "covered", "oracle")
    table = Table(*((title, ">") for title in titles), ("verdict", ""))
    for advice in found.windows:
        table.add_row(*_cells(advice), "change" if advice.changes else "keep")
    Console().print(table)
    for advice in found.windows:
        for line in _setting_lines(pipeline, advice):
            say(line)
    _print_fronts(pipeline, found)
    for line in _closing_lines(found):
        say(line)


def _cells(advice: WindowAdvice) -> list[str]:
    gains, interval, ceiling = advice.gains, advice.interval, advice.ceiling
    return [
        f"{advice.context_window:,}",
        percentage(advice.current.recall_with_memories),
        percentage(advice.best.recall_with_memories),
        "-" if advice.gain is None else f"{advice.gain:+.1f}",
        "-" if interval is None else f"{interval[0]:+.1f} to {interval[1]:+.1f}",
        f"{sum(each.gain > 0 for each in gains)} of {len(gains)}" if gains else "-",
        percentage(advice.best.fits),
        "-" if advice.held_out_fits is None else percentage(advice.held_out_fits),
        "-" if ceiling is None else percentage(ceiling.coverage),
        "-" if ceiling is None else percentage(ceiling.oracle),
    ]


def _print_fronts(pipeline: Pipeline, found: Recommendation) -> None:
    """For each window some points of its front: what less recall would save."""
    from inspector.cli.console import Console, Table

    titles = (
        ("window", ">"),
        ("recall", ">"),
        ("tokens", ">"),
        ("cost", ">"),
        ("the most recall for so many tokens", ""),
    )
    table = Table(*titles)
    for advice in found.windows:
        for place in thinned(len(advice.front), _SHOWN_POINTS).tolist():
            point = advice.front[place]
            words = described(pipeline, advice.current.scenario, point.scenario)
            figures = percentage(point.recall_with_memories), f"{point.tokens or 0:,.0f}", dollars(point.cost, True)
            table.add_row(f"{advice.context_window:,}", *figures, words)
    if table.row_count:
        Console().print(table)


def _front_rows(pipeline: Pipeline, found: Recommendation) -> Iterator[dict[str, Any]]:
    """What recall costs: for each window a row for the current setting, and one for each of its front."""
    for advice in found.windows:
        for point in (advice.current, *advice.front):
            yield {
                "context_window": advice.context_window,
                "recall": point.recall,
                "recall_with_memories": point.recall_with_memories,
                "tokens": point.tokens,
                "cost": point.cost,
                "setting": described(pipeline, advice.current.scenario, point.scenario),
            }


def _setting_lines(pipeline: Pipeline, advice: WindowAdvice) -> Iterator[str]:
    chosen = advice.best if advice.changes else advice.current
    yield f"{advice.context_window:,}: {described(pipeline, advice.current.scenario, chosen.scenario)}"
    if advice.changes and advice.binds:
        yield f"  what makes the difference: {', '.join(advice.binds)}"
    if advice.current.fits < 1:
        yield f"  the current setting leaves room for the reply in {percentage(advice.current.fits)} of the prompts"


def described(pipeline: Pipeline, current: Scenario, setting: Scenario) -> str:
    """A setting as the options that make it of the current one; `keep the current setting` where there are none."""
    setting = replace(setting, context_window=current.context_window)
    if setting == current:
        return "keep the current setting"
    words = [f"--policy {setting.policy or DEFAULT_POLICY}"]
    words += [f"--preset {setting.preset}"] if setting.preset else []
    words += [f"--similarity {setting.similarity}"] if setting.similarity != current.similarity else []
    changed = changed_parameters(pipeline, current, setting)
    words += [f"--set {name}={_value(value)}" for name, value in setting.parameters.items() if name in changed]
    return " ".join(words)


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).lower() if isinstance(value, bool) else str(value)


def _closing_lines(found: Recommendation) -> Iterator[str]:
    yield (
        f"{found.probes:,} probes; prompts leave {found.terms.reply:,} tokens for the reply, with a margin of "
        f"{percentage(found.margin)} of the window."
    )
    if (number := enough(found.learning)) is not None and number < found.learning[-1].probes:
        yield f"About {number:,} probes would have chosen as well."
    yield from found.notes
    yield from (f"{one.id}: {one.reason}" for one in found.skipped)
