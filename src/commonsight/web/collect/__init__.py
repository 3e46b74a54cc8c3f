"""The annotation app: pages for workers, reviewers and owners, and the same verbs as JSON."""
