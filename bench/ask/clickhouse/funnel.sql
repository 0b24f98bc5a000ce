-- {entry}: a condition on step 1. {value}: of the person's first entry. All events are in the window.
SELECT value, level, count() FROM (
  SELECT person_key, argMinIf({value}, occurred_at, name = 'step_1') AS value,
    windowFunnel({window})(toUInt64(toUnixTimestamp64Micro(occurred_at)),
      name = 'step_1' AND {entry}, name = 'step_2', name = 'step_3' AND props LIKE '%"plan":"yearly"%',
      name = 'step_4', name = 'step_5') AS level
  FROM {events}
  WHERE app_id = '{app}' AND name IN ('step_1', 'step_2', 'step_3', 'step_4', 'step_5')
  GROUP BY person_key)
WHERE level > 0 GROUP BY value, level ORDER BY value, level SETTINGS max_threads = 2
