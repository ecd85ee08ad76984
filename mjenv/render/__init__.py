"""Boards for people: what a seat may see, or everything."""
