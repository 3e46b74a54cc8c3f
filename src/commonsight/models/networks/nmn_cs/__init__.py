"""NMN-CS: a network for each function, put together as each question's program has it (CRIC, section 4.1)."""
