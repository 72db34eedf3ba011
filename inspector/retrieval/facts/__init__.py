"""Facts in texts, and how many of them a summary keeps."""
