"""What can be told from words alone: question types, word vectors."""
