ALTER TABLE experiments
  -- What the report measures: {windowHours, margin, metrics, funnel}. Null: the defaults.
  ADD COLUMN measurement jsonb,
  -- The arm whose onboarding was made the default: {armId, at, by: {kind, id}}.
  ADD COLUMN shipped jsonb;

-- Devices that are shown an arm by hand.
CREATE TABLE experiment_overrides (
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  experiment_id text NOT NULL REFERENCES experiments ON DELETE CASCADE,
  anonymous_id text NOT NULL,
  arm_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (experiment_id, anonymous_id)
);
CREATE INDEX experiment_overrides_of_app ON experiment_overrides (org_id, app_id, anonymous_id);
