-- Keys of a run by the time that a retry repeats: a JSON array in the order of the file; null in runs
-- of earlier releases, whose keys may be of any time. A run in sections is 'sectioned', not 'live':
-- an earlier process beside would take its keys for sorted as a whole.
ALTER TABLE event_key_runs
  ADD COLUMN sections text,
  ADD COLUMN settled boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT event_key_runs_state_check,
  ADD CONSTRAINT event_key_runs_state_check CHECK (state IN ('live', 'sectioned', 'retired'));

-- Identities are in sections, and have the device in them: the release before finds neither.
UPDATE installation SET min_release = greatest(min_release, 3);
