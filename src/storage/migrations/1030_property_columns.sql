-- What questions asked about properties that projections do not hold: how often of late, and whether
-- the budget has room for columns of it. Bounded by app.
CREATE TABLE event_property_uses (
  org_id text NOT NULL,
  app_id text NOT NULL,
  prop text NOT NULL,
  -- Uses, each worth half of itself a week later; as of used_at.
  score double precision NOT NULL,
  used_at timestamptz NOT NULL,
  is_chosen boolean NOT NULL DEFAULT false,
  PRIMARY KEY (org_id, app_id, prop)
);
CREATE INDEX event_property_uses_chosen ON event_property_uses (app_id) WHERE is_chosen;

-- A property of one file's rows, for the projection that it names. Derived: a question whose file has
-- none reads the file.
CREATE TABLE event_property_columns (
  file_id text NOT NULL REFERENCES event_files ON DELETE CASCADE,
  prop text NOT NULL,
  org_id text NOT NULL,
  app_id text NOT NULL,
  projection text NOT NULL,
  format smallint NOT NULL,
  path text NOT NULL UNIQUE,
  bytes bigint NOT NULL,
  PRIMARY KEY (file_id, prop)
);
CREATE INDEX event_property_columns_of_app ON event_property_columns (org_id, app_id, prop);
