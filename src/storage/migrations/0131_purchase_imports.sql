-- Purchases that another provider knew: each row is verified with the store and bound to its user.
CREATE TABLE purchase_imports (
  import_id text PRIMARY KEY,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  total integer NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- Why it waits at present.
  last_error text
);
CREATE INDEX purchase_imports_open ON purchase_imports (app_id, import_id)
  WHERE finished_at IS NULL;

CREATE TABLE purchase_import_rows (
  import_id text NOT NULL REFERENCES purchase_imports ON DELETE CASCADE,
  -- The line of the file; the first after the header is 2.
  line integer NOT NULL,
  app_id text NOT NULL,
  org_id text NOT NULL,
  user_id text NOT NULL,
  original_transaction_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'bound', 'refused')),
  reason text,
  PRIMARY KEY (import_id, line)
);
CREATE INDEX purchase_import_rows_waiting ON purchase_import_rows (app_id, import_id, line)
  WHERE state = 'waiting';
CREATE INDEX purchase_import_rows_user ON purchase_import_rows (app_id, user_id);
