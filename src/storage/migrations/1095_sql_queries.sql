-- SQL that people keep under a name.
CREATE TABLE sql_queries (
  query_id text PRIMARY KEY,
  org_id text NOT NULL,
  name text NOT NULL,
  sql text NOT NULL,
  parameters jsonb NOT NULL,
  owner_kind text NOT NULL CHECK (owner_kind IN ('user', 'orgKey')),
  owner_id text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT sql_queries_name UNIQUE (org_id, name)
);
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON sql_queries
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();
