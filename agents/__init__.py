"""Policies: bots, learned agents, and the names by which they are found."""

DISTRIBUTION = "mjenv"
"""Whose package this is: ``agents`` is a name that others use as well."""
