"""The tables of studies: who takes part, what they answered, where they sat, and turns typed in from paper."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Make the tables; games and events stay as they are."""
    op.create_table(
        "studies",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("title", sa.String(200), nullable=False, unique=True),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("date", sa.String(40), nullable=False),
    )
    op.create_table(
        "participants",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("study", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("consented", sa.String(40)),
        sa.Column("ended", sa.String(20)),
        sa.UniqueConstraint("study", "name"),
    )
    op.create_table(
        "answers",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("study", sa.Integer, nullable=False),
        sa.Column("participant", sa.String(40), nullable=False),
        sa.Column("question", sa.String(40), nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("date", sa.String(40), nullable=False),
        sa.UniqueConstraint("study", "participant", "question"),
    )
    op.create_table(
        "sittings",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("study", sa.Integer, nullable=False),
        sa.Column("participant", sa.String(40), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.UniqueConstraint("game", "seat"),
    )
    op.create_index("sittings_of_study", "sittings", ["study", "participant"])
    op.create_table(
        "turns",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("study", sa.Integer, nullable=False),
        sa.Column("participant", sa.String(40), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("rolls", sa.Integer, nullable=False),
        sa.Column("banked", sa.Integer, nullable=False),
        sa.UniqueConstraint("study", "game", "seat", "turn"),
    )
