-- The store's own webhook of a store app, one address each.
CREATE TABLE store_webhooks (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  hook_id text NOT NULL UNIQUE,
  sealed_secret text NOT NULL,
  -- Accepted for a day after a rotation.
  sealed_previous_secret text,
  rotated_at timestamptz NOT NULL,
  -- In the store's account; null where a person has to enter it there.
  account_webhook_id text,
  -- Why it is not.
  last_error text,
  last_delivery_at timestamptz,
  pinged_at timestamptz,
  -- A version changed its state: to be read again.
  hinted_at timestamptz,
  PRIMARY KEY (org_id, store_app_id)
);
CREATE INDEX store_webhooks_hinted ON store_webhooks (hinted_at) WHERE hinted_at IS NOT NULL;

CREATE TABLE store_webhook_deliveries (
  org_id text NOT NULL,
  hook_id text NOT NULL REFERENCES store_webhooks (hook_id) ON DELETE CASCADE,
  delivery_id text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, hook_id, delivery_id)
);
CREATE INDEX store_webhook_deliveries_of_hook ON store_webhook_deliveries (hook_id);
CREATE INDEX store_webhook_deliveries_by_age ON store_webhook_deliveries (received_at);
