SELECT name, platform, app_version, uniqExact(person_key) AS people, count() AS events,
  min(occurred_at), max(occurred_at)
FROM {events} WHERE app_id = '{app}' AND NOT startsWith(name, '$')
GROUP BY GROUPING SETS ((), (name), (platform), (app_version))
ORDER BY people DESC SETTINGS max_threads = 2
