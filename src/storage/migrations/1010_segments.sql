-- Named rules about people. Whatever names a segment writes so in segment_uses in its transaction:
-- a used one cannot be deleted, whoever comes first.
CREATE TABLE segments (
  segment_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  name text NOT NULL,
  rule jsonb NOT NULL,
  author_kind text NOT NULL CHECK (author_kind IN ('user', 'orgKey')),
  author_id text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT segments_name UNIQUE (org_id, app_id, name)
);

CREATE TABLE segment_uses (
  segment_id text NOT NULL REFERENCES segments,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  -- 'segment', 'question' or 'flag', with its id and its name.
  kind text NOT NULL,
  used_by text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (org_id, app_id, segment_id, kind, used_by)
);
CREATE INDEX segment_uses_of_segment ON segment_uses (segment_id);
CREATE INDEX segment_uses_of_user ON segment_uses (org_id, app_id, kind, used_by);
