"""Choice quality: doubles, second right answers, tags and genders that do not fit."""
