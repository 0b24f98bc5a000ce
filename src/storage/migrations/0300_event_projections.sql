-- The projection of a file of one app, derived from it for counting. Null where there is none, and
-- questions read the file itself.
ALTER TABLE event_files ADD COLUMN projection text;
ALTER TABLE event_files ADD COLUMN projection_bytes bigint;
-- The format in which it was made, or found to be impossible; 0 before that.
ALTER TABLE event_files ADD COLUMN projection_format smallint NOT NULL DEFAULT 0;
CREATE INDEX event_files_unprojected ON event_files (projection_format, created_at)
  WHERE state = 'live' AND level > 0;
