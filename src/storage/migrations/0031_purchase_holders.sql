-- The users among `purchase_links`, beside the digest: one row answers who may use a chain.
ALTER TABLE purchase_chains ADD COLUMN users text[] NOT NULL DEFAULT '{}';
UPDATE purchase_chains c SET users = held.users
FROM (
  SELECT app_id, environment, original_transaction_id, array_agg(person_id) AS users
  FROM purchase_links WHERE kind = 'user'
  GROUP BY app_id, environment, original_transaction_id
) held
WHERE c.app_id = held.app_id AND c.environment = held.environment
  AND c.original_transaction_id = held.original_transaction_id;

-- Kind and id in one value, so that one index scan finds everything of a person.
ALTER TABLE purchase_links
  ADD COLUMN holder text GENERATED ALWAYS AS (left(kind, 1) || ':' || person_id) STORED;
CREATE INDEX purchase_links_holder ON purchase_links (app_id, holder);
DROP INDEX purchase_links_person;
