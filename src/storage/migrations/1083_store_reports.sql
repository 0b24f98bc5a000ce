CREATE TABLE store_report_requests (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  access text NOT NULL,
  request_id text NOT NULL,
  requested_at timestamptz NOT NULL,
  is_stopped boolean NOT NULL DEFAULT false,
  tried_at timestamptz,
  last_error text,
  PRIMARY KEY (org_id, store_app_id, access)
);

-- Why a report is not collected; one that the account is not entitled to costs this table only.
CREATE TABLE store_report_errors (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  access text NOT NULL,
  report text NOT NULL,
  message text NOT NULL,
  PRIMARY KEY (org_id, store_app_id, access, report),
  FOREIGN KEY (org_id, store_app_id, access) REFERENCES store_report_requests ON DELETE CASCADE
);

-- States as those of days of sales, by the day on which the store made the file.
CREATE TABLE store_report_instances (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  access text NOT NULL,
  report text NOT NULL,
  processing_date date NOT NULL,
  state text NOT NULL,
  checked_at timestamptz NOT NULL,
  empty_seen_at timestamptz,
  last_error text,
  PRIMARY KEY (org_id, store_app_id, access, report, processing_date),
  FOREIGN KEY (org_id, store_app_id, access) REFERENCES store_report_requests ON DELETE CASCADE
);

-- The file that a day's rows are of.
CREATE TABLE store_report_days (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  report text NOT NULL,
  day date NOT NULL,
  access text NOT NULL,
  processing_date date NOT NULL,
  PRIMARY KEY (org_id, store_app_id, report, day)
);

CREATE TABLE store_report_facts (
  org_id text NOT NULL,
  store_app_id text NOT NULL,
  report text NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  grouping text NOT NULL,
  source text NOT NULL,
  version text NOT NULL,
  territory text NOT NULL,
  count bigint NOT NULL,
  seconds bigint NOT NULL,
  FOREIGN KEY (org_id, store_app_id, report, day) REFERENCES store_report_days ON DELETE CASCADE
);
CREATE INDEX store_report_facts_by_day
  ON store_report_facts (org_id, store_app_id, report, day);
