"""Purses hold what the bonuses of an open round may come to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Bonuses of work from before are not held back: which protocol promised them, no table says."""
    op.add_column(
        "purses", sa.Column("promised", sa.BigInteger(), nullable=False, server_default=sa.text("0"))
    )
