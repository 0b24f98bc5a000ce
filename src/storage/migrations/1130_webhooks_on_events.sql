-- Names of events that a webhook is told of, of which one in so many.
ALTER TABLE webhooks
  ADD COLUMN event_names text[] NOT NULL DEFAULT '{}',
  ADD COLUMN event_one_in integer NOT NULL DEFAULT 1 CHECK (event_one_in BETWEEN 1 AND 10000),
  ADD COLUMN events_left_out_at timestamptz;
CREATE INDEX webhooks_on_events ON webhooks (org_id) WHERE event_names <> '{}';
