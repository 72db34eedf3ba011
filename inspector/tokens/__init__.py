"""Text to counts: tokenizers, estimators, the model table, chat formats and the cache. Knows no files of chats."""
