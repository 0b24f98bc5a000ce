-- What the store signed, beside what the entitlement needs of it. Money is in milliunits of the
-- currency (10990 is 10.99), as it was signed; words are the store's own.
ALTER TABLE purchase_transactions
  -- The newest signed text; gone after the app's retention and when its person is erased.
  ADD COLUMN signed_text text,
  ADD COLUMN text_received_at timestamptz,
  -- When the text that the columns below come from was signed; null: not read yet.
  ADD COLUMN fields_signed_ms bigint,
  ADD COLUMN price_milliunits bigint,
  ADD COLUMN currency text,
  ADD COLUMN storefront text,
  ADD COLUMN quantity bigint,
  ADD COLUMN subscription_group text,
  ADD COLUMN original_purchase_ms bigint,
  ADD COLUMN offer_type bigint,
  ADD COLUMN offer_identifier text,
  ADD COLUMN offer_discount_type text,
  ADD COLUMN offer_period text,
  ADD COLUMN transaction_reason text,
  ADD COLUMN revocation_reason bigint,
  ADD COLUMN revocation_type text,
  ADD COLUMN revocation_percentage_milliunits bigint;
CREATE INDEX purchase_transactions_text ON purchase_transactions (app_id, text_received_at)
  WHERE signed_text IS NOT NULL;

-- Renewal information as it changed: one row each time that it says something else than before.
CREATE TABLE purchase_renewals (
  app_id text NOT NULL,
  org_id text NOT NULL,
  environment text NOT NULL,
  original_transaction_id text NOT NULL,
  signed_ms bigint NOT NULL,
  content_hash text NOT NULL,
  signed_text text,
  text_received_at timestamptz NOT NULL,
  product_id text,
  auto_renew_product_id text,
  will_renew boolean NOT NULL,
  in_billing_retry boolean NOT NULL,
  expiration_intent bigint,
  grace_expires_ms bigint,
  renews_ms bigint,
  subscription_start_ms bigint,
  renewal_price_milliunits bigint,
  currency text,
  price_increase_status bigint,
  offer_type bigint,
  offer_identifier text,
  offer_discount_type text,
  offer_period text,
  PRIMARY KEY (app_id, environment, original_transaction_id, signed_ms),
  FOREIGN KEY (app_id, environment, original_transaction_id) REFERENCES purchase_chains
    ON DELETE CASCADE
);
CREATE INDEX purchase_renewals_text ON purchase_renewals (app_id, text_received_at)
  WHERE signed_text IS NOT NULL;

ALTER TABLE purchase_chains
  -- False once a person who held it was erased.
  ADD COLUMN keeps_signed_text boolean NOT NULL DEFAULT true,
  -- The store's transaction history: null is wanted.
  ADD COLUMN history_read_at timestamptz,
  ADD COLUMN history_revision text,
  ADD COLUMN history_next_at timestamptz,
  ADD COLUMN history_tries smallint NOT NULL DEFAULT 0,
  ADD COLUMN history_error text;
CREATE INDEX purchase_chains_history_wanted ON purchase_chains (app_id)
  WHERE history_read_at IS NULL AND history_tries < 5;

-- Null: applied by a release that did not keep what was signed, so it is read once more.
ALTER TABLE purchase_notifications ADD COLUMN signed_kept_at timestamptz;
CREATE INDEX purchase_notifications_unread ON purchase_notifications (received_at)
  WHERE signed_kept_at IS NULL AND applied_at IS NOT NULL;

-- The first look into the notification history reached back seven days only: it begins anew.
UPDATE purchase_recoveries SET recovered_through = NULL, started_at = NULL;
