"""The built-in policies, one readable module each."""
