"""Archives with the user's own models, presets and plug-ins, shared by the command line and the Python interface."""

import hashlib
from collections.abc import Generator, Sequence
from typing import Any

from inspector.analysis.archive.chats import Opening
from inspector.analysis.archive.files import ArchiveFile
from inspector.analysis.archive.parts import fingerprint
from inspector.analysis.archive.rows import SweepOfFiles
from inspector.analysis.archive.sweep import Step, sweep_archive
from inspector.analysis.archive.workers import Begin
from inspector.analysis.sweep.grid import Grid
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.formats.settings import read_opening_bytes
from inspector.model import Probe, Problem
from inspector.plugins import formats, plugin_problems, policies, tokenizers
from inspector.settings import own_files, own_models_file, own_presets_file, settings_file
from inspector.tokens.models.loading import load_models


def own_opening() -> tuple[Opening, tuple[Problem, ...]]:
    """Return the opening with the user's plug-ins, models and presets, and the problems found in them."""
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
    reply: int | None = None,
    opened: Sequence[str] = (),
    anew: bool = False,
) -> Generator[Step, None, None]:
    """Sweep these files into a file of rows, each by itself; finished parts are kept under a key of all their inputs.

    The key includes `version`, the program's version. `opened` are further files that must not be overwritten. Raise
    the errors of `inspector.analysis.archive.sweep`.
    """
    settings: dict[str, Any] = {
        "version": version,
        "scenario": scenario_value(scenario, None),
        "grid": [[key, list(values)] for key, values in grid.items()],
        "measured": measured,
        "reply": reply,
        "probes": fingerprint({"probes": list(map(repr, probes))}),
        "policies": sorted(opening.policies),
        "tokenizers": sorted(opening.tokenizers),
        "formats": [one.name for one in opening.formats or ()],
        **_own_files_told(),
    }
    work = SweepOfFiles(opening, scenario, grid, measured, tuple(probes), reply=reply)
    return sweep_archive(work, files, begin, out, settings, opened, anew=anew)


def _own_files_told() -> dict[str, str | None]:
    """Return a fingerprint, by name, of each file of the user on which rows depend."""
    files = own_files()
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else None for file in files}
