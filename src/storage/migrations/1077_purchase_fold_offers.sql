-- Folds name the offer of what was bought.
DROP TRIGGER purchase_transactions_count ON purchase_transactions;
CREATE TRIGGER purchase_transactions_count
  AFTER INSERT OR UPDATE OF snapshot, price_milliunits, currency, storefront, offer_type,
    offer_identifier, offer_discount_type, offer_period, revocation_percentage_milliunits
  ON purchase_transactions
  FOR EACH ROW EXECUTE FUNCTION count_purchase_facts();

-- The worker makes them anew before somebody asks.
UPDATE purchase_chains SET folded_revision = 0;
