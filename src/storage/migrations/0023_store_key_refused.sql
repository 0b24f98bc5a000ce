-- Since when the store has answered that it does not know the key; null while it does.
ALTER TABLE store_connections ADD COLUMN refused_since timestamptz;
