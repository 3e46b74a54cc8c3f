"""Finding objects in pictures: a small detector that is trained here, and detectors that others trained."""
