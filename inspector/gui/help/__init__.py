"""What the menu Help lists: the keys as they are set, and the reference made from what is declared."""
