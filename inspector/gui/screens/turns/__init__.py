"""The slider of turns."""
