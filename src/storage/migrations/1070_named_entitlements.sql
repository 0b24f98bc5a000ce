-- Names over products of an app, in the order that they were given.
CREATE TABLE purchase_entitlements (
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  name text NOT NULL,
  place integer NOT NULL,
  product_ids text[] NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, app_id, name)
);

-- The products that an app has sold, one look-up each.
CREATE INDEX purchase_transactions_product
  ON purchase_transactions (app_id, (snapshot ->> 'productId'));
