-- For how many days an organization keeps its audit; without a row 400.
CREATE TABLE audit_settings (
  org_id text PRIMARY KEY,
  kept_days integer NOT NULL CHECK (kept_days BETWEEN 30 AND 3650),
  updated_at timestamptz NOT NULL
);
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON audit_settings
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();
