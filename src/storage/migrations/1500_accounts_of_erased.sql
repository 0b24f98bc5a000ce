-- Account tokens of people who were erased before the erasure took them.
CREATE TEMP TABLE erased_accounts ON COMMIT DROP AS
SELECT app_id, environment, original_transaction_id, app_account_token AS token
FROM purchase_chains c
WHERE app_account_token IS NOT NULL AND EXISTS (
  SELECT FROM event_erasures e WHERE e.app_id = c.app_id AND e.erased_as <> 'device'
    AND e.subject_hash IN (
      encode(sha256(convert_to('["' || c.app_id || '","' || c.app_account_token || '"]', 'UTF8')), 'hex'),
      encode(sha256(convert_to('["' || c.app_id || '","' || upper(c.app_account_token) || '"]', 'UTF8')), 'hex')));

UPDATE purchase_transactions t SET snapshot = t.snapshot || '{"appAccountToken": null}'
FROM erased_accounts e
WHERE t.app_id = e.app_id AND t.environment = e.environment
  AND t.original_transaction_id = e.original_transaction_id
  AND t.snapshot ->> 'appAccountToken' = e.token;

UPDATE purchase_chains c SET app_account_token = NULL
FROM erased_accounts e
WHERE c.app_id = e.app_id AND c.environment = e.environment
  AND c.original_transaction_id = e.original_transaction_id;
