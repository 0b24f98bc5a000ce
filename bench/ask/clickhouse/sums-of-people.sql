-- {value}: a number. Exact, as ours.
SELECT day, quantileExactInclusive(0.5)(sum) AS median, count() AS people FROM (
  SELECT toDate(occurred_at) AS day, person_key, sum({value}) AS sum
  FROM {events}
  WHERE app_id = '{app}' AND {condition}
    AND occurred_at >= fromUnixTimestamp64Micro({from})
    AND occurred_at < fromUnixTimestamp64Micro({before})
  GROUP BY day, person_key)
GROUP BY day ORDER BY day SETTINGS max_threads = 2
