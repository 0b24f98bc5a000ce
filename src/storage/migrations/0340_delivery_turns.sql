-- When the next attempt of a delivery is due, from when it had its turn; null while it waits for one.
-- What is due is under way, or waits for a worker: so much of an organization and no more.
ALTER TABLE webhook_deliveries ADD COLUMN attempt_due_at timestamptz;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (org_id, attempt_due_at)
  WHERE status = 'pending' AND attempt_due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (org_id, created_at, delivery_id)
  WHERE status = 'pending' AND attempt_due_at IS NULL AND run_ensured_at IS NULL;
CREATE INDEX webhook_deliveries_due_without_run ON webhook_deliveries (attempt_due_at, delivery_id)
  WHERE status = 'pending' AND attempt_due_at IS NOT NULL AND run_ensured_at IS NULL;
