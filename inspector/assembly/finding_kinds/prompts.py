"""Findings about the scenario, marks, texts, counts, and what is in a prompt and what is not."""

from inspector.assembly.finding_kinds.kind import FindingKind

# The scenario and the model it names.

UNKNOWN_ITEM = FindingKind(
    "unknown_item",
    "warning",
    "The scenario pins, excludes or changes items that are not in what is open.",
    "Correct the ids of --pin, --exclude or --override, or open the file with these items. In the window, Scenario, "
    "Clear pins and exclusions takes the marks away.",
)
FIRST_OF_MANY = FindingKind(
    "first_of_many",
    "info",
    "Several conversations are open and none was chosen, so the first is shown.",
    "Choose another one in the workspace, or name it with --conversation.",
)
MODEL_UNKNOWN = FindingKind(
    "model_unknown",
    "warning",
    "The model is not in the model table, so its window and its tokenizer are guesses.",
    "Choose a model of the table, give --window and --tokenizer yourself, or add the model to models.yaml.",
)
MODEL_BY_PREFIX = FindingKind(
    "model_by_prefix",
    "info",
    "The model is not in the model table; one of a similar name stands in for it.",
    "Where the two differ, give --window and --tokenizer yourself, or add the model to models.yaml.",
)
SETTINGS_FROM_FILE = FindingKind(
    "settings_from_file",
    "info",
    "The opened file itself names a model or a window, and the prompt is made for that.",
    "Choose a model or a window yourself (--model, --window) to use another.",
)

# What a person marked.

MUST_SURVIVE_DROPPED = FindingKind(
    "must_survive_dropped",
    "warning",
    "An item that somebody marked as one that must survive is left out of the prompt.",
    "Look at why it is dropped (explain), and give its part more, pin it (--pin), or take the mark away (M in the "
    "table of the window).",
)

# What stands in the texts.

SECRET_MASKED = FindingKind(
    "secret_masked",
    "warning",
    "An item holds a key, a token or another secret. It is counted as it is, and masked wherever it is shown or "
    "exported.",
    "Withdraw the secret where it was issued and take it out of the file, or exclude the item. View, Show or mask "
    "secrets lets you see it.",
)

# The counts, and the prompt as it is written for the model.

ESTIMATED_COUNTS = FindingKind(
    "estimated_counts",
    "info",
    "Some figures are estimates, or come from the file, and are no counts by the model's own tokenizer.",
    "Let the counting finish, or name the model's own files with --tokenizer (hf:FOLDER or gguf:FILE). Pictures, and "
    "counts that stand in the file, stay as they are.",
)
TEMPLATE_REFUSED = FindingKind(
    "template_refused",
    "warning",
    "The model's chat template does not accept these messages in this order, so another one counts them.",
    "Many templates want user and assistant in turn, the user first. Exclude the message that breaks this order "
    "(langchain_trim: start_on says who begins), or choose a model that takes it.",
)
TOOLS_LEFT_OUT = FindingKind(
    "tools_left_out",
    "info",
    "The model's chat template has no place for tool definitions, so none are in the prompt.",
    "Choose a model whose chat template takes tools, or describe the tools in the system prompt.",
)
SPECIAL_TOKEN_TEXT = FindingKind(
    "special_token_text",
    "warning",
    "A text spells a mark that steers the model, such as the end of a turn; it is counted as plain text.",
    "Find out who wrote it: on a server that obeys such marks it can end a turn or speak for somebody else. Exclude "
    "the item, or spell the mark differently in the file.",
)
OVER_WINDOW = FindingKind(
    "over_window",
    "error",
    "The prompt, with what is kept free for the reply, is larger than it may be.",
    "Take a larger window, lower what the policy may spend (max_tokens, token_limit, hard_limit, emergency_cut), or "
    "guarantee and pin less. naive, reserve and semantic_kernel_truncation never cut to the window.",
)
INPUT_LIMIT = FindingKind(
    "input_limit",
    "warning",
    "The model takes shorter prompts than its window would hold, and this one is longer.",
    "Set the window to what the model takes (--window), or the policy's own limit; or choose another model.",
)
BUDGET_UNUSED = FindingKind(
    "budget_unused",
    "info",
    "More than a quarter of the window stays empty.",
    "Fine if nothing you need is left out. Otherwise raise what the policy may spend (memory_share, history_share, "
    "max_tokens, history_budget, history_slot), or set borrow to both.",
)
WINDOW_SMALLER_THAN_BUDGET = FindingKind(
    "window_smaller_than_budget",
    "info",
    "What the policy may spend is more than the window holds.",
    "Lower max_tokens, token_limit, total_limit, response_reserve or the slots until they fit into the window, or take "
    "a larger one.",
)

# What is in the prompt, and what is not.

NOT_PLACED = FindingKind(
    "not_placed",
    "info",
    "The policy has no place for items of some kinds, so they are left out.",
    "Choose a policy that has one: window_rag for passages, slots for documents and attachments, adaptive for "
    "summaries of other conversations, ratio for memories and lore. naive takes everything.",
)
EMPTY_HISTORY = FindingKind(
    "empty_history",
    "warning",
    "The model will not see a single message of the conversation.",
    "Raise what the conversation may cost (history_share, history_budget, history_slot, max_tokens), or guarantee its "
    "newest messages (min_exchanges, min_recent). Look also at which turn is replayed, and at what is excluded.",
)
HISTORY_GAP = FindingKind(
    "history_gap",
    "warning",
    "Newer messages are left out although an older one stays, so the model may miss what the talk is about.",
    "Unpin the older message, raise what the conversation may cost, or let it be cut in one piece (adaptive: "
    "misfit=stop; window_rag: trim=oldest).",
)
GUARANTEE_OVER_BUDGET = FindingKind(
    "guarantee_over_budget",
    "warning",
    "Pinned and guaranteed items alone cost more than their part of the prompt may.",
    "Unpin something, guarantee less (min_exchanges, min_recent), or give this part more (its share, budget or slot).",
)
ORPHAN_TOOL_RESULT = FindingKind(
    "orphan_tool_result",
    "error",
    "A tool's result is in the prompt without the whole call, or a call without its result; most servers refuse that.",
    "Pin the call and its result, or exclude both.",
)
