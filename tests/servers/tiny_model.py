"""A model file small enough to be made for a test: random weights, a vocabulary of a few hundred tokens, a template.

`python tiny_model.py FILE` writes it as GGUF. It runs in the environment of `make servers`, which has the package gguf;
its vocabulary is byte-level BPE, learned from the few sentences below.
"""

import sys
from collections import Counter
from itertools import pairwise

CONTEXT_LENGTH = 4096
SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
MERGES = 200
WIDTH, HEADS, HIDDEN = 64, 4, 128
SENTENCES = (
    "The harbour light was out, and nobody in the town had noticed that the tide had turned an hour ago. "
    "She asked what they had seen there, and he told her about the reef, the ship and the light at dawn. "
    "system user assistant The assistant answers the user, and the user thanks the assistant for the answer. "
)


def letters() -> dict[int, str]:
    """The printable character that stands for each byte in a byte-level vocabulary, as GPT-2 has it."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + place) for place, byte in enumerate(others)}


def learned_merges(text: str, count: int) -> list[tuple[str, str]]:
    """The pairs that byte pair encoding joins first in the words of a text."""
    known = letters()
    words = Counter(tuple(known[byte] for byte in f" {word}".encode()) for word in text.split())
    merges: list[tuple[str, str]] = []
    for _ in range(count):
        pairs: Counter[tuple[str, str]] = Counter()
        for word, times in words.items():
            for pair in pairwise(word):
                pairs[pair] += times
        best = min(pairs, key=lambda pair: (-pairs[pair], pair), default=None)
        if best is None:
            break
        merges.append(best)
        words = Counter({_joined(word, best): times for word, times in words.items()})
    return merges


def _joined(word: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    made: list[str] = []
    for piece in word:
        if made and (made[-1], piece) == pair:
            made[-1] += piece
        else:
            made.append(piece)
    return tuple(made)


def write_model(path: str) -> None:
    """Write the model as a GGUF file."""
    import gguf  # type: ignore[import-not-found]

    merges = learned_merges(SENTENCES, MERGES)
    tokens = [*letters().values(), *dict.fromkeys("".join(pair) for pair in merges), *SPECIALS]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT_LENGTH)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token in SPECIALS else 1 for token in tokens])
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    _add_weights(writer, len(tokens))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_weights(writer: object, vocabulary: int) -> None:
    import numpy as np

    random = np.random.default_rng(0)
    square, wide = (WIDTH, WIDTH), (HIDDEN, WIDTH)
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (vocabulary, WIDTH),
        "output_norm.weight": (WIDTH,),
        "output.weight": (vocabulary, WIDTH),
        "blk.0.attn_norm.weight": (WIDTH,),
        **{f"blk.0.attn_{name}.weight": square for name in ("q", "k", "v", "output")},
        "blk.0.ffn_norm.weight": (WIDTH,),
        "blk.0.ffn_gate.weight": wide,
        "blk.0.ffn_up.weight": wide,
        "blk.0.ffn_down.weight": (WIDTH, HIDDEN),
    }
    for name, shape in shapes.items():
        writer.add_tensor(name, random.normal(0, 0.02, shape).astype(np.float32))  # type: ignore[attr-defined]


if __name__ == "__main__":
    write_model(sys.argv[1])
