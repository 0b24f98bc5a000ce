CREATE TABLE onboardings (
  onboarding_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  name text NOT NULL,
  config jsonb NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX onboardings_of_app ON onboardings (org_id, app_id, created_at);
CREATE UNIQUE INDEX onboardings_one_default ON onboardings (app_id) WHERE is_default;

CREATE TABLE experiments (
  experiment_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'running', 'stopped')),
  -- [{id, name, weight, onboardingId}] in the order that people are dealt in.
  arms jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  stopped_at timestamptz
);
CREATE INDEX experiments_of_app ON experiments (org_id, app_id, created_at);
CREATE UNIQUE INDEX experiments_one_running ON experiments (app_id) WHERE status = 'running';
