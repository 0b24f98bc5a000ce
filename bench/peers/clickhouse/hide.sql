DELETE FROM {table} WHERE app_id = '{app}' AND person_key = toUUID('{person}')
SETTINGS lightweight_deletes_sync = 2
