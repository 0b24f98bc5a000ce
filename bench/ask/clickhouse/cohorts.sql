-- {value}: of the first event that starts. {interval}: a week or a day, as a function.
SELECT value, cohort, arrayJoin(times) AS time, count() AS people FROM (
  SELECT person_key, argMinIf({value}, occurred_at, {condition}) AS value,
    minIf({interval}(occurred_at), {condition}) AS cohort,
    groupUniqArrayIf({interval}(occurred_at), {return}) AS times
  FROM {events} WHERE app_id = '{app}' AND ({condition} OR {return})
  GROUP BY person_key HAVING countIf({condition}) > 0)
GROUP BY value, cohort, time ORDER BY value, cohort, time SETTINGS max_threads = 2
