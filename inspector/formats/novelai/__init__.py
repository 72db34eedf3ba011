"""NovelAI: lorebooks, scenarios and stories."""
