-- How many damaged files a backup had to leave out; the newest one without any stays.
ALTER TABLE backups ADD COLUMN left_out integer NOT NULL DEFAULT 0;
