-- What an organization is told at once; without a row nothing.
CREATE TABLE message_settings (
  org_id text PRIMARY KEY,
  alerts boolean NOT NULL,
  subscribers boolean NOT NULL,
  refunds boolean NOT NULL,
  billing_problems boolean NOT NULL,
  -- {"timezone", "fromHour", "toHour"}: messages of these hours wait for their end.
  quiet_hours jsonb,
  updated_at timestamptz NOT NULL,
  -- Null: the schedule of the check for alerts has yet to become what this row says.
  run_ensured_at timestamptz
);
CREATE INDEX message_settings_unensured ON message_settings (updated_at)
  WHERE run_ensured_at IS NULL;

-- One row for each happening that somebody wants to be told; the key holds a repetition.
CREATE TABLE messages (
  org_id text NOT NULL,
  message_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('alert', 'subscriber', 'refund', 'billing_problem')),
  text text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Null: not told yet.
  bundle_id text,
  PRIMARY KEY (org_id, message_id)
);
CREATE INDEX messages_untold ON messages (org_id, created_at, message_id) WHERE bundle_id IS NULL;
CREATE INDEX messages_by_age ON messages (created_at);
CREATE INDEX messages_of_app ON messages (app_id);

-- What is said in one go, to every destination that was there then.
CREATE TABLE message_bundles (
  org_id text NOT NULL,
  bundle_id text NOT NULL,
  -- Lines that it takes of those that a minute has.
  lines smallint NOT NULL,
  bundle jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, bundle_id)
);
CREATE INDEX message_bundles_of_org ON message_bundles (org_id, created_at);
CREATE INDEX message_bundles_by_age ON message_bundles (created_at);

CREATE TABLE message_posts (
  org_id text NOT NULL,
  bundle_id text NOT NULL,
  destination_id text NOT NULL REFERENCES digest_destinations ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'posting', 'sent', 'failed')),
  error text,
  -- Since when a worker is posting it, and how often nobody knew whether it had arrived.
  claimed_at timestamptz,
  repeats smallint NOT NULL DEFAULT 0,
  -- Null: its run was not ensured yet.
  run_ensured_at timestamptz,
  PRIMARY KEY (org_id, bundle_id, destination_id),
  FOREIGN KEY (org_id, bundle_id) REFERENCES message_bundles ON DELETE CASCADE
);
CREATE INDEX message_posts_unensured ON message_posts (created_at)
  WHERE run_ensured_at IS NULL AND state IN ('pending', 'posting');
CREATE INDEX message_posts_open ON message_posts (run_ensured_at)
  WHERE state IN ('pending', 'posting');
CREATE INDEX message_posts_of_destination ON message_posts (destination_id);

-- Insights that ask to act, from their beginning to their end.
CREATE TABLE alerts (
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  code text NOT NULL,
  began_at timestamptz NOT NULL,
  -- Since when no check has found it; null while it is there.
  absent_since timestamptz,
  PRIMARY KEY (org_id, app_id, code)
);
CREATE INDEX alerts_of_app ON alerts (app_id);

ALTER TABLE digest_posts
  ADD COLUMN claimed_at timestamptz,
  ADD COLUMN repeats smallint NOT NULL DEFAULT 0;
