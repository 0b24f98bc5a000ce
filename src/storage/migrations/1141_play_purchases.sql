ALTER TABLE purchase_chains ADD COLUMN store text NOT NULL DEFAULT 'app_store'
  CHECK (store IN ('app_store', 'google_play'));

-- Purchase tokens of Google Play, by hash. A token that replaces another one belongs to its chain.
CREATE TABLE play_purchases (
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  token_hash text NOT NULL,
  purchase_token text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
  chain_id text NOT NULL,
  replaces_hash text,
  first_seen_at timestamptz NOT NULL,
  asked_at timestamptz NOT NULL,
  -- Null where there is nothing to acknowledge (any more).
  acknowledge_at timestamptz,
  acknowledge_tries integer NOT NULL DEFAULT 0,
  acknowledge_error text,
  PRIMARY KEY (app_id, token_hash)
);
CREATE INDEX play_purchases_of_chain ON play_purchases (app_id, chain_id);
CREATE INDEX play_purchases_replaced ON play_purchases (app_id, replaces_hash)
  WHERE replaces_hash IS NOT NULL;
CREATE INDEX play_purchases_to_acknowledge ON play_purchases (acknowledge_at)
  WHERE acknowledge_at IS NOT NULL;
