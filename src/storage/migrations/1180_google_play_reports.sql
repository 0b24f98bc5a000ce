-- The service account that reads the reports of an organization's Google Play account. Without a
-- key nothing is read any more, and what was read stays.
CREATE TABLE google_play_accounts (
  org_id text PRIMARY KEY,
  bucket text NOT NULL,
  client_email text NOT NULL,
  private_key_id text NOT NULL,
  sealed_key text,
  status text NOT NULL CHECK (status IN ('connected', 'invalid')),
  connected_at timestamptz NOT NULL,
  last_verified_at timestamptz NOT NULL,
  last_error text,
  -- When the reports are listed next.
  read_at timestamptz NOT NULL
);
CREATE INDEX google_play_accounts_to_read ON google_play_accounts (read_at)
  WHERE sealed_key IS NOT NULL;
CREATE TRIGGER audit_change AFTER INSERT OR UPDATE OR DELETE ON google_play_accounts
  FOR EACH ROW WHEN (current_setting('audit.on', true) = 'on')
  EXECUTE FUNCTION audit_collect();

-- The reports of the bucket, each of a month. One is read again when its generation is another.
CREATE TABLE google_play_files (
  org_id text NOT NULL,
  bucket text NOT NULL,
  name text NOT NULL,
  report text NOT NULL CHECK (report IN ('sales', 'earnings', 'installs')),
  month text NOT NULL,
  generation text NOT NULL,
  updated_at timestamptz NOT NULL,
  read_generation text,
  -- All files of its month were read once: earnings count from then on.
  in_force boolean NOT NULL DEFAULT false,
  retry_at timestamptz,
  last_error text,
  PRIMARY KEY (org_id, bucket, name)
);

-- Orders of one product, country, day and currency, added up.
CREATE TABLE google_play_rows (
  org_id text NOT NULL,
  bucket text NOT NULL,
  name text NOT NULL,
  line integer NOT NULL,
  report text NOT NULL,
  day date NOT NULL,
  -- Pacific month of a sale, whose earnings replace the estimate.
  earnings_month text,
  package_name text NOT NULL,
  sku text NOT NULL,
  title text NOT NULL,
  product_type text NOT NULL,
  country text NOT NULL,
  units numeric NOT NULL,
  proceeds numeric NOT NULL,
  proceeds_currency text NOT NULL,
  customer_spend numeric NOT NULL,
  customer_currency text NOT NULL,
  PRIMARY KEY (org_id, bucket, name, line)
);
CREATE INDEX google_play_rows_of_day ON google_play_rows (org_id, bucket, report, day);
CREATE INDEX google_play_rows_of_month ON google_play_rows (org_id, bucket, earnings_month)
  WHERE earnings_month IS NOT NULL;

CREATE TABLE google_play_packages (
  org_id text NOT NULL,
  bucket text NOT NULL,
  package_name text NOT NULL,
  title text NOT NULL,
  PRIMARY KEY (org_id, bucket, package_name)
);
