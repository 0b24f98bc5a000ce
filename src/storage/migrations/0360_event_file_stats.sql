-- JSON: bytes, values, nulls and bounds of the file's columns, as `file-stats.ts` has them. Null in
-- files of earlier releases. Text, because a json column refuses what a client may send.
ALTER TABLE event_files ADD COLUMN stats text;
