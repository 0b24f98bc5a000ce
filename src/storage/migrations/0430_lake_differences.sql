-- What the lake compares each minute: names alone, without reading rows with their statistics.
CREATE INDEX event_files_live_path ON event_files (path) WHERE state = 'live';
CREATE INDEX event_files_without_stats ON event_files (path)
  WHERE state = 'live' AND stats IS NULL;
CREATE INDEX lake_exposures_path ON lake_exposures (path) WHERE path IS NOT NULL;
