-- Which columns a file has: 1 lacks person_key.
ALTER TABLE event_files ADD COLUMN format smallint NOT NULL DEFAULT 1;
-- JSON: how many events of each name, platform and version the app has in a file of its own (levels
-- 1 and 2); null when that was not counted. Text, because a json column refuses what a client may send.
ALTER TABLE event_file_apps ADD COLUMN counts text;
