-- The days whose expired entries were removed lately, so that old partitions are not read each minute.
CREATE TABLE log_expiry (
  day date PRIMARY KEY,
  expired_at timestamptz NOT NULL
);

-- Facets of a day go with its partition.
CREATE INDEX log_facets_day ON log_facets (day);
