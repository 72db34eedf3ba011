"""Pipelines over loaded workspaces, with the user's own models, presets and endpoint for summaries."""

from inspector.assembly.pipeline import Pipeline
from inspector.assembly.preset import Presets
from inspector.assembly.presets import load_presets
from inspector.formats import UnreadableError
from inspector.model import Problem, Workspace
from inspector.plugins import policies, tokenizers
from inspector.retrieval.summaries.settings import EndpointSettings, read_endpoint
from inspector.settings import own_models_file, own_presets_file, settings_file
from inspector.tokens.models.loading import load_models


class Pipelines:
    """Makes pipelines. `problem` tells why the settings file cannot be read, or is None."""

    def __init__(self) -> None:
        self._models = load_models(own_models_file())
        self._endpoint, self.problem = _endpoint()

    def make(self, workspace: Workspace, presets: Presets, like: Pipeline | None = None) -> Pipeline:
        """Return a pipeline over a workspace. It starts with everything `like` knows about texts."""
        pipeline = Pipeline(workspace, policies()[0], presets, self._models, tokenizers()[0])
        if like is not None:
            pipeline.known = like.known
        pipeline.known.summarizing.allow(self._endpoint)
        return pipeline


def offered_presets() -> Presets:
    """Return the shipped presets with the user's own, read now."""
    return load_presets(own_presets_file(), policies()[0])


def _endpoint() -> tuple[EndpointSettings | None, Problem | None]:
    """Return the user's endpoint for summaries, and the reason why the settings file cannot be read."""
    try:
        return read_endpoint(settings_file()), None
    except UnreadableError as error:
        return None, error.problem
