-- The store's daily snapshot of subscriptions. Its days stand apart from `store_days`, of which
-- earlier releases know the types of reports by heart.
CREATE TABLE store_subscription_days (LIKE store_days INCLUDING ALL);

CREATE TABLE store_subscriptions (
  org_id text NOT NULL,
  vendor_number text NOT NULL,
  day date NOT NULL,
  line integer NOT NULL,
  store_app_id text NOT NULL,
  subscription_id text NOT NULL,
  name text NOT NULL,
  group_id text NOT NULL,
  -- As the store writes it: `7 Days`, `1 Month`, `1 Year` …
  duration text NOT NULL,
  offer_name text NOT NULL,
  offer_id text NOT NULL,
  -- What a customer pays and what of it is paid out, for one period, in the store's currencies.
  customer_price numeric NOT NULL,
  customer_currency text NOT NULL,
  proceeds numeric NOT NULL,
  proceeds_currency text NOT NULL,
  preserved_price boolean NOT NULL,
  country text NOT NULL,
  device text NOT NULL,
  -- Subscriptions by plan: `standard`, or one of the offers.
  plan text NOT NULL,
  paid integer NOT NULL,
  trials integer NOT NULL,
  opt_ins integer NOT NULL,
  grace integer NOT NULL,
  billing_retry integer NOT NULL,
  PRIMARY KEY (org_id, vendor_number, day, line, plan)
);
