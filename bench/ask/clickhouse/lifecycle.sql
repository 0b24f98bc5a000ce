-- {value}: each counts as if asked for alone. Dormant: on the day after.
SELECT day, value, countIf(day = days[1]) AS new, countIf(day > days[1] AND has(days, day - 1)) AS returning,
  countIf(day > days[1] AND NOT has(days, day - 1)) AS resurrected, countIf(NOT has(days, day + 1)) AS dormant
FROM (
  SELECT person_key, {value} AS value, arraySort(groupUniqArray(toDate(occurred_at))) AS days
  FROM {events}
  WHERE app_id = '{app}' AND {condition} AND occurred_at < fromUnixTimestamp64Micro({before})
  GROUP BY person_key, value)
ARRAY JOIN days AS day
GROUP BY day, value ORDER BY day, value SETTINGS max_threads = 2
