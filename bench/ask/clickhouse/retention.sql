SELECT cohort, arrayJoin(weeks) AS week, count() AS people FROM (
  SELECT person_key, min(toMonday(occurred_at)) AS cohort,
    groupUniqArray(toMonday(occurred_at)) AS weeks
  FROM {events} WHERE app_id = '{app}' AND NOT startsWith(name, '$') AND {condition}
  GROUP BY person_key)
GROUP BY cohort, week ORDER BY cohort, week SETTINGS max_threads = 2
