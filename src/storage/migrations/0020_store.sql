-- The store key of an organization; at most one. The private key is sealed before it comes here.
CREATE TABLE store_connections (
  org_id text PRIMARY KEY,
  -- Changes with every accepted key, so that work begun with an older one can tell.
  connection_id text NOT NULL UNIQUE,
  issuer_id text NOT NULL,
  key_id text NOT NULL,
  vendor_number text NOT NULL,
  sealed_key text NOT NULL,
  team_id text,
  team_type text,
  status text NOT NULL CHECK (status IN ('connected', 'invalid', 'revoked')),
  connected_at timestamptz NOT NULL,
  last_verified_at timestamptz,
  last_error text
);

-- Keys that are being verified: they replace the connection when the store accepts them.
CREATE TABLE store_candidates (
  connection_id text PRIMARY KEY,
  org_id text NOT NULL,
  issuer_id text NOT NULL,
  key_id text NOT NULL,
  vendor_number text NOT NULL,
  sealed_key text NOT NULL,
  team_id text,
  team_type text,
  created_at timestamptz NOT NULL
);
CREATE INDEX store_candidates_left ON store_candidates (created_at);

-- Apps of the store account. One that vanishes from the account stays: its sales go on being known.
CREATE TABLE store_apps (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  name text NOT NULL,
  bundle_id text NOT NULL,
  sku text NOT NULL,
  icon_url text,
  state text,
  version text,
  checked_at timestamptz,
  listed boolean NOT NULL DEFAULT true,
  app_id text,
  linked_at timestamptz,
  PRIMARY KEY (org_id, store_app_id)
);
CREATE UNIQUE INDEX store_apps_linked ON store_apps (app_id) WHERE app_id IS NOT NULL;

-- How the collection for one vendor number went last.
CREATE TABLE store_syncs (
  org_id text NOT NULL,
  vendor_number text NOT NULL,
  checked_at timestamptz,
  last_run_at timestamptz,
  last_error text,
  trials_error text,
  stopped_because text,
  -- The store wants to be left alone until then.
  wait_until timestamptz,
  apps_checked_at timestamptz,
  -- Report versions that worked last, by report type.
  versions jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (org_id, vendor_number)
);

CREATE SEQUENCE store_fact_revisions;

CREATE TABLE store_days (
  org_id text NOT NULL,
  vendor_number text NOT NULL,
  report_type text NOT NULL,
  day date NOT NULL,
  state text NOT NULL
    CHECK (state IN ('reported', 'zero', 'pending', 'inferred_zero', 'expired', 'error')),
  checked_at timestamptz NOT NULL,
  empty_seen_at timestamptz,
  -- SHA-256 of the report's text; the raw report lies in the object store under it.
  content_hash text,
  rows integer NOT NULL DEFAULT 0,
  -- Changes whenever the rows of the day do.
  facts_revision bigint NOT NULL DEFAULT 0,
  last_error text,
  PRIMARY KEY (org_id, vendor_number, day, report_type)
);

-- The rows of the reports. Amounts are exact and in the store's own currencies.
CREATE TABLE store_facts (
  org_id text NOT NULL,
  vendor_number text NOT NULL,
  day date NOT NULL,
  report_type text NOT NULL,
  line integer NOT NULL,
  store_id text NOT NULL,
  parent_store_id text,
  sku text NOT NULL,
  parent_sku text,
  title text NOT NULL,
  product_type text NOT NULL,
  country text NOT NULL,
  device text NOT NULL,
  units numeric NOT NULL,
  bundle_credit boolean NOT NULL,
  trials integer NOT NULL,
  proceeds numeric NOT NULL,
  proceeds_currency text NOT NULL,
  customer_spend numeric NOT NULL,
  customer_currency text NOT NULL,
  PRIMARY KEY (org_id, vendor_number, day, report_type, line)
);

-- Requests to the store that one key has under way; more than two at once make it answer 429.
CREATE TABLE store_key_slots (
  key_id text NOT NULL,
  slot integer NOT NULL CHECK (slot IN (1, 2)),
  holder text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (key_id, slot)
);
