-- A grant, and its audit, may be of a device on which nobody signed in: `user_id` is its id then.
ALTER TABLE purchase_grants
  ADD COLUMN kind text NOT NULL DEFAULT 'user' CHECK (kind IN ('user', 'anonymous'));
ALTER TABLE purchase_grant_audit
  ADD COLUMN kind text NOT NULL DEFAULT 'user' CHECK (kind IN ('user', 'anonymous'));
CREATE UNIQUE INDEX purchase_grants_of_holder ON purchase_grants (app_id, user_id, kind, product_id)
  WHERE ended_at IS NULL;
CREATE UNIQUE INDEX purchase_grants_of_holder_by_name
  ON purchase_grants (app_id, user_id, kind, entitlement)
  WHERE ended_at IS NULL AND entitlement IS NOT NULL;
DROP INDEX purchase_grants_in_force;
DROP INDEX purchase_grants_in_force_by_name;
