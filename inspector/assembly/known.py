"""Knowledge about the texts of a workspace, collected so far. It grows; the needs are decided elsewhere."""

from inspector.assembly.marks import Marks
from inspector.assembly.relevance import DuplicateSearches
from inspector.assembly.summarizing import Summarizing
from inspector.growing import Growing
from inspector.retrieval.message_classes import MessageReader
from inspector.retrieval.vectors.choice import EmbedderChoice, choose_embedder
from inspector.retrieval.vectors.embedding import Embedder, EmbedderUnavailableError, TextVectors
from inspector.tokens.counting import TokenCounts
from inspector.tokens.tokenizer import Tokenizer


class Known(Growing):
    """Counts, vectors, summaries, readings and near-duplicates: made on any thread, shared by every fork of a pipeline.

    `version` goes up when values computed from texts turn out to be unavailable, or may be available again. `marks` are
    the user's marks on the items.
    """

    def __init__(self) -> None:
        super().__init__()
        self.summarizing = Summarizing()
        self.reader = MessageReader()
        self.duplicates = DuplicateSearches()
        self.marks = Marks()
        self._counts: dict[str, TokenCounts] = {}
        self._vectors: dict[str, TextVectors] = {}
        self._embedders: dict[str, EmbedderChoice] = {}

    def counts(self, tokenizer: Tokenizer) -> TokenCounts:
        """Return the counts made so far with a tokenizer."""
        known = self._counts.get(tokenizer.name)
        return self._counts.setdefault(tokenizer.name, TokenCounts(tokenizer)) if known is None else known

    def vectors(self, embedder: Embedder) -> TextVectors:
        """Return the vectors made so far by a model."""
        known = self._vectors.get(embedder.name)
        return self._vectors.setdefault(embedder.name, TextVectors(embedder)) if known is None else known

    def embedder(self, name: str) -> EmbedderChoice:
        """Return the model for a name, with the reason for the choice. Raise UnknownEmbedderError."""
        known = self._embedders.get(name)
        # Chosen without the lock, since it may load a model; a model given up meanwhile stays given up.
        return self._embedders.setdefault(name, choose_embedder(name)) if known is None else known

    def give_up_embedder(self, name: str, problem: EmbedderUnavailableError) -> None:
        """Compare words from now on, because the model `name` turned out to be unusable."""
        with self.growing():
            self._embedders[name] = EmbedderChoice(
                None, f"{name} cannot be had here ({problem}): words are compared instead."
            )
