-- The service account by which Google Play is asked about an app. `push_email` is the account that
-- signs its notifications; without one none is taken.
CREATE TABLE play_connections (
  app_id text PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  package_name text NOT NULL,
  client_email text NOT NULL,
  private_key_id text NOT NULL,
  sealed_key text NOT NULL,
  push_email text,
  status text NOT NULL CHECK (status IN ('connected', 'invalid')),
  connected_at timestamptz NOT NULL,
  last_verified_at timestamptz NOT NULL,
  last_error text
);
CREATE INDEX play_connections_of_org ON play_connections (org_id, app_id);
CREATE INDEX play_connections_of_package ON play_connections (package_name);
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON play_connections
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();
