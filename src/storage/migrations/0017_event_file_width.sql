-- Bytes of the props of all rows, as text: how much memory it takes to sort them. Null in files of
-- earlier releases.
ALTER TABLE event_files ADD COLUMN props_bytes bigint;
