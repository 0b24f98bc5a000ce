-- Log entries of the organizations, one partition a day (made by the writer, dropped by retention).
CREATE TABLE logs (
  org_id text NOT NULL,
  at timestamptz NOT NULL,
  log_id text NOT NULL,
  level text NOT NULL,
  service text NOT NULL,
  env text,
  request_id text,
  -- `fields.appId`: decides how long the entry is kept, and goes with the app.
  app_id text,
  -- {message, fields} as JSON text: it can hold what text and jsonb refuse, such as NUL.
  entry text NOT NULL,
  -- What `q` looks in, lower case; the C collation makes a search compare bytes.
  haystack text COLLATE "C" NOT NULL,
  PRIMARY KEY (org_id, at, log_id)
) PARTITION BY RANGE (at);

-- The services and environments that an organization has logged under, by day.
CREATE TABLE log_facets (
  org_id text NOT NULL,
  day date NOT NULL,
  service text NOT NULL,
  env text NOT NULL,
  PRIMARY KEY (org_id, day, service, env)
);
