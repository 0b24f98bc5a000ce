file('{pattern}', Parquet, 'org_id String, app_id String, event_key UUID, name String,
  occurred_at DateTime64(6), received_at DateTime64(6), arrival Int64, batch_index Int32,
  person_id String, anonymous_id String, user_id Nullable(String), session_id Nullable(String),
  client_ts Nullable(String), time_flag Nullable(String), platform Nullable(String),
  app_version Nullable(String), os_version Nullable(String), locale Nullable(String),
  country Nullable(String), props Nullable(String), event_id Nullable(String), person_key UUID,
  is_anonymous Bool, environment String')
