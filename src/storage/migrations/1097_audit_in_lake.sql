-- Which months of the audit the lake has to write anew.
CREATE FUNCTION note_changed_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lake_changes (table_name, month)
  SELECT DISTINCT 'audit', date_trunc('month', at AT TIME ZONE 'UTC')::date FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_entries_added AFTER INSERT ON audit_entries
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_audit();
CREATE TRIGGER audit_entries_changed AFTER UPDATE ON audit_entries
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_audit();
CREATE TRIGGER audit_entries_removed AFTER DELETE ON audit_entries
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_audit();
CREATE INDEX audit_entries_at ON audit_entries (at);
