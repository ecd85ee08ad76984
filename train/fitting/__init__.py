"""Tables and values fitted on watched self-play."""
