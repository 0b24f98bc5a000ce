-- Where this installation has claimed the place of its event files; shown to operators, never
-- compared: what counts is the id in the place's marker.
ALTER TABLE installation
  ADD COLUMN events_url text,
  ADD COLUMN events_claimed_at timestamptz,
  -- Objects older than this were left by an installation that was restored in place: never swept.
  ADD COLUMN orphans_since timestamptz;
