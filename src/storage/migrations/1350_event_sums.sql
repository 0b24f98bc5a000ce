-- Checksums of event files and key runs, of projections once the scrub read them: eight bytes (xxHash3)
-- of each megabyte. Files of earlier releases have none until the scrub was there.
CREATE TABLE event_sums (
  path text PRIMARY KEY,
  bytes bigint NOT NULL,
  sums bytea NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT now(),
  -- Since when the file differs from them, and how.
  damaged_at timestamptz,
  fault text
);
CREATE INDEX event_sums_damaged ON event_sums (damaged_at) WHERE damaged_at IS NOT NULL;
