-- windowFunnel follows the most recent start, as ours does. All events are in the window.
SELECT level, count() FROM (
  SELECT person_key, windowFunnel({window})(toUInt64(toUnixTimestamp64Micro(occurred_at)),
    name = 'step_1', name = 'step_2', name = 'step_3' AND props LIKE '%"plan":"yearly"%',
    name = 'step_4', name = 'step_5') AS level
  FROM {events}
  WHERE app_id = '{app}' AND name IN ('step_1', 'step_2', 'step_3', 'step_4', 'step_5')
  GROUP BY person_key)
WHERE level > 0 GROUP BY level ORDER BY level SETTINGS max_threads = 2
