-- What the store signed since a moment, of one app.
CREATE INDEX purchase_transactions_recent
  ON purchase_transactions (org_id, app_id, environment, signed_ms);
CREATE INDEX purchase_renewals_recent ON purchase_renewals (org_id, app_id, environment, signed_ms);
