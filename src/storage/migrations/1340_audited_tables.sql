-- Tables that people change and whose changes the audit did not show.
DO $$
DECLARE
  watched text;
BEGIN
  FOREACH watched IN ARRAY ARRAY[
    'barred_members', 'flag_experiments', 'social_connections', 'store_report_requests']
  LOOP
    EXECUTE format('CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON %s '
      'FOR EACH ROW WHEN (current_setting(''audit.on'', true) = ''on'') '
      'EXECUTE FUNCTION audit_collect()', watched);
  END LOOP;
END $$;
