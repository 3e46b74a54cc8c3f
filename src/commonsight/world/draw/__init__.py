"""Scenes as pictures, drawn with Pillow at twice the size and scaled down."""
