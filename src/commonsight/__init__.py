"""Commonsight: build, audit, run and explore visual commonsense benchmarks.

Importing this package does nothing but define names: no file is read, no heavy library is loaded.
"""

__version__ = "0.1.0"
