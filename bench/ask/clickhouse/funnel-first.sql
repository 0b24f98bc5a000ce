-- {value}: of the person's first event.
SELECT value, level, count() FROM (
  SELECT person_key, argMinIf({value}, occurred_at, {condition}) AS value,
    windowFunnel({window})(toUInt64(toUnixTimestamp64Micro(occurred_at)),
      name = 'step_1', name = 'step_2', name = 'step_3' AND props LIKE '%"plan":"yearly"%',
      name = 'step_4', name = 'step_5') AS level
  FROM {events}
  WHERE app_id = '{app}'
  GROUP BY person_key)
WHERE level > 0 GROUP BY value, level ORDER BY value, level SETTINGS max_threads = 2
