-- Backups that the service makes by itself. One row for each that was begun.
CREATE TABLE backups (
  backup_id text PRIMARY KEY,
  -- The address in BACKUP_TO below which it stands.
  place text NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'good', 'failed')),
  began_at timestamptz NOT NULL,
  ended_at timestamptz,
  bytes bigint,
  error text
);
CREATE INDEX backups_by_state ON backups (state, began_at DESC);
