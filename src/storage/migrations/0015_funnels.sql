-- Funnels of an app: what is counted, in which order. Reports are computed, never stored.
CREATE TABLE funnels (
  funnel_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL,
  name text NOT NULL,
  steps jsonb NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX funnels_app ON funnels (app_id, created_at);
CREATE UNIQUE INDEX funnels_one_default ON funnels (app_id) WHERE is_default;

-- How long people of an app have to convert when a report does not say (hours, 336 without a row).
CREATE TABLE funnel_settings (
  app_id text PRIMARY KEY,
  org_id text NOT NULL,
  window_hours integer NOT NULL CHECK (window_hours BETWEEN 1 AND 2160),
  updated_at timestamptz NOT NULL
);
