-- Notifications of the store that a person has to act on, until somebody marks them as dealt with.
-- `app_transaction` names one customer of the app; null where the store named none, or the person
-- was erased.
CREATE TABLE purchase_notices (
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  environment text NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
  notice_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('consent_rescinded', 'external_purchase_token')),
  reason text,
  app_transaction text,
  external_purchase_id text,
  token_created_at timestamptz,
  notified_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  resolved_at timestamptz,
  PRIMARY KEY (app_id, notice_id)
);
CREATE INDEX purchase_notices_newest ON purchase_notices (org_id, app_id, notified_at);
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON purchase_notices
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();

-- Empty where the store signed none; null: not read yet.
ALTER TABLE purchase_transactions ADD COLUMN app_transaction_id text;
CREATE INDEX purchase_transactions_of_customer
  ON purchase_transactions (app_id, environment, app_transaction_id)
  WHERE app_transaction_id <> '';
CREATE INDEX purchase_transactions_unread ON purchase_transactions (app_id)
  WHERE app_transaction_id IS NULL AND signed_text IS NOT NULL;

-- Finds those that earlier releases filed without a notice.
CREATE INDEX purchase_notification_apps_notices ON purchase_notification_apps (app_id)
  WHERE type IN ('RESCIND_CONSENT', 'EXTERNAL_PURCHASE_TOKEN');
