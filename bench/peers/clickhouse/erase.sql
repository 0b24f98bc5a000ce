ALTER TABLE {table} DELETE WHERE app_id = '{app}' AND person_key = toUUID('{person}')
SETTINGS mutations_sync = 2
