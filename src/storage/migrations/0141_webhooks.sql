-- A webhook can be switched off, and its secret replaced while receivers still know the one before.
ALTER TABLE webhooks
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN sealed_previous_secret text,
  ADD COLUMN previous_secret_until timestamptz;

ALTER TABLE webhook_deliveries
  -- The event's own id, the same for every webhook and however often its facts are recorded.
  ADD COLUMN event_id text,
  -- Whom the body names, so that it goes with them.
  ADD COLUMN person_ids text[] NOT NULL DEFAULT '{}';
CREATE UNIQUE INDEX webhook_deliveries_of_event ON webhook_deliveries (webhook_id, event_id)
  WHERE event_id IS NOT NULL;
