"""Archives with a person's own models, presets and plug-ins: what the command line and Python both begin with."""

import hashlib
from collections.abc import Generator, Sequence
from typing import Any

from inspector.analysis.archive.chats import Opening
from inspector.analysis.archive.files import ArchiveFile
from inspector.analysis.archive.parts import fingerprint
from inspector.analysis.archive.rows import SweepOfFiles
from inspector.analysis.archive.sweep import Step, sweep_archive
from inspector.analysis.archive.workers import Begin
from inspector.analysis.grid import Grid
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.formats.settings import read_opening_bytes
from inspector.model import Probe, Problem
from inspector.plugins import formats, plugin_problems, policies, tokenizers
from inspector.settings import own_files, own_models_file, own_presets_file, settings_file
from inspector.tokens.models.loading import load_models


def own_opening() -> tuple[Opening, tuple[Problem, ...]]:
    """What files are opened and assembled with: with plug-ins, and the person's own models and presets.

    And what is wrong with these.
    """
    presets, models = load_presets(own_presets_file(), policies()[0]), load_models(own_models_file())
    allowed, problems = read_opening_bytes(settings_file())
    opening = Opening(policies()[0], presets, models, tokenizers()[0], formats()[0], allowed)
    return opening, (*plugin_problems(), *presets.problems, *models.problems, *problems)


def sweep_files(
    opening: Opening,
    files: Sequence[ArchiveFile],
    scenario: Scenario,
    grid: Grid,
    out: str,
    begin: Begin,
    *,
    version: str,
    measured: bool = False,
    probes: Sequence[Probe] = (),
    opened: Sequence[str] = (),
    anew: bool = False,
) -> Generator[Step, None, None]:
    """Sweep these files into a file of rows, each by itself; what was made is kept under all that rows depend on.

    `version`, that of the program, is among these. `opened` are more files that nothing is written over. Raises what
    `inspector.analysis.archive.sweep` raises.
    """
    settings: dict[str, Any] = {
        "version": version,
        "scenario": scenario_value(scenario),
        "grid": [[key, list(values)] for key, values in grid.items()],
        "measured": measured,
        "probes": fingerprint({"probes": list(map(repr, probes))}),
        "policies": sorted(opening.policies),
        "tokenizers": sorted(opening.tokenizers),
        "formats": [one.name for one in opening.formats or ()],
        **_own_files_told(),
    }
    work = SweepOfFiles(opening, scenario, grid, measured, tuple(probes))
    return sweep_archive(work, files, begin, out, settings, opened, anew=anew)


def _own_files_told() -> dict[str, str | None]:
    """A fingerprint of the person's own files that rows depend on, by their names."""
    files = own_files()
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else None for file in files}
