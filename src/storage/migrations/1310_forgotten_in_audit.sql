-- Entries of the audit without ids of people: in the columns that the trigger of a table names, as
-- JSON values.
CREATE FUNCTION audit_forget(changes jsonb, ids text[], pseudonym text) RETURNS jsonb
  LANGUAGE sql STABLE AS $$
  WITH named AS (
    SELECT r.relname AS source, replace(encode(g.tgargs, 'escape'), '\000', '') AS name
    FROM pg_trigger g JOIN pg_class r ON r.oid = g.tgrelid
    WHERE g.tgname = 'audit_change' AND g.tgnargs > 0)
  SELECT coalesce(jsonb_agg(c || coalesce((
    SELECT jsonb_object_agg(part, jsonb_set(c -> part, ARRAY[name],
      CASE jsonb_typeof(c -> part -> name)
        WHEN 'array' THEN (
          SELECT coalesce(jsonb_agg(
            CASE WHEN v #>> '{}' = ANY(ids) THEN to_jsonb(pseudonym) ELSE v END ORDER BY m), '[]')
          FROM jsonb_array_elements(c -> part -> name) WITH ORDINALITY AS l(v, m))
        ELSE CASE WHEN c -> part ->> name = ANY(ids) THEN to_jsonb(pseudonym)
          ELSE c -> part -> name END
      END))
    FROM named, unnest(ARRAY['id', 'before', 'after']) AS part
    WHERE source = c ->> 'of' AND c -> part ? name), '{}') ORDER BY n), '[]')
  FROM jsonb_array_elements(changes) WITH ORDINALITY AS each(c, n)
$$;

-- Before, an id was replaced in the text of the changes, keys included. What key of a change it was
-- follows from those that are left, and a column from those of the table where a whole row is shown.
CREATE FUNCTION pg_temp.renamed(value jsonb, pseudonym text, name text) RETURNS jsonb
  LANGUAGE sql AS $$
  SELECT CASE WHEN name IS NULL OR jsonb_typeof(value) <> 'object' OR NOT value ? pseudonym THEN value
    ELSE value - pseudonym || jsonb_build_object(name, value -> pseudonym) END
$$;

CREATE FUNCTION pg_temp.mended(c jsonb, pseudonym text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  part text;
  missing text[];
BEGIN
  SELECT coalesce(array_agg(k ORDER BY n), '{}') INTO missing
  FROM unnest(ARRAY['of', 'before', 'id', 'after']) WITH ORDINALITY AS keys(k, n) WHERE NOT c ? k;
  c := pg_temp.renamed(c, pseudonym, missing[1]);
  FOREACH part IN ARRAY missing[2:] LOOP
    c := c || jsonb_build_object(part, NULL);
  END LOOP;
  IF c ->> 'of' IS NULL OR c ->> 'of' = pseudonym THEN
    SELECT array_agg(r.relname::text) INTO missing
    FROM pg_trigger g JOIN pg_class r ON r.oid = g.tgrelid
    WHERE g.tgname = 'audit_change' AND g.tgnargs > 0 AND NOT EXISTS (
      SELECT FROM jsonb_each(c) AS e(k, p),
        jsonb_object_keys(CASE WHEN jsonb_typeof(p) = 'object' THEN p ELSE '{}' END) AS name
      WHERE k IN ('before', 'after') AND name <> pseudonym
        AND name NOT IN (SELECT attname::text FROM pg_attribute WHERE attrelid = r.oid));
    c := c || jsonb_build_object('of',
      CASE WHEN cardinality(missing) = 1 THEN missing[1] ELSE 'unknown' END);
  END IF;
  FOREACH part IN ARRAY ARRAY['before', 'after'] LOOP
    CONTINUE WHEN jsonb_typeof(c -> part) IS DISTINCT FROM 'object';
    -- A value {kind, id} names a member or a key.
    SELECT jsonb_set(c, ARRAY[part], coalesce(jsonb_object_agg(k, pg_temp.renamed(v, pseudonym,
      CASE WHEN v ? 'kind' THEN 'id' WHEN v ? 'id' THEN 'kind' END)), '{}')) INTO c
    FROM jsonb_each(c -> part) AS e(k, v);
    CONTINUE WHEN NOT c -> part ? pseudonym;
    SELECT array_agg(a.attname::text) INTO missing
    FROM pg_trigger g JOIN pg_class r ON r.oid = g.tgrelid
      JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE g.tgname = 'audit_change' AND r.relname = c ->> 'of' AND NOT c -> part ? a.attname;
    IF cardinality(missing) = 1 THEN
      c := jsonb_set(c, ARRAY[part], pg_temp.renamed(c -> part, pseudonym, missing[1]));
      IF jsonb_typeof(c -> 'id') = 'object' THEN
        c := jsonb_set(c, '{id}', pg_temp.renamed(c -> 'id', pseudonym, missing[1]));
      END IF;
    END IF;
  END LOOP;
  RETURN c;
END $$;

DO $$
DECLARE
  entry record;
  pseudonym text;
  mended jsonb;
BEGIN
  PERFORM set_config('audit.allows', 'erasure', true);
  FOR entry IN SELECT entry_id, people, changes FROM audit_entries
    WHERE people::text LIKE '%erased\_%' LOOP
    mended := entry.changes;
    FOREACH pseudonym IN ARRAY entry.people LOOP
      CONTINUE WHEN NOT starts_with(pseudonym, 'erased_');
      SELECT coalesce(jsonb_agg(pg_temp.mended(c, pseudonym) ORDER BY n), '[]') INTO mended
      FROM jsonb_array_elements(mended) WITH ORDINALITY AS each(c, n);
    END LOOP;
    IF mended <> entry.changes THEN
      UPDATE audit_entries SET changes = mended WHERE entry_id = entry.entry_id;
    END IF;
  END LOOP;
  PERFORM set_config('audit.allows', '', true);
END $$;

DROP FUNCTION pg_temp.mended, pg_temp.renamed;
