-- Flags of an app. The definition is what is served; rows of flag_versions say what it was before,
-- who changed it and why. flag_sets tells processes whether anything of an app changed.
CREATE TABLE flag_sets (
  app_id text PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  version bigint NOT NULL,
  -- Of the last answer with all flags; written in batches.
  bulk_asked_at timestamptz
);

CREATE TABLE flags (
  flag_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  key text NOT NULL,
  definition jsonb NOT NULL,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX flags_key ON flags (org_id, app_id, key);

CREATE TABLE flag_versions (
  flag_id text NOT NULL REFERENCES flags ON DELETE CASCADE,
  version integer NOT NULL,
  org_id text NOT NULL,
  app_id text NOT NULL,
  act text NOT NULL CHECK (act IN ('created', 'changed', 'restored')),
  definition jsonb NOT NULL,
  why text,
  by_kind text NOT NULL CHECK (by_kind IN ('user', 'orgKey')),
  by_id text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (flag_id, version)
);
CREATE INDEX flag_versions_of_app ON flag_versions (org_id, app_id, flag_id, version);

-- How often a flag was asked for, by day and key; written in batches.
CREATE TABLE flag_asks (
  flag_id text NOT NULL REFERENCES flags ON DELETE CASCADE,
  key_id text NOT NULL,
  day date NOT NULL,
  org_id text NOT NULL,
  app_id text NOT NULL,
  asks bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (flag_id, key_id, day)
);
CREATE INDEX flag_asks_of_app ON flag_asks (org_id, app_id, day);
