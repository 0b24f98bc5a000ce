-- How the refund requests of an app are answered; without a row they are not. `products` says how
-- much of a product counts as used.
CREATE TABLE purchase_refund_answers (
  app_id text PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  org_id text NOT NULL,
  answers text NOT NULL CHECK (answers IN ('off', 'neutral', 'decline', 'grant')),
  customers_consent boolean NOT NULL,
  sample_content boolean NOT NULL,
  products jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

-- In place of the app's, for one person; null is the app's.
CREATE TABLE purchase_refund_people (
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  user_id text NOT NULL,
  answers text CHECK (answers IN ('off', 'neutral', 'decline', 'grant')),
  customers_consent boolean,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, app_id, user_id)
);

-- What the store asked about a refund, by the notification that asked. `answer` is fixed before it is
-- first sent and never changes. `outcome` is the store's decision.
CREATE TABLE purchase_refund_requests (
  org_id text NOT NULL,
  app_id text NOT NULL REFERENCES apps ON DELETE CASCADE,
  environment text NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
  request_id text NOT NULL,
  transaction_id text NOT NULL,
  original_transaction_id text NOT NULL,
  product_id text NOT NULL,
  product_type text NOT NULL,
  is_shared boolean NOT NULL,
  is_assigned boolean NOT NULL,
  quantity integer NOT NULL,
  purchased_at timestamptz NOT NULL,
  reason text,
  asked_at timestamptz NOT NULL,
  answer_by timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'answered', 'not_answered')),
  why text,
  answer jsonb,
  answered_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  store_code integer,
  outcome text CHECK (outcome IN ('refunded', 'declined', 'reversed')),
  outcome_at timestamptz,
  run_ensured_at timestamptz,
  PRIMARY KEY (app_id, environment, request_id)
);
CREATE INDEX purchase_refund_requests_newest ON purchase_refund_requests (org_id, app_id, asked_at);
CREATE INDEX purchase_refund_requests_of_transaction
  ON purchase_refund_requests (app_id, environment, transaction_id);
CREATE INDEX purchase_refund_requests_waiting ON purchase_refund_requests (received_at)
  WHERE state = 'waiting';
