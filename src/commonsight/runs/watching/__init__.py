"""Audit in the loop: while someone writes, what an audit would find later is said now, and never blocks."""

from commonsight.runs.watching.values import Warning_ as Warning_
from commonsight.runs.watching.watcher import Watcher as Watcher
