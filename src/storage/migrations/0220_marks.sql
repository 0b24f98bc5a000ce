-- Notes that people write beside time charts; all other marks follow from what is there already.
CREATE TABLE mark_notes (
  mark_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  day date NOT NULL,
  text text NOT NULL,
  author_kind text NOT NULL CHECK (author_kind IN ('user', 'orgKey')),
  author_id text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX mark_notes_of_app ON mark_notes (org_id, app_id, day, created_at);
