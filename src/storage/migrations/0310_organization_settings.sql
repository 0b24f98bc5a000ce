-- What an organization has chosen for itself; without a row the defaults hold: US dollars.
CREATE TABLE organization_settings (
  org_id text PRIMARY KEY,
  -- ISO 4217: money of figures is converted to it unless a question asks for another.
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  updated_at timestamptz NOT NULL
);
