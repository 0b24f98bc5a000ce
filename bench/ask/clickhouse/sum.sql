-- {value}: a number. {by}: of which each value has figures of its own.
SELECT toDate(occurred_at) AS day, {by} AS series, sum({value}) AS sum, count() AS events,
  uniqExact(person_key) AS people
FROM {events}
WHERE app_id = '{app}' AND {condition}
  AND occurred_at >= fromUnixTimestamp64Micro({from})
  AND occurred_at < fromUnixTimestamp64Micro({before})
GROUP BY day, series ORDER BY day, series SETTINGS max_threads = 2
