"""Room for the rules of a game in one line, however long it may be."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Let the column `game` of `games` hold any text; SQLite counts no letters, so nothing changes there."""
    if op.get_context().dialect.name != "sqlite":
        op.alter_column(
            "games", "game", type_=sa.Text(), existing_type=sa.String(200), existing_nullable=False
        )
