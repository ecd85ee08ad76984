"""The arena: one policy against another on the same deal sets, and how sure the result is."""
