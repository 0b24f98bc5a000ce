-- Aliases ever made in an app: a file that noted the count when it was written has as many late ones
-- as the count has grown since, and nothing has to be counted again.
CREATE TABLE event_alias_counts (
  app_id text PRIMARY KEY,
  org_id text NOT NULL,
  aliases bigint NOT NULL,
  -- When counting began: that of files written before, or by an earlier release.
  aliases_before bigint NOT NULL DEFAULT 0
);
INSERT INTO event_alias_counts (app_id, org_id, aliases, aliases_before)
SELECT app_id, min(org_id), count(*), count(*) FROM event_people GROUP BY app_id;

ALTER TABLE event_file_apps ADD COLUMN aliases bigint;
