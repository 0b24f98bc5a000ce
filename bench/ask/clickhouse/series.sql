SELECT toDate(occurred_at) AS day, {value} AS value, uniqExact(person_key) AS people, count() AS events
FROM {events}
WHERE app_id = '{app}' AND {condition}
  AND occurred_at >= fromUnixTimestamp64Micro({from})
  AND occurred_at < fromUnixTimestamp64Micro({before})
GROUP BY day, value ORDER BY day, value SETTINGS max_threads = 2
