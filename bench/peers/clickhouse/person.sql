SELECT * FROM {events} WHERE app_id = '{app}' AND person_key = toUUID('{person}')
ORDER BY arrival, batch_index SETTINGS max_threads = 2
