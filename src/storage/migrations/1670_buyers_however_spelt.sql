-- A user whose id is a UUID may be spelt otherwise in events than where a purchase was handed over.
CREATE OR REPLACE FUNCTION purchase_buyer(org text, app text, store_environment text, chain text)
RETURNS TABLE (kind text, person_id text, known_as text)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT l.kind, l.person_id, coalesce(known.user_id, l.person_id)
  FROM purchase_links l
  LEFT JOIN LATERAL (
    SELECT p.user_id FROM event_people p
    WHERE p.org_id = l.org_id AND p.app_id = l.app_id
      AND ((l.kind = 'anonymous' AND p.anonymous_id = l.person_id)
        OR (l.kind <> 'anonymous'
          AND l.person_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          AND p.user_id IN (l.person_id, lower(l.person_id), upper(l.person_id))))
    ORDER BY p.user_id = l.person_id DESC, p.user_id DESC LIMIT 1
  ) known ON true
  WHERE l.org_id = org AND l.app_id = app AND l.environment = store_environment
    AND l.original_transaction_id = chain
  ORDER BY array_position(ARRAY['user', 'token', 'anonymous'], l.kind), l.linked_at, l.person_id
  LIMIT 1
$$;

-- Published purchases name them as they were handed over.
INSERT INTO lake_changes (table_name, month)
SELECT DISTINCT 'purchases', purchase_month(t.snapshot)
FROM purchase_links l JOIN purchase_transactions t USING (app_id, environment, original_transaction_id)
WHERE l.kind = 'user' AND l.person_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  AND purchase_month(t.snapshot) IS NOT NULL;
