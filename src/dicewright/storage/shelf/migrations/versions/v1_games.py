"""The table of games."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the table `games`, found by id, and by date for the newest."""
    op.create_table(
        "games",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("game", sa.String(200), nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.Column("choices", sa.Text, nullable=False),
        sa.Column("ended", sa.String(20), nullable=False),
        sa.Column("payoff", sa.Float, nullable=False),
        sa.Column("date", sa.String(40), nullable=False),
        sa.Column("forfeit", sa.Text),
        sa.Column("notes", sa.Text),
        sa.Column("secret", sa.Text),
        sa.Column("figures", sa.Text),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_index("games_by_date", "games", ["date", "number"])
    op.create_index("games_by_ending", "games", ["ended", "date", "number"])
