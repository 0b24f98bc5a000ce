CREATE TABLE apps (
  app_id text PRIMARY KEY,
  org_id text NOT NULL,
  slug text NOT NULL,
  display_name text NOT NULL,
  region text NOT NULL,
  status text NOT NULL CHECK (status IN ('provisioning', 'active', 'paused', 'error')),
  source text NOT NULL CHECK (source IN ('built_here', 'imported', 'website')),
  bundle_id text,
  store_app_id text,
  icon_url text,
  store_state text,
  store_version text,
  store_checked_at timestamptz,
  backend_project_ref text,
  backend_connected boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  -- Set at once when a deletion is accepted; the workflow removes the row when all else is gone.
  deleted_at timestamptz
);

CREATE UNIQUE INDEX apps_slug_in_organization ON apps (org_id, slug) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX apps_store_app_in_organization ON apps (org_id, store_app_id)
  WHERE deleted_at IS NULL AND store_app_id IS NOT NULL;
CREATE INDEX apps_bundle ON apps (bundle_id) WHERE deleted_at IS NULL AND bundle_id IS NOT NULL;
CREATE INDEX apps_unfinished ON apps (created_at)
  WHERE status = 'provisioning' OR deleted_at IS NOT NULL;

-- One row per app: where its events belong and how long things are kept (null: for ever).
CREATE TABLE app_datasets (
  app_id text PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  event_retention_days integer,
  log_retention_days integer DEFAULT 30,
  notification_retention_days integer DEFAULT 400,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Limits that an operator raised for one app; the specification's figures hold where no row is.
CREATE TABLE app_limits (
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  name text NOT NULL,
  points bigint NOT NULL CHECK (points > 0),
  PRIMARY KEY (app_id, name)
);

CREATE TABLE publishable_keys (
  key_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  name text NOT NULL,
  -- The first characters, so that a person recognises the key; never enough to use it.
  prefix text NOT NULL,
  secret_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX publishable_keys_of_app ON publishable_keys (org_id, app_id, created_at);

-- Workflows that must run: written with the rows they are about, started after the commit, and
-- started by a sweeper when that did not happen.
CREATE TABLE outbox (
  outbox_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text,
  workflow_type text NOT NULL,
  workflow_id text NOT NULL,
  input jsonb NOT NULL,
  summary text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  started_at timestamptz
);
CREATE INDEX outbox_waiting ON outbox (next_attempt_at) WHERE started_at IS NULL;
CREATE INDEX outbox_started ON outbox (started_at) WHERE started_at IS NOT NULL;
