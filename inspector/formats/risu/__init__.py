"""RisuAI: chats, lorebooks and modules."""
