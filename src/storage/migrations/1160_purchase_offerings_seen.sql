-- The offering that the device showed when it first named one; null without.
ALTER TABLE purchase_chains ADD COLUMN offering text;
