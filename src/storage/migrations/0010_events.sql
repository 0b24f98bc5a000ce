-- The catalogue of event files. One row, locked by every commit: its numbers order the commits.
CREATE TABLE event_catalogue (
  id integer PRIMARY KEY CHECK (id = 1),
  -- Grows with every compaction, app deletion and erasure: what a writer read is then out of date.
  seq bigint NOT NULL
);
INSERT INTO event_catalogue (id, seq) VALUES (1, 0);

-- Parquet files. org_id, app_id: null in files of many apps (level 0). Level 1: one app and UTC
-- day. Level 2: one app, closed days of one month.
CREATE TABLE event_files (
  file_id text PRIMARY KEY,
  org_id text,
  app_id text,
  level smallint NOT NULL,
  day date,
  path text NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  min_occurred_at timestamptz NOT NULL,
  max_occurred_at timestamptz NOT NULL,
  min_received_at timestamptz NOT NULL,
  max_received_at timestamptz NOT NULL,
  -- The persons in it are resolved with every mapping up to this number.
  people_seq bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('live', 'retired')),
  created_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz
);
CREATE INDEX event_files_live ON event_files (level, created_at) WHERE state = 'live';
CREATE INDEX event_files_retired ON event_files (retired_at) WHERE state = 'retired';

-- The rows of each app in each live file; an app without a row here has nothing in the file.
CREATE TABLE event_file_apps (
  app_id text NOT NULL,
  file_id text NOT NULL REFERENCES event_files ON DELETE CASCADE,
  org_id text NOT NULL,
  first_row bigint NOT NULL,
  rows bigint NOT NULL,
  min_occurred_at timestamptz NOT NULL,
  max_occurred_at timestamptz NOT NULL,
  PRIMARY KEY (app_id, file_id)
);
CREATE INDEX event_file_apps_file ON event_file_apps (file_id);

-- Log segments whose events are in the catalogue.
CREATE TABLE event_segments (
  segment_id text PRIMARY KEY,
  seq bigint NOT NULL,
  compacted_at timestamptz NOT NULL DEFAULT now()
);

-- Identities of the events of the last days: files of sorted 16-byte keys.
CREATE TABLE event_key_runs (
  run_id text PRIMARY KEY,
  path text NOT NULL,
  keys bigint NOT NULL,
  seq bigint NOT NULL,
  min_received_at timestamptz NOT NULL,
  max_received_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('live', 'retired')),
  retired_at timestamptz
);

-- anonymousId → userId, the first by receipt; never pointed elsewhere.
CREATE TABLE event_people (
  app_id text NOT NULL,
  anonymous_id text NOT NULL,
  user_id text NOT NULL,
  org_id text NOT NULL,
  mapped_at timestamptz NOT NULL,
  catalogued_seq bigint NOT NULL,
  PRIMARY KEY (app_id, anonymous_id)
);
CREATE INDEX event_people_seq ON event_people (app_id, catalogued_seq);
CREATE INDEX event_people_user ON event_people (app_id, user_id);

-- Who was erased. The plain id stays only until every file has been rewritten without it.
CREATE TABLE event_erasures (
  app_id text NOT NULL,
  subject_hash text NOT NULL,
  org_id text NOT NULL,
  subject text,
  -- Files corrected up to this number are free of the person.
  seq bigint NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (app_id, subject_hash)
);
CREATE INDEX event_erasures_pending ON event_erasures (app_id) WHERE subject IS NOT NULL;

-- Apps whose events are gone; what still arrives for them is dropped.
CREATE TABLE event_deleted_apps (
  app_id text PRIMARY KEY,
  org_id text NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT now()
);

-- What a developer looks at first: counted exactly, when a segment becomes Parquet.
CREATE TABLE event_ingestion_hours (
  app_id text NOT NULL,
  hour timestamptz NOT NULL,
  org_id text NOT NULL,
  accepted bigint NOT NULL,
  duplicates bigint NOT NULL,
  shifted bigint NOT NULL,
  without_ts bigint NOT NULL,
  too_old bigint NOT NULL,
  PRIMARY KEY (app_id, hour)
);

CREATE TABLE event_rejections (
  app_id text NOT NULL,
  hour timestamptz NOT NULL,
  reason text NOT NULL,
  org_id text NOT NULL,
  batches bigint NOT NULL,
  last_at timestamptz NOT NULL,
  last_example text,
  PRIMARY KEY (app_id, hour, reason)
);

-- Readers that outlast the grace period of retired files (analysts, exports).
CREATE TABLE event_leases (
  lease_id text PRIMARY KEY,
  org_id text NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
