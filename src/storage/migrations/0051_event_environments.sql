-- What the events sent with a key are of.
ALTER TABLE publishable_keys ADD COLUMN environment text NOT NULL DEFAULT 'production'
  CHECK (environment IN ('production', 'development'));
-- Rows of the app in the file that are of development: where there are none, nothing has to be asked.
-- event_file_apps.counts holds production only.
ALTER TABLE event_file_apps ADD COLUMN development_rows bigint NOT NULL DEFAULT 0;
-- The other columns count production.
ALTER TABLE event_ingestion_hours
  ADD COLUMN development_accepted bigint NOT NULL DEFAULT 0,
  ADD COLUMN development_duplicates bigint NOT NULL DEFAULT 0,
  ADD COLUMN development_corrected bigint NOT NULL DEFAULT 0;
