"""Policies: bots, learned agents, and the names by which they are found."""
