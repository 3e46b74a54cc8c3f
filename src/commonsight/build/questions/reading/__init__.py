"""Questions read back: English to what it means, by a grammar of its own.

Nothing here knows the wordings that questions are made with. A reader who shared them would find every fault
of theirs consistent; this one knows English noun phrases, clauses and questions, the names of things, and
the phrases of the knowledge graph.
"""

from commonsight.build.questions.reading.lexicon import Lexicon, Words
from commonsight.build.questions.reading.sentences import Reading, read

__all__ = ["Lexicon", "Reading", "Words", "read"]
