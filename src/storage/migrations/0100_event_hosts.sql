-- Writers of event logs on any host, each a process with segments of its own, and how far the
-- catalogue has caught up with them. All times are the database's.
CREATE TABLE event_hosts (
  -- As in the names of its segments.
  owner_id text PRIMARY KEY,
  -- Everything that it took before is in the catalogue; null: only its segments are known.
  through timestamptz,
  seen_at timestamptz NOT NULL DEFAULT now(),
  -- Last sign of a compactor on the same log folder.
  compactor_seen_at timestamptz,
  -- The compactor that fetches its segments from the bucket.
  adopter text,
  adopted_at timestamptz
);

-- Ids that were found to be an erased person's only when a log was compacted: what chapters keep of
-- them is still to be erased.
ALTER TABLE event_erasures ADD COLUMN repeat_due boolean NOT NULL DEFAULT false;
CREATE INDEX event_erasures_repeat ON event_erasures (app_id) WHERE repeat_due;
