"""From raw pictures to scenes worth asking about: what is in each, and which are worth a question."""
