-- Backend projects of the organizations, those made here and those an operator assigned.
CREATE TABLE backend_projects (
  backend_project_id text PRIMARY KEY,
  org_id text NOT NULL,
  -- Null for a project that no app uses; it stays when its app is deleted.
  app_id text UNIQUE,
  origin text NOT NULL CHECK (origin IN ('created', 'assigned')),
  -- What the provider calls it; unique, so that a project whose answer was lost can be found again.
  name text NOT NULL UNIQUE,
  -- Null until the project is known to exist.
  project_ref text UNIQUE,
  url text,
  -- Sealed, null for an assigned project.
  sealed_database_password text,
  -- Set before the provider is asked to make it and cleared only when it certainly was not made.
  attempted_at timestamptz,
  connected_at timestamptz,
  health text CHECK (health IN ('healthy', 'coming_up', 'unhealthy')),
  health_checked_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX backend_projects_of_organization ON backend_projects (org_id);
