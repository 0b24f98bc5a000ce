-- A connection without a key: nobody collects its days, another writes them.
ALTER TABLE store_connections ALTER COLUMN sealed_key DROP NOT NULL;
