"""Kinds of findings: what each one means, and what a person can do about it, declared once, a module a family.

The sentence with the figures of a case is a finding's own message. What may not be here: rules that look for a finding.
A policy that is not built in declares kinds of its own beside its rules.
"""
