-- The rows of one report of one day in the few numbers that figures in any currency are made of.
-- A copy: it is right while its revision is that of the day, and made anew otherwise.
CREATE TABLE analytics_packs (
  org_id text NOT NULL,
  vendor_number text NOT NULL,
  day date NOT NULL,
  report_type text NOT NULL,
  facts_revision bigint NOT NULL,
  pack json NOT NULL,
  PRIMARY KEY (org_id, vendor_number, day, report_type)
);
-- Unpacking what PostgreSQL has compressed takes longer than reading it as it is.
ALTER TABLE analytics_packs ALTER COLUMN pack SET STORAGE EXTERNAL;
