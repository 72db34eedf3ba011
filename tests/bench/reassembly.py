"""One reassembly of 10,000 messages against langchain-core's trim_messages on the same messages."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import tiktoken
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, trim_messages
from langchain_core.messages.utils import count_tokens_approximately

from inspector.assembly.lacking import missing_texts
from inspector.assembly.scenario import Scenario
from inspector.tokens.choice import load_tokenizer
from tests.bench.measure import Row, median_of
from tests.bench.texts import pipeline_of, workspace_of

MESSAGES = 10_000
WINDOW = 128_000


def rows() -> Iterator[Row]:
    """Ours with full decisions and exact counts cached, against both counters of theirs."""
    workspace = workspace_of(MESSAGES)
    pipeline = pipeline_of(workspace)
    scenario = Scenario(context_window=WINDOW)
    texts = missing_texts(pipeline, pipeline.case(scenario))
    tokenizer = pipeline.case(scenario).model.tokenizer.tokenizer
    counts = pipeline.known.counts(tokenizer)
    counts.add(counts.places(texts), np.asarray(tokenizer.count(texts)))
    shares = np.linspace(0.30, 0.34, 400).tolist()
    steps = iter(
        [replace(scenario, parameters={"memory_share": share, "reserve_share": 0.6 - share}) for share in shares]
    )

    def reassemble() -> None:
        pipeline.assemble(pipeline.case(next(steps)))

    reassemble()
    ours = median_of(reassemble, 300)
    load_tokenizer("tiktoken:o200k_base").count([""])  # from here on tiktoken finds its vocabulary without a network
    encode = tiktoken.get_encoding("o200k_base").encode_ordinary
    kinds = {"user": HumanMessage, "assistant": AIMessage}
    said = workspace.conversations[0].messages
    chat: list[BaseMessage] = [SystemMessage(workspace.characters[0].system_prompt)]
    chat += [kinds[message.role](message.content) for message in said]
    limit = int(WINDOW * 0.4)

    def count(messages: list[BaseMessage]) -> int:
        """OpenAI's published rule: 3 a message, its role and its content, 3 for the reply."""
        return 3 + sum(3 + len(encode(message.type)) + len(encode(str(message.content))) for message in messages)

    trim_messages(chat[:50], max_tokens=1000, token_counter=count, include_system=True)
    exact = median_of(
        lambda: trim_messages(chat, max_tokens=limit, token_counter=count, include_system=True, strategy="last"), 3
    )
    rough = median_of(
        lambda: trim_messages(chat, max_tokens=limit, token_counter=count_tokens_approximately, include_system=True), 3
    )
    what = f"reassembly, {MESSAGES:,} messages, all decisions"
    yield Row(what, ours, "trim_messages, tiktoken counter", exact, at_least=1000)
    yield Row(what, ours, "trim_messages, approximate counter", rough, at_least=20)
