-- When a kept backup was last read again and compared with its checksums.
ALTER TABLE backups ADD COLUMN verified_at timestamptz;
