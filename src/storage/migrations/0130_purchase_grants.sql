-- Promotional entitlements, which nobody pays for. `ended_at` is null while one is in force.
CREATE TABLE purchase_grants (
  grant_id text PRIMARY KEY,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  user_id text NOT NULL,
  product_id text NOT NULL,
  expires_at timestamptz,
  note text,
  granted_at timestamptz NOT NULL,
  granted_by jsonb NOT NULL,
  ended_at timestamptz,
  end_reason text CHECK (end_reason IN ('revoked', 'expired'))
);
CREATE UNIQUE INDEX purchase_grants_in_force ON purchase_grants (app_id, user_id, product_id)
  WHERE ended_at IS NULL;
CREATE INDEX purchase_grants_of_app ON purchase_grants (app_id, grant_id);
CREATE INDEX purchase_grants_of_user ON purchase_grants (app_id, user_id);
CREATE INDEX purchase_grants_due ON purchase_grants (expires_at)
  WHERE ended_at IS NULL AND expires_at IS NOT NULL;

-- Beside `purchase_audit`, whose rows belong to chains; one sequence puts both in one order.
CREATE TABLE purchase_grant_audit (
  audit_id bigint PRIMARY KEY
    DEFAULT nextval(pg_get_serial_sequence('purchase_audit', 'audit_id')),
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  grant_id text NOT NULL,
  action text NOT NULL CHECK (action IN ('granted', 'revoked', 'expired')),
  product_id text NOT NULL,
  user_id text NOT NULL,
  actor jsonb NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX purchase_grant_audit_of_app ON purchase_grant_audit (app_id, audit_id);
