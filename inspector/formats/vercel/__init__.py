"""Messages of the AI SDK of Vercel."""
