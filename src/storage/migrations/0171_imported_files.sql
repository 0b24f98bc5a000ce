-- Export files of other products whose events were imported, by the hash of their content: a second
-- run adds nothing, one that was interrupted goes on.
CREATE TABLE imported_files (
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  content_hash text NOT NULL,
  format text NOT NULL,
  lines bigint NOT NULL,
  events bigint NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (app_id, content_hash)
);
CREATE INDEX imported_files_of_org ON imported_files (org_id);
