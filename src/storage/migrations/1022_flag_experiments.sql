-- Experiments whose arms give values to rules of flags. Beside those of onboardings, so that an
-- earlier release reads and runs its own as before.
CREATE TABLE flag_experiments (
  experiment_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'running', 'stopped')),
  -- [{id, name, weight}] in the order of their parts of the people.
  arms jsonb NOT NULL,
  -- {name, fromPercent, toPercent}
  layer jsonb,
  measurement jsonb,
  shipped jsonb,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  stopped_at timestamptz
);
CREATE INDEX flag_experiments_of_app ON flag_experiments (org_id, app_id, created_at);

-- Overrides of both; deleted with the experiment by the statement that deletes it.
ALTER TABLE experiment_overrides DROP CONSTRAINT experiment_overrides_experiment_id_fkey;
