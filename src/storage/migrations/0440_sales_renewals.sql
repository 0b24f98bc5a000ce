-- Whether a subscription of a sales row renewed or began; null where its report does not say, and of
-- rows that were read before.
ALTER TABLE store_facts ADD COLUMN is_renewal boolean;
-- The days that the store is asked for again anyway are read again, though their reports are the same.
UPDATE store_days SET content_hash = NULL
  WHERE report_type = 'SALES' AND rows > 0 AND day >= current_date - 37;
