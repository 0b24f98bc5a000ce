-- The order that a subscription on hold or in grace waits for.
ALTER TABLE play_purchases ADD COLUMN pending_order_id text;
CREATE INDEX play_purchases_pending_order ON play_purchases (app_id, pending_order_id)
  WHERE pending_order_id IS NOT NULL;
