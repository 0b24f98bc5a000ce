-- Organizations that are being removed. Their row in auth.organization is gone already, so that
-- nobody can act for them; this one says what is left to do.
CREATE TABLE organization_deletions (
  org_id text PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX organization_deletions_unfinished ON organization_deletions (requested_at)
  WHERE finished_at IS NULL;
