-- Planning of merges reads the files of one app at a time.
CREATE INDEX event_files_app ON event_files (app_id, min_occurred_at)
  WHERE state = 'live' AND app_id IS NOT NULL;
