-- Google Play asks about a chargeback, by a token. Until the purchase of the order is found,
-- `original_transaction_id` and `product_id` are empty. `evidence`: times of use, fixed with the answer,
-- gone once the request waits no more.
ALTER TABLE purchase_refund_requests
  ADD COLUMN store text NOT NULL DEFAULT 'app_store' CHECK (store IN ('app_store', 'google_play')),
  ADD COLUMN refund_token text,
  ADD COLUMN evidence jsonb;
