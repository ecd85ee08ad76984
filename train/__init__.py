"""What people run: training, and the command line."""

import os

# Threads of torch that wait for each other sleep instead of spinning, so that a busy machine
# slows training down no more than its share. Read once, when torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

DISTRIBUTION = "mjenv"
"""Whose package this is: ``train`` is a name that others use as well."""
