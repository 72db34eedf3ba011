"""SillyTavern 1.19: chat completion (`chat`) and text completion (`text`), and what both share."""
