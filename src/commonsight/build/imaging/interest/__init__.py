"""Which pictures are worth asking about: rules by what was found in them, and models learned from ratings."""
