-- Of its chain, so that figures tell stores apart.
ALTER TABLE purchase_folds ADD COLUMN store text NOT NULL DEFAULT 'app_store'
  CHECK (store IN ('app_store', 'google_play'));
