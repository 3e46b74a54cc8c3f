"""Vision-language models that run on this machine: loaded by folder or hub name, asked in batches."""
