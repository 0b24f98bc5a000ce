-- Event files that the catalogue does not name, as the newest sweep counted them; null before it.
ALTER TABLE installation
  ADD COLUMN orphan_files integer,
  ADD COLUMN orphan_bytes bigint,
  ADD COLUMN orphans_counted_at timestamptz;
