"""Kinds of findings, declared once: their meaning, and advice for the user.

The sentence with the figures of a case is a finding's own message. Rules that look for findings do not belong here.
Third-party policies declare their own kinds beside their rules.
"""

from dataclasses import dataclass

from inspector.assembly.advice import advice_text
from inspector.model import Severity


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A stable code for scripts, the usual severity, the meaning, and advice.

    `meaning` and `advice` are whole sentences without figures of a case. They contain options of the command line with
    their dashes, and parameters of policies in braces, which `advice_text` fills.
    """

    code: str
    severity: Severity
    meaning: str
    advice: str

    @property
    def general_advice(self) -> str:
        """The advice for any policy."""
        return advice_text(self.advice, None)


# The scenario and the model it names.

UNKNOWN_ITEM = FindingKind(
    "unknown_item",
    "warning",
    "The scenario pins, excludes or changes items that are not in what is open.",
    "Correct the ids of --pin, --exclude or --override, or open the file with these items. In the window, Scenario, "
    "Clear pins and exclusions takes the marks away.",
)
ON_OTHER_BRANCHES = FindingKind(
    "on_other_branches",
    "info",
    "The scenario pins, excludes or changes messages that only other branches of the conversation have.",
    "Nothing to do: they count again where their branch is shown (--leaf). In the window, Scenario, Clear pins and "
    "exclusions takes the marks away.",
)
FIRST_OF_MANY = FindingKind(
    "first_of_many",
    "info",
    "Several conversations are open and none was chosen, so the first is shown.",
    "Choose another one in the workspace, or name it with --conversation.",
)
BELONGS_TO_NONE = FindingKind(
    "belongs_to_none",
    "info",
    "A folder or an archive holds memories, lore or tools in files without a conversation, so that they go with none.",
    "Tick memory sets in the workspace, or name them with --memories. What else there is goes with every conversation "
    "once its file itself is opened or named beside the folder.",
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

# The user's marks.

MUST_SURVIVE_DROPPED = FindingKind(
    "must_survive_dropped",
    "warning",
    "An item that was marked as one that must survive is left out of the prompt.",
    "Look at why it is dropped (explain), and give its part more, pin it (--pin), or take the mark away (M in the "
    "table of the window).",
)

# The texts.

SECRET_MASKED = FindingKind(
    "secret_masked",
    "warning",
    "An item holds a key, a token or another secret. It is counted as it is, and masked wherever it is shown or "
    "exported.",
    "Withdraw the secret where it was issued and take it out of the file, or exclude the item. View, Show or mask "
    "secrets lets you see it.",
)

# The counts, and the prompt as sent to the model.

ESTIMATED_COUNTS = FindingKind(
    "estimated_counts",
    "info",
    "Some figures are estimates, or come from the file, and not counts by the model's own tokenizer.",
    "Let the counting finish, or name the model's own files with --tokenizer (hf:FOLDER or gguf:FILE). Pictures, and "
    "counts that stand in the file, stay as they are.",
)
TEMPLATE_REFUSED = FindingKind(
    "template_refused",
    "warning",
    "The model's chat template does not accept these messages in this order, so another one counts them.",
    "Many templates want user and assistant in turn, the user first. Exclude the message that breaks this order, or "
    "choose a model that takes it. {start_on} says who begins.",
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
    "Find out who wrote it: on a server that obeys such marks it can end a turn or speak for someone else. Exclude "
    "the item, or spell the mark differently in the file.",
)
OVER_WINDOW = FindingKind(
    "over_window",
    "error",
    "The prompt, with what is kept free for the reply, is larger than it may be.",
    "Take a larger window, or pin less. It also helps to lower {prompt, newest}. naive, reserve and "
    "semantic_kernel_truncation never cut to the window.",
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
    "Fine if nothing you need is left out. Otherwise raise {history, memory, prompt}. With {borrow=both} one section "
    "uses what another leaves.",
)
WINDOW_SMALLER_THAN_BUDGET = FindingKind(
    "window_smaller_than_budget",
    "info",
    "What the policy may spend is more than the window holds.",
    "Take a larger window. It also helps to lower {prompt, history, reply} until all of it fits.",
)

# Items in the prompt, and items left out.

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
    "Look at which turn is replayed, and at what is excluded. Otherwise raise {history, prompt, newest}.",
)
HISTORY_GAP = FindingKind(
    "history_gap",
    "warning",
    "Newer messages are left out although an older one stays, so the model may miss what the talk is about.",
    "Unpin the older message. It also helps to raise {history, prompt}. With {adaptive:misfit=stop, trim=oldest} the "
    "conversation is cut in one piece.",
)
GUARANTEE_OVER_BUDGET = FindingKind(
    "guarantee_over_budget",
    "warning",
    "Pinned and guaranteed items alone cost more than their part of the prompt may.",
    "Unpin something. It also helps to lower {newest}. Otherwise raise {history, memory}.",
)
ORPHAN_TOOL_RESULT = FindingKind(
    "orphan_tool_result",
    "error",
    "A tool's result is in the prompt without the whole call, or a call without its result; most servers refuse that.",
    "Pin the call and its result, or exclude both.",
)

# Memories and summaries.

EMBEDDING_UNAVAILABLE = FindingKind(
    "embedding_unavailable",
    "info",
    "Texts should be compared by what they mean; no model for that can be had, so their words are compared.",
    "Install the model that is named, choose another one (--embedding), or ask for words with --similarity lexical.",
)
NEAR_DUPLICATE_MEMORIES = FindingKind(
    "near_duplicate_memories",
    "warning",
    "Several memories say nearly the same, and each of them in the prompt takes the room of another one.",
    "Exclude the repeats, or merge them where they are kept.",
)
SUMMARIES_UNAVAILABLE = FindingKind(
    "summaries_unavailable",
    "warning",
    "Summaries were asked for and cannot be made, so the beginning of a message stands in for its summary.",
    "Name a server under summaries in settings.yaml and see that it runs, or set --summaries extractive, which takes "
    "sentences of the message itself.",
)
SUMMARIES_UNUSED = FindingKind(
    "summaries_unused",
    "info",
    "Summaries were asked for, but no message of this prompt is summarized.",
    "Turn on {selective}, and lower {recent_messages}[ and {selective_above}]. Policies other than ratio summarize "
    "nothing. Messages shorter than --summary-tokens stay whole.",
)
COMPUTED_SUMMARIES = FindingKind(
    "computed_summaries",
    "info",
    "The file has no summary of some messages, so computed ones stand in for them.",
    "Read them before you trust them: the tab Summaries and prompt-inspector fidelity say which names, numbers and "
    "dates each of them lost.",
)
SUMMARY_LONGER = FindingKind(
    "summary_longer",
    "info",
    "What stands in for a message costs more than the message itself.",
    "A smaller --summary-tokens makes computed ones shorter. With {only_if_shorter} such messages stay as they are.",
)

# ratio, and Chorus Engine's published code.

SYSTEM_PROMPT_TOO_LARGE = FindingKind(
    "system_prompt_too_large",
    "warning",
    "The system prompt takes a larger part of the window than it should.",
    "Shorten the system prompt, take a larger window, or raise {system_limit}.",
)
NEGATIVE_BUDGET = FindingKind(
    "negative_budget",
    "error",
    "System prompt and documents are larger than the window, so that all other limits are below 0.",
    "Shorten the system prompt, exclude documents, or take a larger window.",
)
UNUSED_LIMIT = FindingKind(
    "unused_limit",
    "warning",
    "Documents cost more than their share, which this system works out and never applies.",
    "Exclude or shorten documents. A larger {document_share} hides this, and the prompt stays the same.",
)
SUMMARIES_UNLIMITED = FindingKind(
    "summaries_unlimited",
    "warning",
    "A limit of 0 for past conversations is taken for no limit at all.",
    "Set {context_share} a little above 0, or {summary_cap} to 0 for none of them.",
)
TRAILING_REMOVED = FindingKind(
    "trailing_removed",
    "warning",
    "The prompt has to end with the user, so messages after the last one of the user were removed.",
    "Raise {history_share} until all messages fit, since nothing is removed then, or turn off {trailing_user}.",
)
NEWEST_MESSAGES_LOST = FindingKind(
    "newest_messages_lost",
    "error",
    "Only the oldest messages are read, and the newest, which call for the reply, are lost.",
    "Raise {message_limit} above the number of messages, or compare with chorus-2026.02, which reads the newest.",
)
CORE_MEMORY_FILTERED_BY_SOURCE = FindingKind(
    "core_memory_filtered_by_source",
    "warning",
    "Core memories that were saved on another platform are left out, although they should hold everywhere.",
    "Pin them, or save them for this platform too.",
)
CHARACTER_WIDE_MEMORY_LOST = FindingKind(
    "character_wide_memory_lost",
    "warning",
    "Memories of no conversation would fit every one, but this system takes them for those of another.",
    "Pin them, give them the thread of this conversation, or make them core memories or facts.",
)
PRIORITY_ZERO = FindingKind(
    "priority_zero",
    "info",
    "A priority of 0 counts as 50, as if the memory had none.",
    "Give the memory a priority of 1, which counts as what it is.",
)
MULTI_SOURCE_MEMORY_IGNORED = FindingKind(
    "multi_source_memory_ignored",
    "info",
    "Messages that a memory comes from are not kept for its sake, because it names several of them.",
    "Pin the messages that have to stay, or mark them as emotional.",
)

# adaptive, and WhisperEngine's published code.

EMERGENCY_TRUNCATION = FindingKind(
    "emergency_truncation",
    "warning",
    "The system message alone takes the whole limit of the prompt, at the cost of the conversation.",
    "Shorten the system prompt, lower {system_budget} well below {max_tokens}, or raise {max_tokens}.",
)
CURRENT_MESSAGE_LOST = FindingKind(
    "current_message_lost",
    "error",
    "The model will not see the message that it is to answer.",
    "Pin that message; to keep the conversation too, lower {system_budget} well below {max_tokens}.",
)
SYSTEM_OVER_STAGE2 = FindingKind(
    "system_over_stage2",
    "warning",
    "The components may grow past the limit of the whole prompt, which then has no room for the conversation.",
    "Set {system_budget} well below {max_tokens}; 0 sets no limit at all.",
)
REQUIRED_OVER_BUDGET = FindingKind(
    "required_over_budget",
    "warning",
    "The required components alone cost more than the system message may.",
    "Make fewer components required, shorten them, or raise {system_budget}.",
)
COMPONENT_CUT = FindingKind(
    "component_cut",
    "warning",
    "A required component lost its middle, because the required ones do not fit together.",
    "Shorten the component, raise {system_budget}, or set {required_overflow=keep}, which leaves them all whole.",
)
DUPLICATES_CHARGED = FindingKind(
    "duplicates_charged",
    "warning",
    "Components that repeat another one took up room before they were left out, and something else missed it.",
    "Exclude the repeats (their first 200 characters are the same), or raise {system_budget}.",
)

# reserve, and the published ibex-harness.

CONSTRAINED = FindingKind(
    "constrained",
    "warning",
    "The conversation, the reply and the margin leave little for memories.",
    "Lower {response_ratio}, {response_min} or {safety_ratio}, take a larger window, or exclude old messages: this "
    "policy never cuts the conversation.",
)
KNAPSACK_GREEDY = FindingKind(
    "knapsack_greedy",
    "info",
    "There are too many memories to look for the best set, so those with the most score per token go first.",
    "The set taken is close to the best. For the best one itself exclude memories, or take a smaller window.",
)
GREEDY_FALLBACK = FindingKind(
    "greedy_fallback",
    "info",
    "There are too many memories for this system's search, so the best scores go first until too many do not fit.",
    "Raise {dp_cell_ceiling}, or {max_consecutive_skips} so that shorter memories further down still get in.",
)
BUCKET_ROUNDING = FindingKind(
    "bucket_rounding",
    "info",
    "Memories are weighed in steps of 16 tokens, so the set that looked best had to be changed.",
    "Compare with {pack=knapsack}, which counts every token.",
)
CUT_UNRANKED = FindingKind(
    "cut_unranked",
    "warning",
    "Only the first memories of the file were ranked, and better ones come after them.",
    "Raise {memory_candidates}, or set it to 0 to rank them all.",
)

# window_rag, and the published Sanguine Scribe.

TWO_TOTALS = FindingKind(
    "two_totals",
    "info",
    "The limit that the last check holds is another one than the total limit.",
    "Set {hard_limit} and {total_limit} to the same figure.",
)
FIRST_CHUNK_OVER_BUDGET = FindingKind(
    "first_chunk_over_budget",
    "warning",
    "The best text that was found is kept, although it is longer than what was left for it.",
    "Raise {rag_budget} (and {total_limit}, where the conversation took the room), or exclude this text.",
)
TAIL_CUT = FindingKind(
    "tail_cut",
    "warning",
    "Some of the newest messages, which are otherwise safe, had to go as well.",
    "Raise {hard_limit}, or shorten what never goes: the system prompt, the current message and {preamble_tokens}.",
)

# slots, and the published brainos-cortex.

SLOT_EXCEEDED = FindingKind(
    "slot_exceeded",
    "warning",
    "The system text or the profile is longer than its slot; it stays whole, and memories get less.",
    "Shorten it, or raise {system_slot} or {profile_slot}.",
)
ATTACHMENTS_OVER_SLOT = FindingKind(
    "attachments_over_slot",
    "warning",
    "The attached files together take more than their slot.",
    "Attach fewer or shorter files, raise {attachments_slot}, or lower {attachment_floor_chars}, which each file gets "
    "at least; where a text has many tokens for its length, lower {chars_per_token}.",
)
SYSTEM_CHARGED_TO_MEMORY = FindingKind(
    "system_charged_to_memory",
    "warning",
    "The system message has its slot and is taken from the memories once more, so fewer of them fit.",
    "Shorten the system prompt, lower {system_slot} and {profile_slot}, or compare with the preset document, which "
    "takes it once.",
)
NO_ROOM_FOR_MEMORY = FindingKind(
    "no_room_for_memory",
    "warning",
    "The system message alone takes all that was set aside for memories.",
    "Shorten the system prompt, lower {system_slot}, {profile_slot} or {response_slot}, or take a larger window.",
)
NEWEST_MESSAGE_TOO_LONG = FindingKind(
    "newest_message_too_long",
    "warning",
    "The newest message before the current one does not fit into the history, so no older one is looked at.",
    "Raise {history_slot} (with {scale=window}: take a larger window), or exclude that message.",
)

FINDING_KINDS = tuple(value for value in list(globals().values()) if isinstance(value, FindingKind))
"""Every built-in kind, in the order of this module."""
