"""Room for long rules in what is practised, as `games` has."""

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"


def upgrade() -> None:
    """Let the column `game` of `practice` hold any text; SQLite counts no letters, so nothing changes there."""
    if op.get_context().dialect.name != "sqlite":
        op.alter_column(
            "practice", "game", type_=sa.Text(), existing_type=sa.String(200), existing_nullable=False
        )
