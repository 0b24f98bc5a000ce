-- Runs that began from then on hold no encrypted payload that does not name its run.
ALTER TABLE installation ADD COLUMN payloads_bound_at timestamptz;
