-- The In-App Purchase key of an organization; the key itself is sealed.
CREATE TABLE purchase_connections (
  org_id text PRIMARY KEY,
  issuer_id text NOT NULL,
  key_id text NOT NULL,
  sealed_key text NOT NULL,
  status text NOT NULL CHECK (status IN ('connected', 'invalid')),
  connected_at timestamptz NOT NULL,
  last_verified_at timestamptz,
  last_error text
);

-- Without a row the defaults hold: transfer, anybody, nothing forwarded.
CREATE TABLE purchase_settings (
  app_id text PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  ownership text NOT NULL CHECK (ownership IN ('transfer', 'keep', 'share')),
  sandbox_access text NOT NULL CHECK (sandbox_access IN ('anybody', 'listed', 'nobody')),
  sandbox_listed text[] NOT NULL,
  forward_url text,
  sealed_forward_secret text,
  updated_at timestamptz NOT NULL
);

-- All that shares an original transaction, folded: `digest` is made anew from every snapshot of the
-- chain whenever one changes. Times that end in _ms are the store's, in milliseconds.
CREATE TABLE purchase_chains (
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
  original_transaction_id text NOT NULL,
  digest jsonb,
  renewal jsonb,
  renewal_signed_ms bigint,
  status smallint,
  status_as_of_ms bigint,
  status_transaction_id text,
  app_account_token text,
  -- First free trial and first paid period after it; production purchases of one's own only.
  trial_started_at timestamptz,
  trial_converted_at timestamptz,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (app_id, environment, original_transaction_id)
);
CREATE INDEX purchase_chains_trials ON purchase_chains (app_id, trial_started_at)
  WHERE trial_started_at IS NOT NULL;
CREATE INDEX purchase_chains_conversions ON purchase_chains (app_id, trial_converted_at)
  WHERE trial_converted_at IS NOT NULL;

CREATE TABLE purchase_transactions (
  app_id text NOT NULL,
  org_id text NOT NULL,
  environment text NOT NULL,
  transaction_id text NOT NULL,
  original_transaction_id text NOT NULL,
  snapshot jsonb NOT NULL,
  signed_ms bigint NOT NULL,
  PRIMARY KEY (app_id, environment, transaction_id),
  FOREIGN KEY (app_id, environment, original_transaction_id) REFERENCES purchase_chains
    ON DELETE CASCADE
);
CREATE INDEX purchase_transactions_of_chain
  ON purchase_transactions (app_id, environment, original_transaction_id);

-- Who a chain belongs to: a user, an anonymous id, the account token it was signed with.
CREATE TABLE purchase_links (
  app_id text NOT NULL,
  org_id text NOT NULL,
  environment text NOT NULL,
  original_transaction_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('user', 'anonymous', 'token')),
  person_id text NOT NULL,
  linked_at timestamptz NOT NULL,
  PRIMARY KEY (app_id, environment, original_transaction_id, kind, person_id),
  FOREIGN KEY (app_id, environment, original_transaction_id) REFERENCES purchase_chains
    ON DELETE CASCADE
);
CREATE INDEX purchase_links_person ON purchase_links (app_id, kind, person_id);

CREATE TABLE purchase_audit (
  audit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id text NOT NULL,
  org_id text NOT NULL,
  environment text NOT NULL,
  original_transaction_id text NOT NULL,
  action text NOT NULL,
  from_kind text,
  from_id text,
  to_kind text,
  to_id text,
  actor jsonb NOT NULL,
  at timestamptz NOT NULL,
  FOREIGN KEY (app_id, environment, original_transaction_id) REFERENCES purchase_chains
    ON DELETE CASCADE
);
CREATE INDEX purchase_audit_of_chain
  ON purchase_audit (app_id, original_transaction_id, audit_id);

-- What the store sent, as it sent it. Applied is what every app of the bundle has taken in.
CREATE TABLE purchase_notifications (
  environment text NOT NULL,
  notification_id text NOT NULL,
  bundle_id text NOT NULL,
  store_app_id text,
  type text NOT NULL,
  subtype text,
  signed_at timestamptz NOT NULL,
  payload text NOT NULL,
  received_at timestamptz NOT NULL,
  applied_at timestamptz,
  last_error text,
  PRIMARY KEY (environment, notification_id)
);
CREATE INDEX purchase_notifications_waiting ON purchase_notifications (received_at)
  WHERE applied_at IS NULL;
CREATE INDEX purchase_notifications_age ON purchase_notifications (received_at);

-- One row for each app that a notification was applied to: exactly once each.
CREATE TABLE purchase_notification_apps (
  environment text NOT NULL,
  notification_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  type text NOT NULL,
  received_at timestamptz NOT NULL,
  applied_at timestamptz NOT NULL,
  PRIMARY KEY (environment, notification_id, app_id),
  FOREIGN KEY (environment, notification_id) REFERENCES purchase_notifications ON DELETE CASCADE
);
CREATE INDEX purchase_notification_apps_latest
  ON purchase_notification_apps (app_id, received_at DESC);

-- Deliveries to the customer's own address.
CREATE TABLE purchase_forwards (
  environment text NOT NULL,
  notification_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  last_status integer,
  last_error text,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (environment, notification_id, app_id),
  FOREIGN KEY (environment, notification_id) REFERENCES purchase_notifications ON DELETE CASCADE
);
CREATE INDEX purchase_forwards_pending ON purchase_forwards (created_at)
  WHERE state = 'pending';

-- How far the store's notification history has been read.
CREATE TABLE purchase_recoveries (
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  environment text NOT NULL,
  recovered_through timestamptz,
  started_at timestamptz,
  last_error text,
  PRIMARY KEY (app_id, environment)
);

-- Certificate chains that signed data was trusted with, and what the store's responder says of them.
CREATE TABLE store_certificate_chains (
  fingerprint text PRIMARY KEY,
  leaf bytea NOT NULL,
  intermediate bytea NOT NULL,
  first_seen_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'unchecked' CHECK (state IN ('unchecked', 'good', 'revoked')),
  checked_at timestamptz,
  last_error text
);
