-- Renewal dates that the store was asked to extend: once for each id that a customer gives. Without
-- `extended_at` the answer of the store is awaited, or was lost. `expires_ms` is the end before.
CREATE TABLE purchase_extensions (
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  request_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
  original_transaction_id text NOT NULL,
  days integer NOT NULL,
  reason text NOT NULL,
  expires_ms bigint NOT NULL,
  asked_at timestamptz NOT NULL,
  asked_by jsonb NOT NULL,
  extended_at timestamptz,
  renews_at timestamptz,
  PRIMARY KEY (org_id, app_id, request_id)
);
