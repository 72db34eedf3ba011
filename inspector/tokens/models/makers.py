"""The makers of models and the hosts that run them, by the words that stand before the names of models.

The words are the organisations of Hugging Face, the vendors in the ids of Amazon Bedrock, the providers of litellm and
of OpenRouter, and the prefixes of Databricks, SAP and other catalogues.
"""

import re
from collections.abc import Mapping

MAKERS: Mapping[str, tuple[str, ...]] = {
    "01.AI": ("01-ai", "zero-one-ai"),
    "AI21": ("ai21", "ai21-labs", "ai21labs"),
    "Ai2": ("allenai", "ai2"),
    "Alibaba": ("alibaba", "alibaba-nlp", "qwen"),
    "Amazon": ("amazon", "amazon-nova"),
    "Anthropic": ("anthropic", "anthropic-claude"),
    "Arcee AI": ("arcee-ai", "arcee"),
    "Baichuan": ("baichuan", "baichuan-inc"),
    "Baidu": ("baidu",),
    "ByteDance": ("bytedance", "bytedance-seed", "volcengine"),
    "Cohere": ("cohere", "cohere-chat", "cohereforai", "coherelabs"),
    "Databricks": ("databricks",),
    "Deep Cogito": ("deepcogito",),
    "DeepSeek": ("deepseek", "deepseek-ai"),
    "Essential AI": ("essentialai",),
    "Google": ("google", "gemini"),
    "Hugging Face": ("huggingfacetb",),
    "IBM": ("ibm", "ibm-granite"),
    "Inception": ("inception",),
    "InclusionAI": ("inclusionai",),
    "Inflection": ("inflection",),
    "Kuaishou": ("kwaipilot", "kuaishou"),
    "LG AI Research": ("lgai-exaone", "lg"),
    "Liquid AI": ("liquidai", "liquid"),
    "Meituan": ("meituan", "meituan-longcat"),
    "Meta": ("meta", "meta-llama", "meta-models", "facebook"),
    "Microsoft": ("microsoft",),
    "MiniMax": ("minimax", "minimaxai"),
    "Mistral AI": ("mistral", "mistralai", "mistral-ai", "codestral"),
    "Moonshot AI": ("moonshot", "moonshotai", "moonshot-ai"),
    "NVIDIA": ("nvidia",),
    "Nous Research": ("nousresearch",),
    "OpenAI": ("openai",),
    "Perplexity": ("perplexity", "perplexity-ai"),
    "Prime Intellect": ("primeintellect", "prime-intellect"),
    "Reka": ("rekaai", "reka"),
    "Sarvam AI": ("sarvam", "sarvamai"),
    "Shanghai AI Lab": ("internlm", "opengvlab"),
    "Stability AI": ("stabilityai",),
    "StepFun": ("stepfun", "stepfun-ai"),
    "TII": ("tiiuae",),
    "Tencent": ("tencent", "tencent-tokenhub"),
    "Upstage": ("upstage",),
    "Writer": ("writer",),
    "Xiaomi": ("xiaomi", "xiaomimimo", "xiaomi-mimo"),
    "Z.ai": ("zai", "z-ai", "zai-org", "thudm", "zhipu", "zhipuai"),
    "xAI": ("xai", "x-ai", "xai-org"),
}
"""The words for each maker, as they stand before a name: `zai-org/`, `anthropic.`, `meta-`."""

_HOSTS = (
    *(
        "@cf",
        "abacus",
        "accounts",
        "aihubmix",
        "aiml",
        "amazon-bedrock",
        "aws",
        "aws-bedrock",
        "anyscale",
        "azure",
        "azure-ai",
        "azure-cognitive-services",
        "azure-openai",
        "azureml",
        "baseten",
    ),
    *("bedrock", "bedrock-converse", "bedrock-mantle", "cerebras", "chatgpt", "chutes", "clarifai", "cloudflare"),
    *("converse", "copilot", "custom-openai", "dashscope", "databricks", "deepinfra", "empiriolabs", "featherless-ai"),
    *("fireworks", "fireworks-ai", "friendliai", "gateway", "github", "github-copilot", "github-models", "gmi"),
    *(
        "google-gla",
        "google-vertex",
        "google-vertex-anthropic",
        "gradient-ai",
        "groq",
        "helicone",
        "heroku",
        "hf",
        "hf.co",
        "hosted-vllm",
    ),
    *("huggingface", "huggingface.co", "hyperbolic", "invoke", "kyma", "lambda", "lambda-ai", "lemonade", "litellm"),
    *("litellm-proxy", "llama-cpp", "llamacpp", "llamafile", "lm-studio", "lmstudio", "lmstudio-community"),
    *("meta-llama-api", "mlx-community", "modal", "models", "nanogpt", "nano-gpt", "nebius", "novita", "novita-ai"),
    *("nscale", "nvidia-nim", "oci", "ollama", "ollama-chat", "openai-compatible", "opencode", "opencode-go"),
    *("openrouter", "ovhcloud", "parasail", "poe", "pplx", "predibase", "qiniu-ai", "qwen-ai-platform", "qwencloud"),
    *("replicate", "requesty", "responses", "sagemaker", "sagemaker-chat", "sambanova", "scaleway", "siliconflow"),
    *("siliconflow-cn", "snowflake", "tensormesh", "together", "together-ai", "togethercomputer", "vercel"),
    *(
        "vercel-ai-gateway",
        "vertex",
        "vertex-ai",
        "vertex-ai-beta",
        "vllm",
        "volcano",
        "wandb",
        "watsonx",
        "xinference",
    ),
)
"""Places that run models of many makers, so that nothing follows from them."""
MAKERS_THAT_HOST = ("perplexity", "perplexity-ai")
"""Makers that run models of others, too, and then name the other maker behind their own: perplexity/openai/gpt-5.5."""
_REGION = re.compile(
    r"(?:us|eu|ap|apac|global|ca|sa|me|af|au|jp|uk|cn|asia)(?:-gov)?(?:-(?:standard|datazone))?(?:-[a-z]+-?\d+)?"
    r"|\d+-month-commitment"
)
_MAKER_OF = {word: maker for maker, words in MAKERS.items() for word in words}
_HOST_WORDS = frozenset(_HOSTS)
_LONGEST_FIRST = sorted({*_MAKER_OF, *_HOST_WORDS}, key=len, reverse=True)


def maker_of(word: str) -> str | None:
    """Return the maker called by a word before a name, such as `zai-org` or `meta_llama`; None for any other word."""
    return _MAKER_OF.get(word.casefold().replace("_", "-"))


def is_host(word: str) -> bool:
    """Return whether a word before a name is a host of models of many makers, or a region of one."""
    return word in _HOST_WORDS or _REGION.fullmatch(word) is not None


def words_before_dash(name: str) -> list[str]:
    """Return the words for a maker or a host that a name begins with, before a dash, the longest first:
    databricks-claude-…; meta-llama and meta for meta-llama-3.1-8b.
    """
    return [word for word in _LONGEST_FIRST if name.startswith(f"{word}-")]
