-- Questions with a name and an address; who made one owns it.
CREATE TABLE saved_questions (
  question_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  name text NOT NULL,
  question jsonb NOT NULL,
  owner_kind text NOT NULL CHECK (owner_kind IN ('user', 'orgKey')),
  owner_id text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT saved_questions_name UNIQUE (org_id, app_id, name)
);
