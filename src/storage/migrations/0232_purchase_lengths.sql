ALTER TABLE purchase_transactions
  -- The store's word (`MONTHLY`), and until when its customer is committed.
  ADD COLUMN billing_plan text,
  ADD COLUMN commitment_expires_ms bigint,
  -- The earliest end that was signed of it: an extension does not change how long a period is.
  ADD COLUMN first_expires_ms bigint;

-- How many paid periods of a product have which length, counted as folds are saved: what most of
-- them say is the length of all. `lengths` is what was counted of a fold.
CREATE TABLE purchase_period_lengths (
  app_id text NOT NULL,
  org_id text NOT NULL,
  environment text NOT NULL,
  product_id text NOT NULL,
  billed_monthly boolean NOT NULL,
  duration text NOT NULL,
  periods bigint NOT NULL,
  PRIMARY KEY (app_id, environment, product_id, billed_monthly, duration)
);
ALTER TABLE purchase_folds ADD COLUMN lengths jsonb NOT NULL DEFAULT '[]';

-- Folds have another meaning: the worker makes them anew before somebody asks.
UPDATE purchase_chains SET folded_revision = 0;
