-- Who changed what of the control plane. Triggers collect the changed rows of a transaction that
-- began in a request of somebody (`audit.on`); the service writes its entry before the commit.
CREATE TABLE audit_entries (
  entry_id text PRIMARY KEY,
  -- Null for what belongs to no organization: an account, the installation.
  org_id text,
  app_id text,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'orgKey', 'operator', 'visitor')),
  actor_id text,
  operation text NOT NULL,
  -- [{"of": table, "before": {…}, "after": {…}}], of an update only the changed columns.
  changes jsonb NOT NULL,
  -- Ids of people of the app that stand in the changes.
  people text[] NOT NULL,
  address text,
  user_agent text,
  request_id text NOT NULL
);
CREATE INDEX audit_entries_of_org ON audit_entries (org_id, at DESC, entry_id DESC);
CREATE INDEX audit_entries_people ON audit_entries USING gin (people) WHERE people <> '{}';

CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'TRUNCATE' THEN
    IF TG_OP = 'DELETE' AND current_setting('audit.allows', true) = 'retention' THEN
      RETURN OLD;
    END IF;
    IF TG_OP = 'DELETE' AND EXISTS (
      SELECT 1 FROM organization_deletions WHERE org_id = OLD.org_id AND finished_at IS NULL
    ) THEN
      RETURN OLD;
    END IF;
    IF TG_OP = 'UPDATE' AND current_setting('audit.allows', true) = 'erasure'
      AND to_jsonb(OLD) - '{changes,people}'::text[] = to_jsonb(NEW) - '{changes,people}'::text[]
    THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'Entries of the audit are neither changed nor deleted.';
END $$;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_entries_all_stay BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();

-- What may be shown of a column: no secret, and no more than 4,000 characters.
CREATE FUNCTION audit_shown(source text, name text, value jsonb) RETURNS jsonb
  LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN value = 'null' THEN value
    WHEN name ~* '(sealed|secret|hash|token|password)'
      OR (source = 'apikey' AND name = 'key') OR (source = 'invitation' AND name = 'id')
      OR (source IN ('webhooks', 'purchase_settings') AND name ~ 'url')
      OR value::text LIKE '"\\\\x%' THEN '"(secret)"'
    WHEN length(value::text) > 4000 THEN to_jsonb(format('(%s characters)', length(value::text)))
    ELSE value
  END $$;

-- Arguments: columns with ids of people.
CREATE FUNCTION audit_collect() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  is_now jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  collected jsonb := coalesce(nullif(current_setting('audit.changes', true), ''), '[]')::jsonb;
  people jsonb := coalesce(nullif(current_setting('audit.people', true), ''), '[]')::jsonb;
  shown jsonb;
BEGIN
  IF is_now IS NOT DISTINCT FROM was OR jsonb_array_length(collected) >= 50 THEN
    RETURN NULL;
  END IF;
  SELECT jsonb_build_object(
    'of', TG_TABLE_NAME,
    'org', coalesce(c.every ->> 'org_id', c.every ->> 'organizationId', c.every ->> 'referenceId',
      CASE WHEN TG_TABLE_NAME = 'organization' THEN c.every ->> 'id' END),
    'app', c.every ->> 'app_id',
    'id', (SELECT jsonb_object_agg(key, audit_shown(TG_TABLE_NAME, key, value))
      FROM jsonb_each(c.every) WHERE key = 'id'
        OR key ~ '(^|_)id$' AND key NOT IN ('org_id', 'app_id')),
    'before', (SELECT jsonb_object_agg(key, audit_shown(TG_TABLE_NAME, key, value))
      FROM jsonb_each(was) WHERE is_now IS NULL OR is_now -> key IS DISTINCT FROM value),
    'after', (SELECT jsonb_object_agg(key, audit_shown(TG_TABLE_NAME, key, value))
      FROM jsonb_each(is_now) WHERE was IS NULL OR was -> key IS DISTINCT FROM value))
  INTO shown FROM (SELECT coalesce(is_now, was) AS every) AS c;
  PERFORM set_config('audit.changes', (collected || shown)::text, true);
  IF TG_NARGS > 0 THEN
    people := people || coalesce(was -> TG_ARGV[0], '[]') || coalesce(is_now -> TG_ARGV[0], '[]');
    PERFORM set_config('audit.people', people::text, true);
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE
  watched text;
BEGIN
  FOREACH watched IN ARRAY ARRAY[
    'auth."user"', 'auth.account', 'auth.apikey', 'auth.invitation', 'auth.member',
    'auth.organization', 'apps', 'app_datasets', 'app_limits', 'backend_projects',
    'demo_organizations', 'digest_destinations', 'digest_settings', 'experiments', 'flags',
    'funnel_settings', 'funnels', 'mark_notes', 'message_settings', 'onboarding_surveys',
    'onboardings', 'organization_deletions', 'organization_settings', 'preview_sessions',
    'publishable_keys', 'purchase_connections', 'purchase_entitlements', 'purchase_extensions',
    'purchase_imports', 'purchase_offerings', 'purchase_refund_answers', 'saved_questions',
    'segments', 'store_candidates', 'store_connections', 'store_webhooks',
    'watches', 'webhooks']
  LOOP
    EXECUTE format('CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON %s '
      'FOR EACH ROW WHEN (current_setting(''audit.on'', true) = ''on'') '
      'EXECUTE FUNCTION audit_collect()', watched);
  END LOOP;
END $$;
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON purchase_grants
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect('user_id');
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON purchase_refund_people
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect('user_id');
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON experiment_overrides
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect('anonymous_id');
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON purchase_settings
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect('sandbox_listed');
CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE OF app_id ON store_apps
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();
