-- A key of kind flags reads the flags of its app and does nothing else; its secret begins otherwise,
-- so an earlier release refuses it.
ALTER TABLE publishable_keys ADD COLUMN kind text NOT NULL DEFAULT 'events'
  CHECK (kind IN ('events', 'flags'));
