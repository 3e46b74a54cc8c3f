"""Questions answered by programs that are executed over what is seen: every answer comes with its steps."""
