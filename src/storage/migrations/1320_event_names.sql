-- Names of events by the names that clients of other products send. The first sent name to come to a
-- name has it; later ones get one of their own.
CREATE TABLE event_names (
  app_id text NOT NULL,
  org_id text NOT NULL,
  sent_name text NOT NULL,
  name text NOT NULL,
  -- By the rule alone.
  wanted text NOT NULL,
  first_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (app_id, sent_name),
  UNIQUE (app_id, name)
);
