"""Environments for Gymnasium and PettingZoo: adapters, without rules of any game."""
