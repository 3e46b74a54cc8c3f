"""Turning images and annotations, or graphs and knowledge, into a hard multiple-choice benchmark."""
