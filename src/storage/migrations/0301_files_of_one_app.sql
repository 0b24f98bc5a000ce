-- A file above level 0 has the rows of one app, and is read, deleted and expired as that app's. One
-- with the rows of another app too is a file of many apps, whatever wrote it: maintenance splits it.
-- Its path still names the level that it had, so that operators are told of it.
WITH mixed AS (
  UPDATE event_files f SET level = 0, org_id = NULL, app_id = NULL, day = NULL,
    projection = NULL, projection_bytes = NULL, projection_format = 0
  WHERE level > 0 AND EXISTS (
    SELECT FROM event_file_apps a WHERE a.file_id = f.file_id
      AND (a.app_id IS DISTINCT FROM f.app_id OR a.org_id IS DISTINCT FROM f.org_id))
  RETURNING file_id)
UPDATE event_file_apps a SET counts = NULL FROM mixed WHERE a.file_id = mixed.file_id;

ALTER TABLE event_files ADD CONSTRAINT event_files_owner CHECK (
  (level = 0) = (app_id IS NULL) AND (app_id IS NULL) = (org_id IS NULL));

-- One look for all ranges of a statement: a commit of many apps inserts hundreds.
CREATE FUNCTION refuse_second_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM inserted a JOIN event_files f USING (file_id) WHERE f.level > 0
      AND (a.app_id IS DISTINCT FROM f.app_id OR a.org_id IS DISTINCT FROM f.org_id))
  THEN
    RAISE EXCEPTION 'An event file above level 0 has the rows of one app only.'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'event_file_apps_one_app';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER event_file_apps_one_app AFTER INSERT ON event_file_apps
  REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_second_app();
