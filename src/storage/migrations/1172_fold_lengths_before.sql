-- Lengths that this fold replaced, so that saving counts the difference without a search: without
-- statistics, PostgreSQL reads all folds of an app to find each of them.
ALTER TABLE purchase_folds ADD COLUMN lengths_before jsonb;
