-- {name}: whose first event in a session begins a path of three. Every event has a session's id.
SELECT path[1] AS first, path[2] AS second, path[3] AS third, count() AS sessions,
  uniqExact(person_key) AS people
FROM (
  SELECT person_key, arraySort(groupArray((occurred_at, batch_index, arrival, name))) AS session,
    arraySlice(session, indexOf(session.4, '{name}') + 1, 3).4 AS path
  FROM {events} WHERE app_id = '{app}' AND NOT startsWith(name, '$')
  GROUP BY person_key, session_id HAVING countIf(name = '{name}') > 0)
GROUP BY first, second, third ORDER BY first, second, third SETTINGS max_threads = 2
