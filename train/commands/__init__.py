"""The commands of ``mjenv``, one module each: ``add`` describes it, ``run`` does it."""
