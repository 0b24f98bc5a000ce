-- Names of entitlements that purchase events have to be about; empty for all of them.
ALTER TABLE webhooks ADD COLUMN entitlements text[] NOT NULL DEFAULT '{}';
