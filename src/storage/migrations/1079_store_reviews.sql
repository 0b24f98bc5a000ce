-- Versions of a store app that are or were on sale. The store says when a version was made, never
-- when it went on sale: `is_seen` tells whether `on_sale_from` was seen here, or is that day.
CREATE TABLE store_releases (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  platform text NOT NULL,
  version text NOT NULL,
  on_sale_from timestamptz NOT NULL,
  is_seen boolean NOT NULL,
  PRIMARY KEY (org_id, store_app_id, platform, version)
);

CREATE TABLE store_review_checks (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  -- Null until the store has answered.
  checked_at timestamptz,
  -- The last time that all reviews were read; what is gone in the store is deleted then.
  walked_at timestamptz,
  -- Reviews up to here are all known.
  known_through timestamptz,
  last_error text,
  tried_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, store_app_id)
);
CREATE INDEX store_review_checks_by_age ON store_review_checks (coalesce(walked_at, tried_at));

CREATE TABLE store_reviews (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  review_id text NOT NULL,
  rating smallint NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  nickname text NOT NULL,
  territory text NOT NULL,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, store_app_id, review_id),
  FOREIGN KEY (org_id, store_app_id) REFERENCES store_review_checks ON DELETE CASCADE
);
CREATE INDEX store_reviews_newest
  ON store_reviews (org_id, store_app_id, created_at DESC, review_id DESC);
