-- Since when this database is known to lack commits of the event catalogue, and when the catalogue
-- was last made whole from the files: commits before that are looked for no more.
ALTER TABLE installation
  ADD COLUMN commits_lost_at timestamptz,
  ADD COLUMN catalogue_whole_at timestamptz;
