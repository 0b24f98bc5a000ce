-- A row that wants a workflow says whether its run was ensured; null until the reconciler has. Rows
-- of before count as not ensured: their runs are ensured once more, which changes nothing for a run
-- that is there. Nothing reads the table outbox any more.
ALTER TABLE apps ADD COLUMN run_ensured_at timestamptz;
CREATE INDEX apps_without_run ON apps (org_id, created_at)
  WHERE run_ensured_at IS NULL AND (status = 'provisioning' OR deleted_at IS NOT NULL);

ALTER TABLE organization_deletions ADD COLUMN run_ensured_at timestamptz;

ALTER TABLE preview_sessions ADD COLUMN run_ensured_at timestamptz;
CREATE INDEX preview_sessions_without_run ON preview_sessions (started_at)
  WHERE run_ensured_at IS NULL AND phase = 'starting';

ALTER TABLE webhook_deliveries ADD COLUMN run_ensured_at timestamptz;
CREATE INDEX webhook_deliveries_without_run ON webhook_deliveries (org_id, created_at, delivery_id)
  WHERE run_ensured_at IS NULL AND status = 'pending';

ALTER TABLE purchase_notifications ADD COLUMN run_ensured_at timestamptz;
CREATE INDEX purchase_notifications_without_run ON purchase_notifications (bundle_id, received_at)
  WHERE run_ensured_at IS NULL AND applied_at IS NULL;
