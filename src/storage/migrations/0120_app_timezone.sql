-- IANA name of the zone whose days, weeks and months an app's event figures are cut by.
ALTER TABLE apps ADD COLUMN timezone text NOT NULL DEFAULT 'UTC';
