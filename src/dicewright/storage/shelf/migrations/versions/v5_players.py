"""The tables of players: who they are, which seats were theirs, what they practise and found."""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Make the tables; games, events and studies stay as they are."""
    op.create_table(
        "players",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("likeness", sa.String(160), nullable=False, unique=True),
        sa.Column("secret", sa.String(64), nullable=False, unique=True),
        sa.Column("date", sa.String(40), nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.UniqueConstraint("game", "seat"),
    )
    op.create_index("seats_of_player", "seats", ["player"])
    op.create_table(
        "practice",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("box", sa.Integer, nullable=False),
        sa.Column("hits", sa.Integer, nullable=False),
        sa.Column("asked", sa.Integer, nullable=False),
        sa.Column("game", sa.String(200), nullable=False),
        sa.Column("theme", sa.String(40), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("due", sa.String(10), nullable=False),
        sa.UniqueConstraint("player", "game", "theme"),
    )
    op.create_table(
        "days",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("hits", sa.Integer, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.UniqueConstraint("player", "day"),
    )
