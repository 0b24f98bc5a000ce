SELECT toDate(occurred_at) AS day, uniqExact(person_key) AS people, count() AS events
FROM {events}
WHERE app_id = '{app}' AND NOT startsWith(name, '$')
  AND occurred_at >= fromUnixTimestamp64Micro({from})
  AND occurred_at < fromUnixTimestamp64Micro({before})
GROUP BY day ORDER BY day SETTINGS max_threads = 2
