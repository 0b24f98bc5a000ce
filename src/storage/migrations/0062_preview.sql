-- The command that runs an app's preview; set by an operator, never through the API.
CREATE TABLE preview_runners (
  app_id text PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  -- For a shell, with a scrubbed environment.
  command text NOT NULL,
  updated_at timestamptz NOT NULL
);

-- The last session of each app.
CREATE TABLE preview_sessions (
  app_id text PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  session_id text NOT NULL,
  phase text NOT NULL
    CHECK (phase IN ('starting', 'installing', 'ready', 'error', 'stopping', 'stopped')),
  web_url text,
  expo_url text,
  version integer,
  errors jsonb NOT NULL DEFAULT '[]',
  error text,
  started_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
