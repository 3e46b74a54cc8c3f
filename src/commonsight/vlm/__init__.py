"""Vision-language models as answerers: one door, several clients behind it. No benchmark is named here."""
