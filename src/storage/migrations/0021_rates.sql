CREATE SEQUENCE exchange_rate_revisions;

-- Units of a currency for one euro. A rate that is corrected gets a new revision.
CREATE TABLE exchange_rates (
  day date NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  rate numeric NOT NULL CHECK (rate > 0),
  revision bigint NOT NULL,
  PRIMARY KEY (day, currency)
);
CREATE INDEX exchange_rates_currency ON exchange_rates (currency, day);

CREATE TABLE exchange_rate_imports (
  revision bigint PRIMARY KEY,
  source text NOT NULL,
  imported_at timestamptz NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  changed integer NOT NULL
);

-- The sums of one day in one currency, so that a read does not fold every row again. A copy: it is
-- right while its stamp is that of the rows, the rates and the apps, and made anew otherwise.
CREATE TABLE analytics_days (
  org_id text NOT NULL,
  vendor_number text NOT NULL,
  currency text NOT NULL,
  day date NOT NULL,
  stamp text NOT NULL,
  partial json NOT NULL,
  PRIMARY KEY (org_id, vendor_number, currency, day)
);
