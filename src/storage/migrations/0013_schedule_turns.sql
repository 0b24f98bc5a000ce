-- What is done once in a while by one process of all.
CREATE TABLE schedule_turns (
  name text PRIMARY KEY,
  taken_at timestamptz NOT NULL
);
