"""The version of the program, which its distribution takes from here."""

VERSION = "0.1.0"
