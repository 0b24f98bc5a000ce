-- The morning digest of an organization; without a row it is off.
CREATE TABLE digest_settings (
  org_id text PRIMARY KEY,
  is_on boolean NOT NULL,
  timezone text NOT NULL,
  hour smallint NOT NULL CHECK (hour BETWEEN 4 AND 12),
  updated_at timestamptz NOT NULL,
  -- Null: the schedule has yet to become what this row says.
  run_ensured_at timestamptz
);
CREATE INDEX digest_settings_unensured ON digest_settings (updated_at) WHERE run_ensured_at IS NULL;

CREATE TABLE digest_destinations (
  destination_id text PRIMARY KEY,
  org_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('mail', 'slack', 'discord', 'json')),
  name text NOT NULL,
  -- The address, of which whoever knows it may post.
  sealed_target text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Why nothing is sent there any more.
  gone_reason text
);
CREATE INDEX digest_destinations_of_org ON digest_destinations (org_id, created_at);

-- One digest a day: the key holds whatever starts a run twice.
CREATE TABLE digests (
  org_id text NOT NULL,
  day date NOT NULL,
  digest jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, day)
);

CREATE TABLE digest_posts (
  org_id text NOT NULL,
  day date NOT NULL,
  destination_id text NOT NULL REFERENCES digest_destinations ON DELETE CASCADE,
  -- `posting`: asked for; what a worker that died leaves is not repeated.
  state text NOT NULL CHECK (state IN ('pending', 'posting', 'sent', 'failed')),
  error text,
  PRIMARY KEY (org_id, day, destination_id),
  FOREIGN KEY (org_id, day) REFERENCES digests ON DELETE CASCADE
);
