-- {value}: a number. Exact, as ours.
SELECT toDate(occurred_at) AS day, quantileExactInclusive(0.9)({value}) AS p90, count() AS events,
  uniqExact(person_key) AS people
FROM {events}
WHERE app_id = '{app}' AND {condition}
  AND occurred_at >= fromUnixTimestamp64Micro({from})
  AND occurred_at < fromUnixTimestamp64Micro({before})
GROUP BY day ORDER BY day SETTINGS max_threads = 2
