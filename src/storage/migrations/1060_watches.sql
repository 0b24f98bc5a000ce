-- Figures of saved questions that are looked at after each whole interval.
CREATE TABLE watches (
  watch_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  question_id text NOT NULL REFERENCES saved_questions ON DELETE CASCADE,
  figure jsonb NOT NULL,
  rule jsonb NOT NULL,
  owner_kind text NOT NULL CHECK (owner_kind IN ('user', 'orgKey')),
  owner_id text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'quiet', 'beyond')),
  -- End of the interval with which the state began.
  since timestamptz,
  -- End of the last judged interval.
  looked_through timestamptz,
  -- When the next interval can be judged.
  due_at timestamptz NOT NULL,
  -- Why the last look gave no answer.
  error text
);
CREATE INDEX watches_of_app ON watches (org_id, app_id, created_at);
CREATE INDEX watches_due ON watches (org_id, due_at);
CREATE INDEX watches_of_question ON watches (question_id);
CREATE INDEX watches_by_app ON watches (app_id);

CREATE TABLE watch_looks (
  org_id text NOT NULL,
  watch_id text NOT NULL REFERENCES watches ON DELETE CASCADE,
  to_at timestamptz NOT NULL,
  look jsonb NOT NULL,
  PRIMARY KEY (org_id, watch_id, to_at)
);
CREATE INDEX watch_looks_of_watch ON watch_looks (watch_id);
CREATE INDEX watch_looks_by_age ON watch_looks (to_at);

-- Organizations whose watches are looked at every hour.
CREATE TABLE watch_checks (
  org_id text PRIMARY KEY,
  updated_at timestamptz NOT NULL,
  -- Null: the schedule has yet to be there.
  run_ensured_at timestamptz
);
CREATE INDEX watch_checks_unensured ON watch_checks (updated_at) WHERE run_ensured_at IS NULL;

-- Whoever makes a watch wants to be told.
ALTER TABLE message_settings ADD COLUMN watches boolean NOT NULL DEFAULT true;
ALTER TABLE messages DROP CONSTRAINT messages_kind_check;
ALTER TABLE messages ADD CONSTRAINT messages_kind_check
  CHECK (kind IN ('alert', 'subscriber', 'refund', 'billing_problem', 'watch'));
