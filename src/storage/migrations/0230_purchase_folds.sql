-- What the figures of an app need of each of its chains, folded once for each change of its facts.
-- A trigger counts the changes, so that those that the previous release makes count too.
ALTER TABLE purchase_chains
  ADD COLUMN facts_revision bigint NOT NULL DEFAULT 1,
  -- The revision that the fold is of; another one is to be folded anew.
  ADD COLUMN folded_revision bigint NOT NULL DEFAULT 0;
CREATE INDEX purchase_chains_unfolded
  ON purchase_chains (app_id, environment, original_transaction_id)
  WHERE folded_revision <> facts_revision;
CREATE INDEX purchase_chains_history_unread ON purchase_chains (app_id, environment)
  WHERE history_read_at IS NULL;

CREATE TABLE purchase_folds (
  app_id text NOT NULL,
  org_id text NOT NULL,
  environment text NOT NULL,
  original_transaction_id text NOT NULL,
  -- Windows that end before the one or begin after the other count nothing of it.
  begins_ms bigint,
  until_ms bigint NOT NULL,
  fold json NOT NULL,
  PRIMARY KEY (app_id, environment, original_transaction_id),
  FOREIGN KEY (app_id, environment, original_transaction_id) REFERENCES purchase_chains
    ON DELETE CASCADE
);
CREATE INDEX purchase_folds_until ON purchase_folds (app_id, environment, until_ms);
CREATE INDEX purchase_folds_begin ON purchase_folds (app_id, environment, begins_ms);

CREATE FUNCTION count_purchase_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE purchase_chains SET facts_revision = facts_revision + 1
  WHERE app_id = NEW.app_id AND environment = NEW.environment
    AND original_transaction_id = NEW.original_transaction_id;
  RETURN NULL;
END $$;

CREATE TRIGGER purchase_transactions_count
  AFTER INSERT OR UPDATE OF snapshot, price_milliunits, currency, storefront, offer_discount_type,
    offer_period, revocation_percentage_milliunits ON purchase_transactions
  FOR EACH ROW EXECUTE FUNCTION count_purchase_facts();
CREATE TRIGGER purchase_renewals_count
  AFTER INSERT OR UPDATE OF signed_ms, will_renew, in_billing_retry, expiration_intent,
    grace_expires_ms ON purchase_renewals
  FOR EACH ROW EXECUTE FUNCTION count_purchase_facts();
