-- {value}: of the person's first event.
SELECT toDate(occurred_at) AS day, value, uniqExact(person_key) AS people, count() AS events
FROM {events} INNER JOIN (
  SELECT person_key, argMin({value}, occurred_at) AS value
  FROM {events} WHERE app_id = '{app}' AND {condition} GROUP BY person_key) AS firsts USING (person_key)
WHERE app_id = '{app}' AND {condition}
  AND occurred_at >= fromUnixTimestamp64Micro({from})
  AND occurred_at < fromUnixTimestamp64Micro({before})
GROUP BY day, value ORDER BY day, value SETTINGS max_threads = 2
