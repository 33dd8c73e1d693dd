"""The table of events: when decisions were shown and how long they took."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Make the table `events`, a row for a decision, found by game and ply; games of before have none."""
    op.create_table(
        "events",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("shown", sa.BigInteger, nullable=False),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("game", "ply"),
    )
