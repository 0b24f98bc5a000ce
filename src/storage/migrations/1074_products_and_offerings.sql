-- The catalogue of the store, as it was last read; `products_refused` where the key may not read it.
ALTER TABLE store_apps
  ADD COLUMN products_checked_at timestamptz,
  ADD COLUMN products_refused boolean NOT NULL DEFAULT false;
CREATE TABLE store_products (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  product_id text NOT NULL,
  store_id text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  period text,
  group_id text,
  group_name text,
  level integer,
  family_sharable boolean NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (org_id, store_app_id, product_id),
  FOREIGN KEY (org_id, store_app_id) REFERENCES store_apps ON DELETE CASCADE
);

-- What paywalls show, in order. At most one is the default, and one flag chooses.
CREATE TABLE purchase_offerings (
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  identifier text NOT NULL,
  place integer NOT NULL,
  offering jsonb NOT NULL,
  is_default boolean NOT NULL,
  chosen_by text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, app_id, identifier)
);
