-- The deletion of an app at this number left rows of it in the file.
ALTER TABLE event_files ADD COLUMN deleted_seq bigint NOT NULL DEFAULT 0;
