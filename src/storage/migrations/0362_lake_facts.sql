-- Which months of a published table have to be written anew. Triggers note them, so that what the
-- previous release writes is noted too; rows only come, and the publisher takes those that it saw, so
-- nobody waits for anybody.
CREATE TABLE lake_changes (
  change_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  table_name text NOT NULL,
  -- The first day of the month.
  month date NOT NULL
);
CREATE INDEX lake_changes_table ON lake_changes (table_name, month);

CREATE FUNCTION note_changed_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lake_changes (table_name, month)
  SELECT DISTINCT 'sales', date_trunc('month', day)::date FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER store_facts_added AFTER INSERT ON store_facts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_sales();
CREATE TRIGGER store_facts_changed AFTER UPDATE ON store_facts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_sales();
CREATE TRIGGER store_facts_removed AFTER DELETE ON store_facts
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_sales();

-- Which app a row of a report belongs to goes by the apps of the account.
CREATE FUNCTION note_changed_store_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lake_changes (table_name, month)
  SELECT DISTINCT 'sales', date_trunc('month', day)::date FROM store_days
  WHERE org_id = NEW.org_id AND rows > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER store_apps_added AFTER INSERT ON store_apps
  FOR EACH ROW EXECUTE FUNCTION note_changed_store_app();
CREATE TRIGGER store_apps_changed AFTER UPDATE OF app_id, sku ON store_apps
  FOR EACH ROW WHEN (OLD.app_id IS DISTINCT FROM NEW.app_id OR OLD.sku <> NEW.sku)
  EXECUTE FUNCTION note_changed_store_app();

-- Null for what is no time: a trigger never refuses what the store signed.
CREATE FUNCTION purchase_month(snapshot jsonb) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN snapshot ->> 'purchasedAt' ~ '^\d{1,14}$' THEN date_trunc('month',
    timestamp 'epoch' + (snapshot ->> 'purchasedAt')::bigint * interval '1 millisecond')::date END
$$;
CREATE INDEX purchase_transactions_month ON purchase_transactions (purchase_month(snapshot));

CREATE FUNCTION note_changed_purchases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lake_changes (table_name, month)
  SELECT DISTINCT 'purchases', purchase_month(snapshot) FROM changed
  WHERE purchase_month(snapshot) IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER purchase_transactions_added AFTER INSERT ON purchase_transactions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_purchases();
CREATE TRIGGER purchase_transactions_changed AFTER UPDATE ON purchase_transactions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_purchases();
-- The month that a row was in, where a new signature says another one.
CREATE TRIGGER purchase_transactions_left AFTER UPDATE ON purchase_transactions
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_purchases();
CREATE TRIGGER purchase_transactions_removed AFTER DELETE ON purchase_transactions
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_purchases();

CREATE FUNCTION note_changed_buyers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lake_changes (table_name, month)
  SELECT DISTINCT 'purchases', purchase_month(t.snapshot)
  FROM changed l JOIN purchase_transactions t USING (app_id, environment, original_transaction_id)
  WHERE purchase_month(t.snapshot) IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER purchase_links_added AFTER INSERT ON purchase_links
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_buyers();
CREATE TRIGGER purchase_links_changed AFTER UPDATE ON purchase_links
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_buyers();
CREATE TRIGGER purchase_links_removed AFTER DELETE ON purchase_links
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_buyers();

-- Of each live event file: the file of the exposures in it; a path of null where it has none.
CREATE TABLE lake_exposures (
  event_path text PRIMARY KEY,
  path text,
  spec_id integer,
  partition text,
  rows bigint,
  bytes bigint,
  stats text
);
