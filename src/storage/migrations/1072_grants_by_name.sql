-- A grant, and its audit, are of a product or of a named entitlement.
ALTER TABLE purchase_grants
  ADD COLUMN entitlement text,
  ALTER COLUMN product_id DROP NOT NULL,
  ADD CONSTRAINT purchase_grants_of_one CHECK (num_nonnulls(product_id, entitlement) = 1);
CREATE UNIQUE INDEX purchase_grants_in_force_by_name
  ON purchase_grants (app_id, user_id, entitlement)
  WHERE ended_at IS NULL AND entitlement IS NOT NULL;
ALTER TABLE purchase_grant_audit
  ADD COLUMN entitlement text,
  ALTER COLUMN product_id DROP NOT NULL;
