"""Values and averages fitted on watched self-play."""
