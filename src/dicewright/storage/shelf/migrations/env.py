"""What alembic runs: the steps on the connection, and in the transaction, that the shelf hands over."""

from alembic import context

if __name__ == "env_py":  # the name under which alembic runs this file
    context.configure(connection=context.config.attributes["connection"])
    with context.begin_transaction():
        context.run_migrations()
