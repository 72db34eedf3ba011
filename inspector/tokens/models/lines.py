"""The lines of models that share a vocabulary and a chat format, declared once: a new row of the table gets both here.

The first line whose pattern matches the beginning of a name holds. A line says `own` only where the vocabulary was
compared with the maker's, or the maker names it: OpenAI's tiktoken for gpt-3.5 to gpt-5.x, Google's SDK for Gemini up
to 3.5, and the repositories of open models. A later version counts with the vocabulary of the line as a stand-in.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from inspector.tokens.models.names import spellings

OWN_FILES = "hf"
"""The tokenizer of a line whose models bring their own files: the repository of each, where it is known."""
NO_VOCABULARY = "standin:unknown"


@dataclass(frozen=True, slots=True)
class Line:
    """Models of a maker that are written and counted alike.

    `begins` matches the beginning of their names, without hosts and makers. `tokenizer` counts for them; it is `own`
    if it is theirs. Those with the tokenizer `hf` are counted by the files of their own repository, and by `stand_in`
    where these are not known. `is_open` says that the weights are published, so that others quantise and upload them.
    """

    begins: str
    maker: str
    family: str
    tokenizer: str
    chat_format: str = "chatml"
    own: bool = False
    is_open: bool = False
    stand_in: str = NO_VOCABULARY


def _own(begins: str, maker: str, family: str, tokenizer: str, chat_format: str = "chatml") -> Line:
    """Return a line of open models that are counted by their own vocabulary, which is here."""
    return Line(begins, maker, family, tokenizer, chat_format, True, True)


def _alike(begins: str, maker: str, family: str, tokenizer: str, chat_format: str = "chatml") -> Line:
    """Return a line of open models that are counted by the vocabulary of a related one."""
    return Line(begins, maker, family, tokenizer, chat_format, False, True)


def _open(begins: str, maker: str, family: str, stand_in: str = NO_VOCABULARY, chat_format: str = "chatml") -> Line:
    """Return a line of open models that bring their own files."""
    return Line(begins, maker, family, OWN_FILES, chat_format, True, True, stand_in)


_O200K, _CL100K = "embedded:o200k_base", "embedded:cl100k_base"
_TEKKEN = ("embedded:mistral_v3", "mistral_tekken")

LINES: tuple[Line, ...] = (
    # OpenAI. tiktoken's model.py names the vocabularies up to gpt-5, with every name that begins so.
    _own(r"gpt-oss", "OpenAI", "gpt-oss", "embedded:gpt-oss", "harmony"),
    Line(r"gpt-3\.?5", "OpenAI", "gpt-3.5", _CL100K, "openai", True),
    Line(r"(?:chat)?gpt-?4o", "OpenAI", "gpt-4o", _O200K, "openai", True),
    Line(r"gpt-4\.1", "OpenAI", "gpt-4.1", _O200K, "openai", True),
    Line(r"gpt-4\.5", "OpenAI", "gpt-4.5", _O200K, "openai", True),
    Line(r"gpt-4(?![\d.])", "OpenAI", "gpt-4", _CL100K, "openai", True),
    Line(r"gpt-5(?!\d)", "OpenAI", "gpt-5", _O200K, "openai", True),
    Line(r"o[134](?![\d.])|codex-mini", "OpenAI", "o-series", _O200K, "openai", True),
    Line(r"gpt-6(?!\d)", "OpenAI", "gpt-6", _O200K, "openai"),
    Line(r"(?:chat)?gpt-|o\d+(?![a-z\d])|codex-|chat-latest|computer-use|daybreak", "OpenAI", "gpt", _O200K, "openai"),
    # Anthropic publishes no vocabulary since Claude 2. ctok says which share one: Claude 3 to 4.6, 4.7, and 4.8 with
    # Sonnet 5 and Fable 5. Of later ones nothing is known: the last is assumed, as Claude 3's is for Claude 2.
    Line(
        r"claude-(?:instant|v?[123](?!\d)|(?:[a-z]+-)?(?:[123](?!\d)|4(?:[.-][0-6](?!\d)|[.-]\d{6,}|(?![.-]?\d))))",
        *("Anthropic", "claude", "reconstructed:claude-v3", "claude_v3"),
    ),
    Line(r"claude-(?:[a-z]+-)?4[.-]7(?!\d)", "Anthropic", "claude", "reconstructed:claude-v4.7", "claude_v4.7"),
    Line(
        r"claude-(?:[a-z]+-)?(?:4[.-]8(?!\d)|5(?:[.-]\d{6,}|(?![.-]?\d)))",
        *("Anthropic", "claude", "reconstructed:claude-v4.8", "claude_v4.8"),
    ),
    Line(r"claude", "Anthropic", "claude", "reconstructed:claude-later", "claude_v4.8"),
    # Google. The SDK counts with Gemma 3's vocabulary up to 3, with Gemma 4's for 3.1 and 3.5.
    Line(r"gemini-(?:2\.[05]-(?:flash|pro)|3-)", "Google", "gemini", "embedded:gemma3", "gemini", True),
    Line(r"gemini-3\.[15]-", "Google", "gemini", "embedded:gemma4", "gemini", True),
    Line(r"gemini-[12]\.|gemini-exp|learnlm", "Google", "gemini", "embedded:gemma3", "gemini"),
    Line(r"gemini", "Google", "gemini", "embedded:gemma4", "gemini"),
    _own(r"gemma-?4", "Google", "gemma4", "embedded:gemma4", "gemma4"),
    _alike(r"gemma-?3n", "Google", "gemma3n", "embedded:gemma3", "gemma"),
    _own(r"gemma-?3(?![\d.])", "Google", "gemma3", "embedded:gemma3", "gemma"),
    _own(r"gemma-?2", "Google", "gemma2", "embedded:gemma2", "gemma2"),
    _alike(r"gemma", "Google", "gemma", "embedded:gemma4", "gemma4"),
    # xAI publishes no vocabulary since Grok 1.
    Line(r"grok", "xAI", "grok", "standin:grok"),
    # DeepSeek. Models of others that were trained on R1's answers keep the vocabulary of their own line.
    _alike(r"deepseek-r1-distill-llama", "DeepSeek", "llama-distill", "embedded:llama3.1", "deepseek_r1"),
    _alike(r"deepseek-r1-distill-qwen", "DeepSeek", "qwen-distill", "embedded:qwen2.5", "deepseek_r1"),
    _alike(r"deepseek-r1-0528-qwen3", "DeepSeek", "qwen-distill", "embedded:qwen3", "deepseek_r1"),
    _own(r"deepseek-r1", "DeepSeek", "deepseek-r1", "embedded:deepseek_r1", "deepseek_r1"),
    _own(r"deepseek-(?:chat-)?v3\.1", "DeepSeek", "deepseek-v3.1", "embedded:deepseek_r1", "deepseek_v3.1"),
    _own(r"deepseek-(?:chat-)?v3\.2", "DeepSeek", "deepseek-v3.2", "embedded:deepseek_r1", "deepseek_v3.2"),
    _own(r"deepseek-(?:chat-)?v3(?![\d.])", "DeepSeek", "deepseek-v3", "embedded:deepseek_v3", "deepseek_v3"),
    _open(r"deepseek-v4", "DeepSeek", "deepseek-v4", "hf:deepseek-ai/DeepSeek-V4-Pro", "deepseek_v4"),
    # The names of its API, which mean the newest model.
    Line(
        r"deepseek-(?:chat|reasoner|flash)",
        *("DeepSeek", "deepseek-v4", "hf:deepseek-ai/DeepSeek-V4-Flash", "deepseek_v4"),
    ),
    _alike(r"deepseek-math-v2", "DeepSeek", "deepseek-math", "embedded:deepseek_r1", "deepseek_v3"),
    _alike(r"deepseek-(?:math|prover|vl)", "DeepSeek", "deepseek", "embedded:deepseek_v3", "deepseek_v3"),
    _open(r"deepseek", "DeepSeek", "deepseek", "hf:deepseek-ai/DeepSeek-V4-Pro"),
    # Alibaba. Plus, max, flash and turbo are not published.
    _own(r"qwen2\.5-vl|qwen2\.5vl", "Alibaba", "qwen2.5-vl", "embedded:qwen2.5", "qwen2"),
    _own(r"qwen-?2\.5", "Alibaba", "qwen2.5", "embedded:qwen2.5", "qwen2.5"),
    _own(r"qwen-?2(?![\d.])", "Alibaba", "qwen2", "embedded:qwen2", "qwen2"),
    _alike(r"q[wv]q-.*preview", "Alibaba", "qwq-preview", "embedded:qwen2.5", "qwen2.5"),
    _own(r"qwq-\d", "Alibaba", "qwq", "embedded:qwen3", "qwq"),
    Line(r"qwq", "Alibaba", "qwq", "embedded:qwen3", "qwq"),
    Line(r"qvq", "Alibaba", "qwen", "embedded:qwen2.5", "qwen2.5"),
    _own(r"qwen-?3-.*2507", "Alibaba", "qwen3-2507", "embedded:qwen3", "qwen3_2507"),
    Line(r"qwen-?3-max", "Alibaba", "qwen3-max", "embedded:qwen3", "qwen3"),
    Line(r"qwen-?3-coder-(?:plus|flash)", "Alibaba", "qwen3-coder", "embedded:qwen3", "qwen3"),
    Line(r"qwen-?3-vl-(?:plus|flash)", "Alibaba", "qwen3-vl", "embedded:qwen3", "qwen3"),
    _own(r"qwen-?3-coder", "Alibaba", "qwen3-coder", "embedded:qwen3", "qwen3"),
    _own(r"qwen-?3-next", "Alibaba", "qwen3-next", "embedded:qwen3", "qwen3"),
    _own(r"qwen-?3-vl", "Alibaba", "qwen3-vl", "embedded:qwen3", "qwen3"),
    _own(r"qwen-?3(?![\d.])", "Alibaba", "qwen3", "embedded:qwen3", "qwen3"),
    _open(r"qwen-?3\.5-\d", "Alibaba", "qwen3.5", "hf:Qwen/Qwen3.5-397B-A17B", "qwen3.5"),
    _open(r"qwen-?3\.\d+-\d", "Alibaba", "qwen3.6", "hf:Qwen/Qwen3.6-35B-A3B", "qwen3.5"),
    Line(r"qwen-?3\.\d+", "Alibaba", "qwen3.6", "hf:Qwen/Qwen3.6-35B-A3B", "qwen3.5"),
    Line(r"qwen-(?:plus|flash|turbo|deep|doc|coder)", "Alibaba", "qwen", "embedded:qwen3", "qwen3"),
    Line(r"qwen-(?:max|long|vl|math|mt)", "Alibaba", "qwen", "embedded:qwen2.5", "qwen2.5"),
    _alike(r"qwen", "Alibaba", "qwen", "hf:Qwen/Qwen3.6-35B-A3B"),
    # Meta.
    _alike(r"llama-?3\.3-nemotron", "NVIDIA", "llama3.3-nemotron", "embedded:llama3.3", "llama3"),
    _alike(r"llama-?3\.1-nemotron-ultra", "NVIDIA", "llama3.1-nemotron", "embedded:llama3.1", "llama3"),
    _alike(r"llama-?3\.1-nemotron", "NVIDIA", "llama3.1-nemotron", "embedded:llama3.1", "llama3.1"),
    _own(r"llama-?3[.-]3(?![\d.b])", "Meta", "llama3.3", "embedded:llama3.3", "llama3.1"),
    _own(r"llama-?3[.-]2(?![\d.b])", "Meta", "llama3.2", "embedded:llama3.2", "llama3.1"),
    _own(r"llama-?3[.-]1(?![\d.b])", "Meta", "llama3.1", "embedded:llama3.1", "llama3.1"),
    _own(r"llama-?3(?![\d.])", "Meta", "llama3", "embedded:llama3", "llama3"),
    _own(r"llama-?2(?![\d.])", "Meta", "llama2", "embedded:llama2", "llama2"),
    _alike(r"llama-guard-3", "Meta", "llama-guard", "embedded:llama3.1", "llama3.1"),
    _alike(r"codellama-70b", "Meta", "codellama", "embedded:codellama"),
    _own(r"codellama", "Meta", "codellama", "embedded:codellama", "llama2"),
    _open(r"llama-?4|llama-guard-4", "Meta", "llama4", "embedded:llama3.3"),
    _alike(r"llama", "Meta", "llama", "embedded:llama3.3", "llama3.1"),
    _alike(r"muse-(?:glimmer|.*open)", "Meta", "muse", NO_VOCABULARY),
    Line(r"muse", "Meta", "muse", NO_VOCABULARY),
    # Mistral. Its own library names Tekken for all models since Nemo.
    Line(r"mistral-nemotron", "NVIDIA", "mistral", *_TEKKEN),
    _own(r"mistral-nemo|open-mistral-nemo", "Mistral AI", "mistral-nemo", *_TEKKEN),
    _own(r"mistral-7b(?:-instruct)?-v0\.[12]", "Mistral AI", "mistral-7b", "embedded:mistral_v1", "mistral_v1"),
    _own(r"(?:open-)?mistral-7b", "Mistral AI", "mistral-7b", "embedded:mistral_v2", "mistral_v3"),
    _alike(r"(?:open-)?mixtral-8x22b", "Mistral AI", "mixtral-8x22b", "embedded:mistral_v2", "mistral_v3"),
    _own(r"(?:open-)?mixtral", "Mistral AI", "mixtral", "embedded:mistral_v1", "mistral_v1"),
    _alike(r"codestral-(?:mamba|22b|2405)|mathstral", "Mistral AI", "mistral", "embedded:mistral_v2", "mistral_v3"),
    _alike(
        r"mistral-large-2(?:402|407|411)|pixtral-large", "Mistral AI", "mistral", "embedded:mistral_v2", "mistral_v3"
    ),
    Line(r"mistral-tiny", "Mistral AI", "mistral", "embedded:mistral_v1", "mistral_v1"),
    _alike(
        r"(?:mini|magi|dev)stral|pixtral|voxtral|labs-(?:dev|lean)stral|leanstral", "Mistral AI", "mistral", *_TEKKEN
    ),
    _alike(r"mistral-(?:large|small)", "Mistral AI", "mistral", *_TEKKEN),
    Line(r"mistral|codestral", "Mistral AI", "mistral", *_TEKKEN),
    # Z.ai.
    _own(r"glm-4\.5(?:-air)?(?![\w.-])", "Z.ai", "glm4.5", "embedded:glm4.5", "glm4.5"),
    _own(r"glm-4\.5v(?![\w.])", "Z.ai", "glm4.5v", "embedded:glm4.5", "glm4.5v"),
    _alike(r"glm-4\.5", "Z.ai", "glm4.5", "embedded:glm4.5", "glm4.5"),
    _alike(r"glm-4\.6v", "Z.ai", "glm-4.6", "embedded:glm4.5", "glm4.5v"),
    _alike(r"glm-4\.6", "Z.ai", "glm-4.6", "embedded:glm4.5", "glm4.5"),
    _open(r"glm-4\.7", "Z.ai", "glm-4.7", "embedded:glm4.5", "glm4.7"),
    _own(r"glm-?4-9b(?:-chat)?(?![\w.-])", "Z.ai", "glm4", "embedded:glm4", "glm4"),
    _alike(r"glm-(?:4|z1)", "Z.ai", "glm4", "embedded:glm4", "glm4"),
    _open(r"glm-5(?![\d.])", "Z.ai", "glm-5", "embedded:glm4.5", "glm4.7"),
    _open(r"glm-5\.1(?![\d.])", "Z.ai", "glm-5", "embedded:glm4.5", "glm5.1"),
    _open(r"glm-5\.2(?![\d.])", "Z.ai", "glm-5", "embedded:glm4.5", "glm5.2"),
    _open(r"glm", "Z.ai", "glm-5", "embedded:glm4.5", "glm5.2"),
    # Moonshot.
    _own(r"kimi-k2-thinking", "Moonshot AI", "kimi-k2-thinking", "embedded:kimi_k2", "kimi_k2_thinking"),
    _own(r"kimi-k2(?:\.[56])?(?![\d.])", "Moonshot AI", "kimi-k2", "embedded:kimi_k2", "kimi_k2"),
    _alike(r"kimi-k2\.", "Moonshot AI", "kimi-k2", "embedded:kimi_k2", "kimi_k2"),
    _own(r"kimi-k3(?![\d.])", "Moonshot AI", "kimi-k3", "embedded:kimi_k3", "kimi_k3"),
    _alike(r"kimi-thinking", "Moonshot AI", "kimi", "embedded:kimi_k2", "kimi_k2"),
    _alike(r"kimi-dev", "Moonshot AI", "qwen2.5", "embedded:qwen2.5"),
    _alike(r"kimi", "Moonshot AI", "kimi-k3", "embedded:kimi_k3", "kimi_k3"),
    Line(r"moonshot-v1", "Moonshot AI", "moonshot", "embedded:kimi_k2", "kimi_k2"),
    # Others with vocabularies here.
    _open(r"phi-4-(?:mini|multimodal)", "Microsoft", "phi4-mini", _O200K),
    _alike(r"phi-4-reasoning", "Microsoft", "phi4-reasoning", "embedded:phi4", "phi4"),
    _own(r"phi-?4(?![\d.])", "Microsoft", "phi4", "embedded:phi4", "phi4"),
    _alike(r"phi-3-small", "Microsoft", "phi3-small", _CL100K),
    _alike(r"phi-?3", "Microsoft", "phi3", "embedded:llama2"),
    _alike(r"phi", "Microsoft", "phi4", "embedded:phi4", "phi4"),
    _alike(r"mai-ds-r1", "Microsoft", "deepseek-r1-mai", "embedded:deepseek_r1", "deepseek_r1"),
    _alike(r"wizardlm", "Microsoft", "mixtral-8x22b", "embedded:mistral_v2"),
    _own(r"olmo-?2", "Ai2", "olmo2", "embedded:olmo2", "olmo2"),
    _open(r"olmo", "Ai2", "olmo3", "embedded:olmo2"),
    _open(r"molmo", "Ai2", "molmo", "embedded:qwen3"),
    _alike(r"(?:nous-)?hermes-4-14b", "Nous Research", "hermes-qwen", "embedded:qwen3"),
    _alike(r"(?:nous-)?hermes-4", "Nous Research", "hermes", "embedded:llama3.1", "llama3"),
    _alike(r"(?:nous-)?hermes-[34]", "Nous Research", "hermes", "embedded:llama3.1"),
    _alike(r"(?:nous-|deep)?hermes.*llama-3", "Nous Research", "hermes", "embedded:llama3"),
    _alike(r"(?:nous-|deep)?hermes-3-mistral", "Nous Research", "hermes-mistral", "embedded:mistral_v3"),
    _alike(r"(?:nous-|deep)?hermes", "Nous Research", "hermes-mistral", "embedded:mistral_v1"),
    # Others that bring their own files.
    _open(r"minimax-m2", "MiniMax", "minimax", "hf:MiniMaxAI/MiniMax-M2.7", "minimax_m2"),
    _open(r"minimax-m3", "MiniMax", "minimax", "hf:MiniMaxAI/MiniMax-M3", "minimax_m3"),
    _open(r"minimax", "MiniMax", "minimax", "hf:MiniMaxAI/MiniMax-M2.7"),
    _alike(r"openreasoning-nemotron", "NVIDIA", "qwen2.5", "embedded:qwen2.5"),
    _alike(r"nemotron-mini", "NVIDIA", "nemotron-mini", NO_VOCABULARY),
    _open(r"nvidia-nemotron|nemotron", "NVIDIA", "nemotron"),
    _open(r"mimo", "Xiaomi", "mimo", "hf:XiaomiMiMo/MiMo-V2-Flash"),
    _open(r"granite", "IBM", "granite"),
    _open(r"(?:ling|ring)-", "InclusionAI", "ling"),
    _open(r"exaone", "LG AI Research", "exaone"),
    _open(r"ernie-4\.5-\d|ernie-4\.5-vl", "Baidu", "ernie"),
    _open(r"seed-oss", "ByteDance", "seed-oss"),
    _alike(r"ui-tars", "ByteDance", "ui-tars", "embedded:qwen2.5"),
    _open(r"command-r", "Cohere", "command-r"),
    _open(r"c4ai-aya|aya", "Cohere", "aya"),
    _open(r"internlm", "Shanghai AI Lab", "internlm"),
    _open(r"yi-\d", "01.AI", "yi"),
    _open(r"falcon", "TII", "falcon"),
    _open(r"reka-flash", "Reka", "reka"),
    _open(r"lfm", "Liquid AI", "lfm"),
    _open(r"trinity", "Arcee AI", "trinity"),
    _open(r"longcat", "Meituan", "longcat"),
    _open(r"sarvam", "Sarvam AI", "sarvam"),
    _open(r"cogito", "Deep Cogito", "cogito"),
    _open(r"intellect", "Prime Intellect", "intellect"),
    _open(r"rnj", "Essential AI", "rnj"),
    _open(r"baichuan-", "Baichuan", "baichuan"),
    _open(r"stablelm", "Stability AI", "stablelm"),
    _open(r"smollm", "Hugging Face", "smollm"),
    _open(r"step-?3", "StepFun", "step"),
    _open(r"hunyuan-(?:a|mt)", "Tencent", "hunyuan"),
    _alike(r"solar-10\.7b", "Upstage", "solar", "embedded:llama2"),
    _alike(r"dbrx", "Databricks", "dbrx", _CL100K),
    _alike(r"(?:virtuoso|coder|maestro)-", "Arcee AI", "qwen2.5", "embedded:qwen2.5"),
    _alike(r"tongyi-deepresearch", "Alibaba", "qwen3-deepresearch", "embedded:qwen3", "qwen3"),
    # Makers that publish neither vocabulary nor format.
    Line(r"nova-", "Amazon", "nova", NO_VOCABULARY),
    Line(r"ernie", "Baidu", "ernie", NO_VOCABULARY),
    Line(r"doubao|seed", "ByteDance", "seed", NO_VOCABULARY),
    Line(r"command", "Cohere", "command-a", NO_VOCABULARY),
    _alike(r"jamba", "AI21", "jamba", NO_VOCABULARY),
    Line(r"sonar", "Perplexity", "sonar", NO_VOCABULARY),
    Line(r"yi-", "01.AI", "yi", NO_VOCABULARY),
    Line(r"reka", "Reka", "reka", NO_VOCABULARY),
    Line(r"solar", "Upstage", "solar", NO_VOCABULARY),
    Line(r"mercury", "Inception", "mercury", NO_VOCABULARY),
    Line(r"kat-", "Kuaishou", "kat", NO_VOCABULARY),
    Line(r"palmyra", "Writer", "palmyra", NO_VOCABULARY),
    Line(r"inflection", "Inflection", "inflection", NO_VOCABULARY),
    Line(r"baichuan", "Baichuan", "baichuan", NO_VOCABULARY),
    Line(r"step-", "StepFun", "step", NO_VOCABULARY),
    Line(r"hunyuan|hy\d", "Tencent", "hunyuan", NO_VOCABULARY),
    Line(r"mai-", "Microsoft", "mai", NO_VOCABULARY),
)
_PATTERNS = tuple((line, re.compile(line.begins)) for line in LINES)


@lru_cache(maxsize=4096)
def line_of(name: str) -> Line | None:
    """Return the line of a model by its name, known to the table or not; None for a name of no line, and for a model
    that the name gives to another maker (`mistral/gpt-5.5`).
    """
    for one in spellings(name):
        line = None if "/" in one.text else next((line for line, begins in _PATTERNS if begins.match(one.text)), None)
        if line is not None and one.makers <= {line.maker}:
            return line
    return None


def tokenizer_of(line: Line, repository: str = "") -> tuple[str, bool]:
    """Return the tokenizer of a model of this line, and whether it is the model's own.

    `repository` is the model's own at Hugging Face, "" if it is not known.
    """
    if line.tokenizer != OWN_FILES:
        return line.tokenizer, line.own
    return (f"hf:{repository}", True) if repository else (line.stand_in, False)
