-- What the store said of a key that waits to become the connection: a run does not decide that.
ALTER TABLE store_candidates ADD COLUMN verified_at timestamptz, ADD COLUMN refused_at timestamptz;
-- The app that a recorded project shall be attached to, until it is.
ALTER TABLE backend_projects ADD COLUMN wanted_app_id text;
CREATE UNIQUE INDEX backend_projects_wanted ON backend_projects (wanted_app_id)
  WHERE wanted_app_id IS NOT NULL;
