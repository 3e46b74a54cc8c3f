"""Scores, exactly as the papers define them, with honest error bars. No benchmark is known by name here."""
