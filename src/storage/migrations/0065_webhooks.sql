CREATE TABLE webhooks (
  webhook_id text PRIMARY KEY,
  org_id text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  -- Sealed by the secret store, bound to the organization.
  sealed_secret text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX webhooks_of_organization ON webhooks (org_id, created_at);

CREATE TABLE webhook_deliveries (
  delivery_id text PRIMARY KEY,
  org_id text NOT NULL,
  webhook_id text NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  event_type text NOT NULL,
  -- The body as it is signed and sent, to the byte.
  body text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX webhook_deliveries_of_webhook
  ON webhook_deliveries (org_id, webhook_id, created_at DESC, delivery_id DESC);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (created_at) WHERE status = 'pending';

CREATE TABLE webhook_attempts (
  delivery_id text NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
  org_id text NOT NULL,
  attempted_at timestamptz NOT NULL,
  -- What the address answered; null when no answer came, and `error` says why.
  response_status integer,
  error text,
  duration_ms integer NOT NULL
);
CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (delivery_id, attempted_at);
