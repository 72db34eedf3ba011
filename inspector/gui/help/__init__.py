"""The lists of the Help menu: the current keys, and the reference made from declarations."""
