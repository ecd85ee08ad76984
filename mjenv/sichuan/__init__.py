"""Sichuan blood-battle mahjong: one file for each thing a player would name."""
