-- What an import of events brought: its rows are those received at one of its instants whose arrival
-- is odd. Rows stay here when the import is undone, since a log may still hold its records.
CREATE TABLE event_import_chunks (
  app_id text NOT NULL,
  received_at timestamptz NOT NULL,
  import_id text NOT NULL,
  org_id text NOT NULL,
  PRIMARY KEY (app_id, received_at)
);
CREATE INDEX event_import_chunks_of_org ON event_import_chunks (org_id, import_id);

-- Imported events that the app or another import brought too, and that were stored once: they outlive
-- the import.
CREATE TABLE event_import_repeats (
  org_id text NOT NULL,
  app_id text NOT NULL,
  import_id text NOT NULL,
  event_key uuid NOT NULL,
  -- Empty for the app itself.
  by_import_id text NOT NULL,
  PRIMARY KEY (import_id, event_key, by_import_id)
);
CREATE INDEX event_import_repeats_of_org ON event_import_repeats (org_id, app_id);

-- Events of an undone import that another one had brought too: they are of the other one now.
CREATE TABLE event_import_adopted (
  org_id text NOT NULL,
  app_id text NOT NULL,
  import_id text NOT NULL,
  event_key uuid NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (import_id, event_key, received_at)
);
CREATE INDEX event_import_adopted_of_org ON event_import_adopted (org_id, app_id);

CREATE TABLE event_undone_imports (
  import_id text PRIMARY KEY,
  org_id text NOT NULL,
  app_id text NOT NULL,
  seq bigint NOT NULL,
  undone_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX event_undone_imports_of_org ON event_undone_imports (org_id, app_id);

-- Identities of an import are in key runs of their own, which an undo retires.
ALTER TABLE event_key_runs ADD COLUMN import_id text;

-- Null for imports of earlier releases, which cannot be undone.
ALTER TABLE imported_files ADD COLUMN import_id text;
