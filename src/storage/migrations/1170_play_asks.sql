-- When Google Play is to be asked about a token; its notifications are hints only. A token that
-- only a notification has named has no chain before the first answer.
ALTER TABLE play_purchases
  ALTER COLUMN environment DROP NOT NULL,
  ALTER COLUMN chain_id DROP NOT NULL,
  ALTER COLUMN asked_at DROP NOT NULL,
  ADD COLUMN kind text NOT NULL DEFAULT 'subscription'
    CHECK (kind IN ('subscription', 'product')),
  ADD COLUMN ask_at timestamptz,
  ADD COLUMN ask_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN ask_error text,
  ADD COLUMN hinted_at timestamptz,
  -- Of the newest answer; a price is read once, since it changes for later orders only.
  ADD COLUMN priced_orders text[] NOT NULL DEFAULT '{}';
CREATE INDEX play_purchases_to_ask ON play_purchases (app_id, ask_at) WHERE ask_at IS NOT NULL;
DROP INDEX play_purchases_to_acknowledge;
CREATE INDEX play_purchases_to_acknowledge ON play_purchases (app_id, acknowledge_at)
  WHERE acknowledge_at IS NOT NULL;

ALTER TABLE play_connections
  ADD COLUMN last_notification_at timestamptz,
  ADD COLUMN last_test_at timestamptz,
  -- Voided purchases are listed by when Google recorded them.
  ADD COLUMN voids_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN voids_read_to timestamptz,
  ADD COLUMN voids_error text;
