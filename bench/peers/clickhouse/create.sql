CREATE TABLE {table} (
  org_id LowCardinality(String), app_id LowCardinality(String), event_key UUID,
  name LowCardinality(String), occurred_at DateTime64(6, 'UTC'), received_at DateTime64(6, 'UTC'),
  arrival Int64, batch_index Int32, person_id String, anonymous_id String,
  user_id Nullable(String), session_id Nullable(String), client_ts Nullable(String),
  time_flag LowCardinality(Nullable(String)), platform LowCardinality(Nullable(String)),
  app_version LowCardinality(Nullable(String)), os_version LowCardinality(Nullable(String)),
  locale LowCardinality(Nullable(String)), country LowCardinality(Nullable(String)),
  props Nullable(String), event_id Nullable(String), person_key UUID, is_anonymous Bool,
  environment LowCardinality(String)
) ENGINE = MergeTree ORDER BY ({order})
