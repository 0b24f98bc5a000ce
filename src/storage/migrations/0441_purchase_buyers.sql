-- Who a purchase belongs to, one rule for experiments, views and the lake: the first user who holds
-- it, else the account that it was signed for, else the first device. `known_as` is the person that
-- events know: of a device the user it is an alias of; of an account token, which is in lower case,
-- the user id as the app writes it.
CREATE FUNCTION purchase_buyer(org text, app text, store_environment text, chain text)
RETURNS TABLE (kind text, person_id text, known_as text)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT l.kind, l.person_id, coalesce(known.user_id, l.person_id)
  FROM purchase_links l
  LEFT JOIN LATERAL (
    SELECT p.user_id FROM event_people p
    WHERE p.org_id = l.org_id AND p.app_id = l.app_id
      AND ((l.kind = 'anonymous' AND p.anonymous_id = l.person_id)
        OR (l.kind = 'token' AND p.user_id IN (l.person_id, upper(l.person_id))))
    ORDER BY p.user_id DESC LIMIT 1
  ) known ON true
  WHERE l.org_id = org AND l.app_id = app AND l.environment = store_environment
    AND l.original_transaction_id = chain
  ORDER BY array_position(ARRAY['user', 'token', 'anonymous'], l.kind), l.linked_at, l.person_id
  LIMIT 1
$$;

-- Published purchases name who held them before.
INSERT INTO lake_changes (table_name, month)
SELECT DISTINCT 'purchases', purchase_month(t.snapshot)
FROM purchase_links l JOIN purchase_transactions t USING (app_id, environment, original_transaction_id)
WHERE l.kind = 'token' AND purchase_month(t.snapshot) IS NOT NULL;
